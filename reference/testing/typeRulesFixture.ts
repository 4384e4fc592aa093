import assert from 'node:assert/strict';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import type { JsonObject } from '../api/json.ts';
import { cloneJson } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { asApiObject, asJson } from '../api/object.ts';
import type { ResourceType, Strategy, WriteContext } from '../contracts/resourceType.ts';
import { builtinTypes } from '../resources/builtin.ts';
import { decodeTyped } from '../schema/decode.ts';
import { applySchemaDefaults } from '../schema/defaults.ts';

/** What came of a write in the fixture. */
export interface Outcome {
  readonly object: ApiObject;
  /** One text a fault: where, and what is wrong. */
  readonly errors: string[];
  readonly warnings: readonly string[];
}

export const UID = '00000000-0000-4000-8000-000000000001';

const CONTEXT: WriteContext = {
  user: { username: 'u', uid: '', groups: [], extra: {} } as unknown as WriteContext['user'],
  now: 0,
  uuid: () => UID,
  warn: () => undefined,
  version: 'v1',
};

/** Writes objects of a type as far as the rules of the type go, without a server around them. */
export function workloadFixture(
  resource: string,
  { release = 36, version: name = '', gates = [] as readonly string[] } = {},
) {
  // Following the service means following it in the release in which it was seen.
  const follow = release === 36 ? 'service' : 'spec';
  const all = builtinTypes({ dialect: kubernetes, release, follow, gate: (gate) => gates.includes(gate) });
  const type = all.find((one) => one.resource === resource) as ResourceType;
  assert.ok(type, resource);
  const version = type.versions.get(name || type.storageVersion);
  assert.ok(version);
  const decode = (json: JsonObject): ApiObject => {
    const metadata = { name: 'x', namespace: 'default', ...(json.metadata as JsonObject | undefined) };
    const decoded = decodeTyped(version.schema, cloneJson({ ...json, metadata })).object;
    applySchemaDefaults(version.schema, decoded);
    const object = asApiObject(decoded);
    version.applyDefaults?.(object);
    return version.toStorage?.(object) ?? object;
  };
  const strategyOf = (subresource: string): Partial<Strategy> => {
    if (subresource === '') return type.strategy;
    const found = version.subresources.find((one) => one.name === subresource);
    return found && 'strategy' in found && found.strategy ? found.strategy : {};
  };
  const texts = (errors: readonly { field: string; message: string }[] = []) =>
    errors.map((error) => `${error.field}: ${error.message}`);
  const create = (json: JsonObject): Outcome => {
    const object = decode(json);
    object.metadata.uid = UID;
    object.metadata.generation = 1;
    type.strategy.prepareForCreate?.(object, CONTEXT);
    const errors = texts(type.strategy.validate?.(object, CONTEXT));
    return { object, errors, warnings: type.strategy.warnings?.(object, undefined) ?? [] };
  };
  return {
    type,
    decode,
    create,
    /** Writes `json` over `old`, through a subresource where one is named. */
    update(old: ApiObject, json: JsonObject, subresource = ''): Outcome {
      const strategy = strategyOf(subresource);
      const object = decode(json);
      object.metadata.uid = UID;
      object.metadata.generation = (old.metadata.generation ?? 0) + 1;
      for (const path of strategy.resetFields ?? []) {
        const [field = ''] = path;
        if (path.length === 1 && field !== 'metadata') asJson(object)[field] = cloneJson(asJson(old)[field] ?? {});
      }
      strategy.prepareForUpdate?.(object, old, CONTEXT);
      const errors = texts(strategy.validateUpdate?.(object, old, CONTEXT));
      return { object, errors, warnings: strategy.warnings?.(object, old) ?? [] };
    },
    /** The object with other fields, as a client would send it. */
    changed(object: ApiObject, change: (draft: JsonObject) => void): JsonObject {
      const draft = cloneJson(asJson(object));
      change(draft);
      return draft;
    },
  };
}

/** A template with the smallest pod that is sound, with more fields of its spec and first container. */
export function podTemplate(container: JsonObject = {}, spec: JsonObject = {}): JsonObject {
  return {
    metadata: { labels: { app: 'a' } },
    spec: { containers: [{ name: 'c', image: 'img', ...container }], ...spec },
  };
}

/** A pod with the smallest spec that is sound. */
export function podOf(container: JsonObject = {}, spec: JsonObject = {}): JsonObject {
  return { spec: { containers: [{ name: 'c', image: 'img', ...container }], ...spec } };
}
