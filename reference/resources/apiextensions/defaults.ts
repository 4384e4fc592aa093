import { isObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, objectOf, objectsOf, setDefault, textOf } from '../../api/parts.ts';

/** What a definition leaves out: singular, listKind, conversion None, and port 443 of a webhook's service. */
export function applyDefinitionDefaults(object: ApiObject): void {
  const spec = ensureObject(object, 'spec');
  const names = ensureObject(spec, 'names');
  const kind = textOf(names.kind);
  if (kind) {
    setDefault(names, 'singular', kind.toLowerCase());
    setDefault(names, 'listKind', `${kind}List`);
  }
  if (!isObject(spec.conversion)) spec.conversion = { strategy: 'None' };
  const service = objectOf(objectOf(objectOf(spec.conversion).webhook).clientConfig).service;
  if (isObject(service)) setDefault(service, 'port', 443);
}

/** A new definition knows only the version that its objects will be stored in; the rest of its status comes later. */
export function initialStatus(object: ApiObject): void {
  const storage = storageVersion(object);
  const storedVersions = storage === undefined ? null : [storage];
  object.status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions };
}

/** The version that is marked as the stored one; the first, where a definition that is not valid marks several. */
export function storageVersion(object: ApiObject): string | undefined {
  const version = objectsOf(objectOf(object.spec).versions).find(({ storage }) => storage === true);
  return version && textOf(version.name);
}
