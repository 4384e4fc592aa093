import type { ApiObject } from '../../api/object.ts';
import type { ResourceRegistry } from '../../contracts/resourceRegistry.ts';
import type { ResourceType } from '../../contracts/resourceType.ts';
import { type Store, UnreadableObject } from '../../contracts/store.ts';
import { collectionPrefix, objectKey } from '../../contracts/storeKeys.ts';
import { fromStorage } from '../../objects/versions.ts';
import { kindOfParams, type ParamKind, type ParamRef } from './policy.ts';

/** A policy or its binding cannot be used as it is written; the words are those that clients know. */
export class ConfigurationFault extends Error {}

/** The type and version of parameters. */
export interface ParamType {
  readonly type: ResourceType;
  readonly version: string;
}

/** The type of the parameters of a kind. Throws ConfigurationFault where it is not served. */
export function paramTypeOf(kind: ParamKind, registry: ResourceRegistry): ParamType {
  const wanted = kindOfParams(kind);
  const found = wanted && registry.typeOfKind(wanted.group, wanted.kind);
  const type = found?.seenIn?.(wanted?.version ?? '') ?? found;
  if (!wanted || !type?.versions.get(wanted.version)?.served) {
    const shown = wanted
      ? `${wanted.group}/${wanted.version}, Kind=${wanted.kind}`
      : `/${kind.apiVersion}, Kind=${kind.kind}`;
    throw new ConfigurationFault(`failed to find resource referenced by paramKind: '${shown}'`);
  }
  return { type, version: wanted.version };
}

const NO_PARAMS = [null];

/**
 * The objects that a binding gives a policy as parameters; a single null where the policy works without, and nothing
 * where none was found and that is no reason to refuse.
 * @param namespace of the request; empty for cluster-scoped objects
 * @throws ConfigurationFault
 */
export async function paramsOf(
  found: ParamType | undefined,
  reference: ParamRef | undefined,
  namespace: string,
  store: Store,
): Promise<readonly (ApiObject | null)[]> {
  if (!found || !reference) return NO_PARAMS;
  const { type, version } = found;
  if (!type.namespaced && reference.namespace !== '') {
    throw new ConfigurationFault('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  const within = type.namespaced ? reference.namespace || namespace : '';
  if (type.namespaced && within === '') {
    throw new ConfigurationFault(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    );
  }
  const served = type.versions.get(version);
  const seen = served?.store?.(store) ?? store;
  const objects = reference.name
    ? [await read(seen, type, within, reference.name)]
    : (await list(seen, type, within)).filter(({ metadata }) => reference.selector?.matches(metadata.labels));
  const params = objects.filter((object) => object !== undefined);
  if (params.length === 0 && reference.deniesMissing) {
    throw new ConfigurationFault('no params found for policy binding with `Deny` parameterNotFoundAction');
  }
  return params.map((object) =>
    served ? fromStorage({ type, version: served, subresource: undefined }, object) : object,
  );
}

async function read(store: Store, type: ResourceType, namespace: string, name: string): Promise<ApiObject | undefined> {
  const entry = await store.get(objectKey(type, namespace, name));
  return entry && readable(() => entry.object);
}

async function list(store: Store, type: ResourceType, namespace: string): Promise<ApiObject[]> {
  const { entries } = await store.range({ prefix: collectionPrefix(type, namespace) });
  return entries.map((entry) => readable(() => entry.object)).filter((object) => object !== undefined);
}

function readable(object: () => ApiObject): ApiObject | undefined {
  try {
    return object();
  } catch (error) {
    if (error instanceof UnreadableObject) return undefined;
    throw error;
  }
}
