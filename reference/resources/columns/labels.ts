import type { Json, JsonObject } from '../../api/json.ts';
import { objectOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';

export const NONE = '<none>';
export const UNSET = '<unset>';
export const UNKNOWN = '<unknown>';

/** The text, or what stands for an empty one. */
export function orNone(text: string): string {
  return text === '' ? NONE : text;
}

/** Labels as text, in the order of their keys: `a=1,b=2`. */
export function labelsText(labels: Json | undefined): string {
  const map = objectOf(labels);
  return orNone(
    Object.keys(map)
      .sort()
      .map((key) => `${key}=${textOf(map[key])}`)
      .join(','),
  );
}

/** A LabelSelector as text, in the order of the keys: `a=1,b in (x,y),!c`. */
export function selectorText(selector: Json | undefined): string {
  const { matchLabels, matchExpressions } = objectOf(selector);
  const labels = objectOf(matchLabels);
  const parts = [
    ...Object.keys(labels).map((key) => ({ key, text: `${key}=${textOf(labels[key])}` })),
    ...objectsOf(matchExpressions).map((one) => ({ key: textOf(one.key), text: requirementText(one) })),
  ];
  parts.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return orNone(parts.map((part) => part.text).join(','));
}

function requirementText(requirement: JsonObject): string {
  const key = textOf(requirement.key);
  const values = [...textsOf(requirement.values)].sort().join(',');
  switch (requirement.operator) {
    case 'In':
      return `${key} in (${values})`;
    case 'NotIn':
      return `${key} notin (${values})`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}

/** The first few of a list, and how many more there are. */
export function firstFew(items: readonly string[], most: number): string {
  if (items.length <= most) return items.join(',');
  return `${items.slice(0, most).join(',')} + ${items.length - most} more...`;
}
