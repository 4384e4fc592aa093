import { parseApiVersion } from '../api/groupVersion.ts';
import { LayeredMap } from '../collections/layeredMap.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import type { ResourceType, Subresource, TypeVersion } from './resourceType.ts';

/** What a path with group, version, resource and subresource leads to. */
export interface Endpoint {
  readonly type: ResourceType;
  readonly version: TypeVersion;
  readonly subresource: Subresource | undefined;
}

/** The types served now. Custom types come and go. */
export class ResourceRegistry {
  #types = new LayeredMap<string, ResourceType>();
  readonly #unservedTypes: (group: string, resource: string) => ResourceType | undefined;
  #edition: object = {};

  /** @param unservedTypes types with versions that are not served, for objects and records that speak of them */
  constructor(unservedTypes: (group: string, resource: string) => ResourceType | undefined = () => undefined) {
    this.#unservedTypes = unservedTypes;
  }

  /** Adds or replaces the type of this group and plural. */
  set(type: ResourceType): void {
    this.#types.set(`${type.group}/${type.resource}`, type);
    this.#changed();
  }
  delete(group: string, resource: string): void {
    if (this.#types.delete(`${group}/${resource}`)) this.#changed();
  }
  /** Another one with every change of the set, and the same in forks: what is built from the types can be kept by it. */
  get edition(): object {
    return this.#edition;
  }
  #changed(): void {
    this.#edition = {};
  }

  /** Another registry of the same types. */
  fork(): ResourceRegistry {
    const fork = new ResourceRegistry(this.#unservedTypes);
    fork.#types = this.#types.fork();
    fork.#edition = this.#edition;
    return fork;
  }

  type(group: string, resource: string): ResourceType | undefined {
    return this.#types.get(`${group}/${resource}`);
  }
  /** A version of a type, served or not; undefined where no release had it. */
  everServed(group: string, version: string, resource: string): Endpoint | undefined {
    const type = this.type(group, resource);
    const own = type?.versions.get(version);
    if (type && own) return { type, version: own, subresource: undefined };
    if (type?.custom) return undefined;
    const unserved = this.#unservedTypes(group, resource);
    const found = unserved?.versions.get(version);
    return unserved && found && { type: unserved, version: found, subresource: undefined };
  }
  typeOfKind(group: string, kind: string): ResourceType | undefined {
    for (const type of this.#types.values()) if (type.group === group && type.kind === kind) return type;
    return undefined;
  }
  /** What a built-in kind of a version (`group/version`) looks like; undefined: it is not known. */
  schemaOf(apiVersion: string, kind: string): ObjectSchema | undefined {
    const asked = parseApiVersion(apiVersion);
    const type = asked && this.typeOfKind(asked.group, kind);
    return type?.custom ? undefined : type?.versions.get(asked?.version ?? '')?.schema;
  }
  types(): Iterable<ResourceType> {
    return this.#types.values();
  }
  /** Undefined when the version does not serve the resource or the subresource. */
  endpoint(group: string, version: string, resource: string, subresource = ''): Endpoint | undefined {
    const found = this.type(group, resource);
    const type = found?.versions.has(version) ? (found.seenIn?.(version) ?? found) : undefined;
    const served = type?.versions.get(version);
    if (!type || !served?.served) return undefined;
    if (!subresource) return { type, version: served, subresource: undefined };
    const part = served.subresources.find((one) => one.name === subresource);
    return part && { type, version: served, subresource: part };
  }
}
