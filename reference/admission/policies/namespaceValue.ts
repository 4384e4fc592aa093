import type { JsonObject } from '../../api/json.ts';
import { type ApiObject, asJson } from '../../api/object.ts';

const METADATA = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'finalizers',
];

/** A namespace as far as expressions may see it: who owns what in it is left out. */
export function namespaceValue(namespace: ApiObject): JsonObject {
  const { metadata, spec, status } = asJson(namespace);
  const shown: JsonObject = {};
  for (const name of METADATA) {
    const value = (metadata as JsonObject)[name];
    if (value !== undefined) shown[name] = value;
  }
  return { metadata: shown, ...(spec === undefined ? {} : { spec }), ...(status === undefined ? {} : { status }) };
}
