import type { GroupResource } from '../../api/groupVersion.ts';
import { collectionPrefix, typePrefix } from '../../contracts/storeKeys.ts';

/** Where the real service keeps types under another name than that of their resource, by group prefix and resource. */
const RENAMED: Readonly<Record<string, string>> = {
  '/endpoints': 'services/endpoints',
  '/nodes': 'minions',
  '/replicationcontrollers': 'controllers',
  '/services': 'services/specs',
  'networking/ingresses': 'ingress',
};
/** Groups whose objects lie under the name of the group, as those of custom types do. */
const UNDER_GROUP = new Set(['apiextensions', 'apiregistration']);
/** Groups whose objects are those of other groups, and kept there. */
const KEPT_ELSEWHERE = new Set(['events', 'extensions']);

/** Where keys lie that are not of objects: no group has such a name. */
const OWN = 'touchstone:/';

/** A built-in type: the name of its group, and that without the domain of the dialect. */
export interface BuiltinKeyType extends GroupResource {
  readonly groupPrefix: string;
}

/**
 * How keys of objects lie in etcd: as those of the real service. `/core/pods/a/b` is `<prefix>/pods/a/b`; built-in types
 * lie under their resource, whatever their group, and custom ones as `<prefix>/<group>/<resource>/…`.
 */
export class KeyLayout {
  /** Begins all keys of this store; ends in a slash. */
  readonly root: string;
  /** From `/<group>/<resource>/` to the folder in etcd, `<resource>/`, and back. */
  readonly #folders = new Map<string, string>();
  readonly #types = new Map<string, string>();
  /** Groups some of whose types lie elsewhere than under the name of the group. */
  readonly #scattered = new Set<string>();

  constructor(prefix: string, builtin: readonly BuiltinKeyType[]) {
    this.root = `${prefix.replace(/\/+$/, '')}/`;
    if (!this.root.startsWith('/')) this.root = `/${this.root}`;
    for (const { groupPrefix, group, resource } of builtin) {
      if (UNDER_GROUP.has(groupPrefix) || KEPT_ELSEWHERE.has(groupPrefix)) continue;
      const type = collectionPrefix({ group, resource });
      const folder = `${RENAMED[`${groupPrefix}/${resource}`] ?? resource}/`;
      this.#scattered.add(type.slice(0, -resource.length - 1));
      this.#folders.set(type, folder);
      this.#types.set(folder, type);
    }
  }

  /** The key in etcd of an object, or of what begins with the text. Undefined when that lies in several places. */
  toEtcd(key: string): string | undefined {
    const type = typePrefix(key);
    if (type !== '') return `${this.root}${this.#folders.get(type) ?? type.slice(1)}${key.slice(type.length)}`;
    const group = key.slice(0, key.indexOf('/', 1) + 1);
    return group.length > 1 && !this.#scattered.has(group) ? this.root + key.slice(1) : undefined;
  }

  /** A key of the servers' own, which is never that of an object though it is watched with them. */
  ownKey(name: string): string {
    return `${this.root}${OWN}${name}`;
  }
  isOwn(etcdKey: string): boolean {
    return etcdKey.startsWith(OWN, this.root.length);
  }

  /** The key of an object, from the one in etcd, which begins with `root`. */
  fromEtcd(etcdKey: string): string {
    const rest = etcdKey.slice(this.root.length);
    for (
      let slash = rest.indexOf('/'), depth = 0;
      slash >= 0 && depth < 2;
      slash = rest.indexOf('/', slash + 1), depth++
    ) {
      const type = this.#types.get(rest.slice(0, slash + 1));
      if (type !== undefined) return type + rest.slice(slash + 1);
    }
    return `/${rest}`;
  }
}

/** The smallest key behind all that begin with these bytes; a single zero when there is none. */
export function prefixEnd(prefix: Uint8Array): Uint8Array {
  for (let i = prefix.length - 1; i >= 0; i--) {
    const byte = prefix[i] as number;
    if (byte < 0xff) {
      const end = Uint8Array.from(prefix.subarray(0, i + 1));
      end[i] = byte + 1;
      return end;
    }
  }
  return Uint8Array.of(0);
}
