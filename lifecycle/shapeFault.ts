import type { ErrorObject } from 'ajv';

/** Where a fault of shape stands, as a JSON pointer: a member too many is meant itself, and not what it stands in. */
export function pointerOf({ instancePath, keyword, params }: ErrorObject): string {
  const name = keyword === 'additionalProperties' ? String(params.additionalProperty) : undefined;
  return name === undefined ? instancePath : `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A fault of shape as a clause: `releases is missing`. */
export function reasonOf({ keyword, params, message = 'it is not as it should be' }: ErrorObject): string {
  switch (keyword) {
    case 'additionalProperties':
      return `there is no member ${JSON.stringify(params.additionalProperty)} here`;
    case 'required':
      return `${params.missingProperty} is missing`;
    case 'dependencies':
      return `${params.missingProperty} is needed beside ${params.property}`;
    case 'enum':
      return `it has to be one of ${(params.allowedValues as string[]).join(', ')}`;
    case 'type':
      return `it has to be ${[params.type].flat().map(wordOf).join(' or ')}`;
    case 'minItems':
    case 'minProperties':
    case 'minLength':
      return 'it may not be empty';
    default:
      return message;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  object: 'a map',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
};
function wordOf(type: unknown): string {
  return TYPES[String(type)] ?? String(type);
}
