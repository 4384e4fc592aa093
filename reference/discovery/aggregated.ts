import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import type { GroupVersionKind } from '../api/groupVersion.ts';
import type { JsonObject } from '../api/json.ts';
import type { ServedGroup, ServedResource } from './groups.ts';
import { listedSubresources, listedVerbs, subresourceKind } from './resourceEntries.ts';

/** All groups with all their versions and resources in one document. */
export function groupDiscoveryList(groups: readonly ServedGroup[], version: string, dialect: Dialect): JsonObject {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `${groupName(dialect, 'apidiscovery')}/${version}`,
    metadata: {},
    items: groups.map(
      (group): JsonObject => ({
        metadata: group.name === '' ? {} : { name: group.name },
        versions: group.versions.map((served) => ({
          version: served.version,
          resources: served.resources.map(resource),
          freshness: 'Current',
        })),
      }),
    ),
  };
}

function resource(served: ServedResource): JsonObject {
  const { type, version } = served;
  const subresources = listedSubresources(served).map(
    (subresource): JsonObject => ({
      subresource: subresource.name,
      responseKind: responseKind(served, subresourceKind(served, subresource)),
      verbs: listedVerbs(subresource.verbs, false),
    }),
  );
  return {
    resource: type.resource,
    responseKind: responseKind(served, { group: type.group, version: version.version, kind: type.kind }),
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: listedVerbs(version.verbs, type.custom),
    ...(type.shortNames.length > 0 ? { shortNames: [...type.shortNames] } : {}),
    ...(type.categories.length > 0 ? { categories: [...type.categories] } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  };
}

/** Built-in types leave group and version to the place where the kind stands, unless it belongs elsewhere. */
function responseKind({ type, version }: ServedResource, kind: GroupVersionKind): JsonObject {
  const local = !type.custom && kind.group === type.group && kind.version === version.version;
  return { group: local ? '' : kind.group, version: local ? '' : kind.version, kind: kind.kind };
}
