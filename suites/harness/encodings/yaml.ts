import { dump } from 'js-yaml';

/** A value as YAML in blocks, as people write it; members that are undefined are left out, as in JSON. */
export function yamlText(value: object): string {
  return dump(JSON.parse(JSON.stringify(value)), { noRefs: true, lineWidth: -1 });
}
