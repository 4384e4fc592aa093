import type { Actor } from './actor.ts';
import { isRecord } from './json.ts';

/** A type, or a subresource of one, as discovery lists it. */
export interface ServedType {
  /** API group; empty for the core one. */
  readonly group: string;
  /** Path of the version: `/apis/apps/v1`. */
  readonly root: string;
  /** As in paths: `deployments`, of a subresource `deployments/scale`. */
  readonly name: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** Path of a version such as `v1` or `apps/v1`. */
export const rootOfVersion = (version: string): string =>
  version.includes('/') ? `/apis/${version}` : `/api/${version}`;

/** The versions of what is served, each once: `v1` and `apps/v1` of `v1/pods/log` and `apps/v1/deployments`. */
export const versionsOf = (served: readonly string[]): readonly string[] => [
  ...new Set(
    served.map((path) =>
      path
        .split('/')
        .slice(0, path.startsWith('v1/') ? 1 : 2)
        .join('/'),
    ),
  ),
];

/**
 * Whether discovery names subresources beside types, which the text does not ask for: where it does not, what it leaves
 * out says nothing.
 * @param served as the target has it
 */
export const listsSubresources = (served: readonly string[]): boolean =>
  served.some((path) => /\/(status|scale)$/.test(path));

/**
 * What discovery lists with its verbs in the versions of a target, subresources included.
 * @param served as the target has it: `v1/pods/log`, `apps/v1/deployments`
 */
export async function typesServed(author: Actor, served: readonly string[]): Promise<readonly ServedType[]> {
  const documents = versionsOf(served).map(async (version) => {
    const root = rootOfVersion(version);
    const group = version.includes('/') ? (version.split('/')[0] ?? '') : '';
    const document = await author.request('GET', root);
    const listed: unknown[] =
      isRecord(document.json) && Array.isArray(document.json.resources) ? document.json.resources : [];
    return listed.flatMap((each): ServedType[] => {
      if (!isRecord(each) || typeof each.name !== 'string' || !Array.isArray(each.verbs)) return [];
      const verbs = each.verbs.filter((verb) => typeof verb === 'string');
      return [{ group, root, name: each.name, namespaced: each.namespaced === true, verbs }];
    });
  });
  return (await Promise.all(documents)).flat();
}
