import type { JsonObject } from '../../reference/api/json.ts';
import { indentJson, stringify } from '../../reference/codecs/jsonText.ts';
import { yamlText } from '../../reference/codecs/yamlText.ts';

/** Objects as a file: documents of YAML one after the other, or JSON, of a list where there are several. */
export function objectsText(objects: readonly JsonObject[], form: 'yaml' | 'json'): string {
  if (form === 'yaml') return objects.map(yamlText).join('---\n');
  const [first, ...more] = objects;
  if (first && more.length === 0) return `${indentJson(stringify(first)).trimEnd()}\n`;
  return `${indentJson(stringify({ apiVersion: 'v1', kind: 'List', items: [...objects] })).trimEnd()}\n`;
}
