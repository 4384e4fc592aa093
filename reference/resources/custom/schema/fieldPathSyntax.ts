import type { SchemaNode } from './schemaNode.ts';

/** A field that a text names, or why it names none. */
type FieldAt =
  | { readonly steps: readonly Step[]; readonly path: string; readonly schema: SchemaNode }
  | { readonly fault: string };
interface Step {
  readonly name: string;
  /** A key of a map, rather than a field. */
  readonly key: boolean;
}

/**
 * Follows a path such as `.spec.replicas` or `.spec['a.b']` through a schema.
 * @param options.brackets whether names may stand in brackets
 */
export function fieldAt(text: string, root: SchemaNode, options: { readonly brackets: boolean }): FieldAt {
  const tokens = split(text);
  const steps: Step[] = [];
  let schema: SchemaNode | undefined = root;
  const missing: FieldAt = { fault: 'does not refer to a valid field' };
  for (let at = 0; at < tokens.length; ) {
    const mark = tokens[at++];
    if (mark !== '.' && mark !== '[') return { fault: `expected [ or . but got: ${mark}` };
    if (mark === '[' && !options.brackets) return { fault: 'array notation is not allowed' };
    let name = tokens[at++];
    if (name === undefined) return { fault: 'unexpected end of JSON path' };
    if (mark === '[') {
      if (name.length < 2 || !name.startsWith("'") || !name.endsWith("'")) {
        return { fault: `expected single quoted string but got ${name}` };
      }
      const plain = plainText(name.slice(1, -1));
      if (typeof plain !== 'string') return plain;
      name = plain;
      const close = tokens[at++];
      if (close === undefined) return { fault: 'unexpected end of JSON path' };
      if (close !== ']') return { fault: `expected ] but got ${close}` };
    }
    const key: boolean = schema.properties === undefined;
    const next: SchemaNode | boolean | undefined = key ? schema.additional : schema.properties?.get(name);
    if (typeof next !== 'object') return missing;
    steps.push({ name, key });
    schema = next;
  }
  const path = steps.map(({ name, key }, index) => (key ? `[${name}]` : `${index === 0 ? '' : '.'}${name}`)).join('');
  return { steps, path, schema };
}

/** Marks, and what stands between them; a text in single quotes is one token whatever is in it. */
function split(text: string): string[] {
  const tokens: string[] = [];
  let at = 0;
  while (at < text.length) {
    const start = at;
    if ('.[]'.includes(text[at] as string)) at++;
    else if (text[at] === "'") {
      at++;
      while (at < text.length && !(text[at] === "'" && text[at - 1] !== '\\')) at++;
      at++;
    } else while (at < text.length && !'.[]'.includes(text[at] as string)) at++;
    tokens.push(text.slice(start, at));
  }
  return tokens;
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

function plainText(text: string): string | { readonly fault: string } {
  let fault: string | undefined;
  const plain = text.replace(/\\([\s\S])/g, (sequence, letter: string) => {
    const meant = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
    if (meant === undefined) fault = `invalid string literal: invalid escape char ${sequence}`;
    return meant ?? '';
  });
  return fault === undefined ? plain : { fault };
}
