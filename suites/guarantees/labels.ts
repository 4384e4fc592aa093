/** Whether labels are as one part of a selector asks. */
export type Requirement = (labels: Readonly<Record<string, unknown>>) => boolean;

/**
 * Reads a label selector: `a=b`, `a==b`, `a!=b`, `a in (b,c)`, `a notin (b)`, `a`, `!a`, joined by commas.
 * `undefined` for what is none.
 */
export function parseLabels(text: string): readonly Requirement[] | undefined {
  if (text.trim() === '') return [];
  // A comma within parentheses separates values and not requirements.
  const parts = text.split(/,(?![^(]*\))/).map(parsePart);
  return parts.includes(undefined) ? undefined : (parts as Requirement[]);
}

function parsePart(part: string): Requirement | undefined {
  const set = /^\s*(\S+)\s+(in|notin)\s*\(([^)]*)\)\s*$/.exec(part);
  if (set) {
    const [, key = '', operator, list = ''] = set;
    const values = list.split(',').map((value) => value.trim());
    const within: Requirement = (labels) => Object.hasOwn(labels, key) && values.includes(String(labels[key]));
    return operator === 'in' ? within : (labels) => !within(labels);
  }
  const pair = /^\s*([^\s!=]+)\s*(==|!=|=)\s*([^\s=]*)\s*$/.exec(part);
  if (pair) {
    const [, key = '', operator, value] = pair;
    return (labels) => (Object.hasOwn(labels, key) && labels[key] === value) === (operator !== '!=');
  }
  const presence = /^\s*(!?)\s*([^\s!=()]+)\s*$/.exec(part);
  if (!presence) return undefined;
  const [, absent, key = ''] = presence;
  return (labels) => Object.hasOwn(labels, key) === (absent === '');
}
