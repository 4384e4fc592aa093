import type { ApiObject, OwnerReference } from '../api/object.ts';
import { LayeredMap } from '../collections/layeredMap.ts';
import type { ObjectAddress } from '../contracts/client.ts';

/** An object as far as the garbage collector needs to know it. */
export interface GraphNode {
  readonly address: ObjectAddress;
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  readonly deleting: boolean;
}

const copySet = (nodes: Set<GraphNode>): Set<GraphNode> => new Set(nodes);
const NO_NODES: ReadonlySet<GraphNode> = new Set();

/** Who owns whom, by uid; of objects that are bound to others or wait for something, which are few. */
export class OwnershipGraph {
  #byKey = new LayeredMap<string, GraphNode>();
  #byUid = new LayeredMap<string, GraphNode>();
  #dependents = new LayeredMap<string, Set<GraphNode>>();

  /** Another graph of the same objects. */
  fork(): OwnershipGraph {
    const fork = new OwnershipGraph();
    fork.#byKey = this.#byKey.fork();
    fork.#byUid = this.#byUid.fork();
    fork.#dependents = this.#dependents.fork();
    return fork;
  }

  /** Notes the state of an object; the node before, where there was one, is answered. */
  put(key: string, address: ObjectAddress, { metadata }: ApiObject): { now: GraphNode; before: GraphNode | undefined } {
    const before = this.remove(key);
    const now: GraphNode = {
      address,
      uid: metadata.uid ?? '',
      owners: metadata.ownerReferences ?? [],
      finalizers: metadata.finalizers ?? [],
      deleting: Boolean(metadata.deletionTimestamp),
    };
    this.#byKey.set(key, now);
    this.#byUid.set(now.uid, now);
    for (const { uid } of now.owners) {
      const dependents = this.#dependents.own(uid, copySet);
      if (dependents) dependents.add(now);
      else this.#dependents.set(uid, new Set([now]));
    }
    return { now, before };
  }

  /** Forgets an object; its node is answered. */
  remove(key: string): GraphNode | undefined {
    const node = this.#byKey.get(key);
    if (!node) return undefined;
    this.#byKey.delete(key);
    if (this.#byUid.get(node.uid) === node) this.#byUid.delete(node.uid);
    for (const { uid } of node.owners) {
      const dependents = this.#dependents.own(uid, copySet);
      dependents?.delete(node);
      if (dependents?.size === 0) this.#dependents.delete(uid);
    }
    return node;
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  node(uid: string): GraphNode | undefined {
    return this.#byUid.get(uid);
  }

  /** Objects that name an owner of this name: for owners of which nobody can tell the uid. */
  dependentsOfName(name: string): readonly GraphNode[] {
    return [...this.#byKey.values()].filter(({ owners }) => owners.some((owner) => owner.name === name));
  }

  /** Objects that name this uid among their owners, in the order in which they were noted. */
  dependents(uid: string): ReadonlySet<GraphNode> {
    return this.#dependents.get(uid) ?? NO_NODES;
  }
}
