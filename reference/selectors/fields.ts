import { byteOrder } from '../api/byteOrder.ts';
import { remembered } from '../collections/remembered.ts';
import type { SelectorRequirement } from './labelRequirement.ts';
import { SelectorSyntaxError } from './labels.ts';

/** One condition on a field of an object: its text equals a value, or does not. */
export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** Which objects a field selector selects: all its requirements must hold. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  /** @param textOf the text of a field of the object in question; empty where it is absent */
  matches(textOf: (field: string) => string): boolean;
  /** The value that a field must equal, where the selector says so. */
  exactly(field: string): string | undefined;
}

/** Requirements up to which they are asked one after the other. */
const FEW = 16;

/** Selects what fulfils all requirements; without any, everything. */
export function allFields(requirements: readonly FieldRequirement[]): FieldSelector {
  return {
    requirements,
    matches: requirements.length > FEW ? matchesMany(requirements) : (textOf) => matchesEach(requirements, textOf),
    exactly: (field) => requirements.find((one) => one.equal && one.field === field)?.value,
  };
}

function matchesEach(requirements: readonly FieldRequirement[], textOf: (field: string) => string): boolean {
  for (const { field, equal, value } of requirements) if ((textOf(field) === value) !== equal) return false;
  return true;
}

/** The same where many requirements are about one field: its text is held to all of them at once. */
function matchesMany(requirements: readonly FieldRequirement[]): FieldSelector['matches'] {
  const wanted = new Map<string, Set<string>>();
  const unwanted = new Map<string, Set<string>>();
  for (const { field, equal, value } of requirements) {
    const values = equal ? wanted : unwanted;
    const before = values.get(field);
    if (before) before.add(value);
    else values.set(field, new Set([value]));
  }
  return (textOf) => {
    for (const [field, values] of wanted) if (values.size > 1 || !values.has(textOf(field))) return false;
    for (const [field, values] of unwanted) if (values.has(textOf(field))) return false;
    return true;
  };
}

/**
 * Reads the text form of a field selector: `metadata.name=a,status.phase!=Running`. In values, a backslash
 * stands before a comma, an equals sign or another backslash. Requirements come in the order of their text.
 * @throws SelectorSyntaxError
 */
export const parseFieldSelector: (text: string) => FieldSelector = remembered((text) => {
  const requirements: FieldRequirement[] = [];
  const terms = splitTerms(text).map((term) => ({ term, order: byteOrder(term) }));
  for (const { term } of terms.sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))) {
    if (term === '') continue;
    const split = /!=|==|=/.exec(term);
    if (!split) throw new SelectorSyntaxError(`invalid selector: '${text}'; can't understand '${term}'`);
    const value = unescapeValue(term.slice(split.index + split[0].length));
    requirements.push({ field: term.slice(0, split.index), equal: split[0] !== '!=', value });
  }
  return allFields(requirements);
});

/** Cuts at the commas that no backslash stands before. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === ',') {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

const ESCAPABLE = '\\,=';

function unescapeValue(text: string): string {
  let value = '';
  let escaped = false;
  for (const character of text) {
    if (escaped) {
      if (!ESCAPABLE.includes(character)) throw badEscape(`\\${character}`);
      value += character;
      escaped = false;
    } else if (character === '\\') escaped = true;
    else if (character === ',' || character === '=') {
      throw new SelectorSyntaxError(
        `invalid field selector: unescaped character in value: ${character.codePointAt(0)}`,
      );
    } else value += character;
  }
  if (escaped) throw badEscape('\\');
  return value;
}
function badEscape(sequence: string): SelectorSyntaxError {
  return new SelectorSyntaxError(`invalid field selector: invalid escape sequence: ${sequence}`);
}

/** The requirements in the form in which authorizers see them. */
export function fieldRequirementsForAuthorizer(selector: FieldSelector): SelectorRequirement[] {
  return selector.requirements.map(({ field, equal, value }) => ({
    key: field,
    operator: equal ? 'In' : 'NotIn',
    values: [value],
  }));
}
