/** An object with known fields, as the evaluator sees it: a property a field, absent ones undefined. */
export class Message {
  [field: string]: unknown;
}
