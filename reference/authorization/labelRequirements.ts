import type { SelectorRequirement } from './authorizer.ts';

const TOKEN = /\s*(?:(==|!=|=|!|\(|\)|,)|([A-Za-z0-9._/-]+))/y;

/**
 * Reads a label selector as authorizers see it. Comparisons of numbers (`>`, `<`) and anything malformed make the
 * selector unreadable: authorizers then see none, and the request is judged as if it asked for everything.
 *
 * @returns undefined when the text cannot be read
 */
export function labelRequirements(text: string): SelectorRequirement[] | undefined {
  const tokens: string[] = [];
  const source = text.trimEnd();
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(source);
    if (!match) return undefined;
    tokens.push(match[1] ?? (match[2] as string));
  }
  const requirements: SelectorRequirement[] = [];
  let at = 0;
  const word = (): string | undefined =>
    tokens[at] !== undefined && /^[\w.-]/.test(tokens[at] as string) ? tokens[at++] : undefined;
  while (at < tokens.length) {
    const absent = tokens[at] === '!';
    if (absent) at++;
    const key = word();
    if (key === undefined || key.startsWith('/') || key.endsWith('/')) return undefined;
    const next = tokens[at];
    if (absent || next === undefined || next === ',') {
      requirements.push({ key, operator: absent ? 'DoesNotExist' : 'Exists', values: [] });
    } else if (next === '=' || next === '==' || next === '!=') {
      at++;
      requirements.push({ key, operator: next === '!=' ? 'NotIn' : 'In', values: [word() ?? ''] });
    } else if (next === 'in' || next === 'notin') {
      at++;
      if (tokens[at++] !== '(') return undefined;
      const values: string[] = [];
      for (;;) {
        values.push(word() ?? '');
        const after = tokens[at++];
        if (after === ')') break;
        if (after !== ',') return undefined;
      }
      requirements.push({ key, operator: next === 'in' ? 'In' : 'NotIn', values: [...new Set(values)].sort() });
    } else return undefined;
    if (tokens[at] === ',') {
      at++;
      if (at === tokens.length) return undefined;
    } else if (at < tokens.length) return undefined;
  }
  return requirements;
}

/** Reads a field selector as authorizers see it; undefined when it cannot be read. */
export function fieldRequirements(text: string): SelectorRequirement[] | undefined {
  const requirements: SelectorRequirement[] = [];
  for (const term of splitTerms(text)) {
    if (term === '') continue;
    const match = /^(.+?)(!=|==|=)(.*)$/s.exec(term);
    if (!match) return undefined;
    const [, key = '', operator, raw = ''] = match;
    const value = unescapeValue(raw);
    if (value === undefined) return undefined;
    requirements.push({ key, operator: operator === '!=' ? 'NotIn' : 'In', values: [value] });
  }
  return requirements;
}

/** Terms are separated by commas that no backslash guards. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let term = '';
  for (let i = 0; i < text.length; i++) {
    const sign = text[i] as string;
    if (sign === '\\') term += sign + (text[++i] ?? '');
    else if (sign === ',') {
      terms.push(term);
      term = '';
    } else term += sign;
  }
  return [...terms, term];
}
function unescapeValue(value: string): string | undefined {
  let plain = '';
  for (let i = 0; i < value.length; i++) {
    const sign = value[i] as string;
    if (sign === '\\') {
      const next = value[++i];
      if (next === undefined || !'\\,='.includes(next)) return undefined;
      plain += next;
    } else if (sign === ',' || sign === '=') return undefined;
    else plain += sign;
  }
  return plain;
}
