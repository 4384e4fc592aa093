import { formatApiVersion } from '../api/groupVersion.ts';
import type { Json, JsonObject } from '../api/json.ts';
import type { ServedGroup, ServedResource, ServedVersion } from './groups.ts';
import { isStorable, listedSubresources, listedVerbs, storageVersionHash, subresourceKind } from './resourceEntries.ts';

/** `/api`: the versions of the core group, and where the server is reached. */
export function apiVersions(core: ServedGroup | undefined, address: string): Json {
  return {
    kind: 'APIVersions',
    versions: (core?.versions ?? []).map(({ version }) => version),
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  };
}

/** `/apis`: every group but the core one. */
export function apiGroupList(groups: readonly ServedGroup[]): Json {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.filter(({ name }) => name !== '').map(group) };
}

/** `/apis/<group>`. */
export function apiGroup(served: ServedGroup): Json {
  return { kind: 'APIGroup', apiVersion: 'v1', ...group(served) };
}

function group({ name, versions }: ServedGroup): JsonObject {
  const listed = versions.map(({ version }) => ({ groupVersion: formatApiVersion({ group: name, version }), version }));
  return { name, versions: listed, preferredVersion: listed[0] as JsonObject };
}

/** `/api/v1`, `/apis/<group>/<version>`: the resources of a version. */
export function apiResourceList({ name }: ServedGroup, { version, resources }: ServedVersion): Json {
  return {
    kind: 'APIResourceList',
    ...(name === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: formatApiVersion({ group: name, version }),
    resources: resources.flatMap(entries),
  };
}

/** A resource, then its subresources. */
function entries(served: ServedResource): JsonObject[] {
  const { type, version } = served;
  const { resource, namespaced, custom, shortNames, categories } = type;
  const hash = storageVersionHash(type, isStorable(served));
  const own: JsonObject = {
    name: resource,
    singularName: type.singular,
    namespaced,
    kind: type.kind,
    verbs: listedVerbs(version.verbs, custom),
    ...(shortNames.length > 0 ? { shortNames: [...shortNames] } : {}),
    ...(categories.length > 0 ? { categories: [...categories] } : {}),
    ...(hash ? { storageVersionHash: hash } : {}),
  };
  const below = listedSubresources(served).map((subresource): JsonObject => {
    const kind = subresourceKind(served, subresource);
    const foreign = kind.group !== type.group || kind.version !== version.version;
    return {
      name: `${resource}/${subresource.name}`,
      singularName: '',
      namespaced,
      ...(foreign ? { group: kind.group, version: kind.version } : {}),
      kind: kind.kind,
      verbs: listedVerbs(subresource.verbs, false),
    };
  });
  return [own, ...below];
}
