import { parseApiVersion } from '../api/groupVersion.ts';
import type { ApiObject, OwnerReference } from '../api/object.ts';
import { othersTurn, Pace } from '../api/staged.ts';
import type { WorkQueue } from '../collections/workQueue.ts';
import type { Services } from '../contracts/call.ts';
import type { Client, ObjectAddress } from '../contracts/client.ts';
import type { Controller, ControllerSite, StoreChange } from '../contracts/controller.ts';
import type { Entry } from '../contracts/entry.ts';
import { hasOwnersOrFinalizers } from '../contracts/ownersAndFinalizers.ts';
import { readable } from '../contracts/readable.ts';
import { UnreadableObject } from '../contracts/store.ts';
import { addressOf } from '../contracts/storedKey.ts';
import { FOREGROUND, ORPHAN } from '../objects/metadataValidation.ts';
import { type GraphNode, OwnershipGraph } from './ownershipGraph.ts';

/** Entries that long work passes in the time in which an owner is looked for. */
const OF_A_LOOK = 16;

/** What becomes of an owner reference when the owner is looked for. */
type OwnerState = 'solid' | 'absent' | 'waiting' | 'unknown';

/**
 * Deletes objects whose owners are gone, and ends deletions that wait for it: Foreground waits until the dependents
 * that block are gone, Orphan until no dependent names the owner any more
 * (1/operations-of-the-cluster-role-binding-and-validating-webhook-configuration-families/t1.6).
 */
export class GarbageCollector implements Controller {
  readonly #services: Services;
  readonly #client: Client;
  readonly #queue: WorkQueue;
  readonly #graph: OwnershipGraph;

  constructor(services: Services, client: Client, queue: WorkQueue, graph = new OwnershipGraph()) {
    this.#services = services;
    this.#client = client;
    this.#queue = queue;
    this.#graph = graph;
  }

  fork({ services, client, queue }: ControllerSite): GarbageCollector {
    return new GarbageCollector(services, client, queue, this.#graph.fork());
  }

  changed({ key, entry, deleted }: StoreChange): void {
    if (!deleted && !this.#graph.has(key) && !isKnownBound(entry)) return;
    const address = addressOf(this.#services.registry, key);
    if (!address || isEvent(address)) return;
    const object = readable(entry);
    if (deleted) {
      this.#gone(this.#graph.remove(key), address.name, object);
      return;
    }
    if (!object) return;
    const { now, before } = this.#graph.put(key, address, object);
    if (now.deleting && now.finalizers.includes(ORPHAN)) this.#later('orphan', now, () => this.#orphan(now));
    else if (now.deleting && now.finalizers.includes(FOREGROUND)) this.#waitFor(now);
    if (now.owners.length > 0) this.#judgeLater(now);
    // An owner may wait for a dependent that no longer names it, or no longer blocks.
    for (const { uid } of before?.owners ?? []) this.#wake(uid);
    if (!hasOwnersOrFinalizers(object)) this.#graph.remove(key);
  }

  /** @param object as it was last; undefined where nobody could read it any more */
  #gone(node: GraphNode | undefined, name: string, object: ApiObject | undefined): void {
    const uid = object?.metadata.uid ?? node?.uid;
    const dependents = uid === undefined ? this.#graph.dependentsOfName(name) : this.#graph.dependents(uid);
    for (const dependent of dependents) this.#judgeLater(dependent);
    for (const owner of node?.owners ?? []) this.#wake(owner.uid);
  }

  #wake(uid: string): void {
    const owner = this.#graph.node(uid);
    if (owner?.deleting && owner.finalizers.includes(FOREGROUND)) this.#waitFor(owner);
  }

  #waitFor(owner: GraphNode): void {
    this.#later('foreground', owner, () => this.#foreground(owner));
  }

  #judgeLater(node: GraphNode): void {
    this.#later('judge', node, () => this.#judge(node));
  }

  #later(what: string, node: GraphNode, work: () => Promise<void>): void {
    this.#queue.add(`garbage/${what}/${node.uid}`, work);
  }

  /** Deletes an object none of whose owners is left, or takes those that are gone from its references. */
  async #judge({ address, uid }: GraphNode): Promise<void> {
    const object = await this.#client.get(address);
    if (object?.metadata.uid !== uid) return;
    const { ownerReferences = [], finalizers = [], deletionTimestamp } = object.metadata;
    if (ownerReferences.length === 0 || deletionTimestamp) return;
    const states = new Map<OwnerReference, OwnerState>();
    const pace = new Pace();
    for (const owner of ownerReferences) {
      states.set(owner, await this.#stateOf(owner, address));
      if (pace.due(OF_A_LOOK)) await othersTurn();
    }
    const all = [...states.values()];
    if (all.includes('unknown')) return;
    if (all.includes('solid')) {
      const gone = ownerReferences.filter((owner) => states.get(owner) !== 'solid').map((owner) => owner.uid);
      if (gone.length > 0) await this.#client.change(address, (one) => withoutOwners(one, gone));
      return;
    }
    const ownsSomething = this.#graph.dependents(uid).size > 0;
    if (all.includes('waiting') && ownsSomething) {
      await this.#client.remove(address, uid, 'Foreground');
    } else if (finalizers.includes(ORPHAN)) await this.#client.remove(address, uid, 'Orphan');
    else await this.#client.remove(address, uid, finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background');
  }

  /** An owner is looked for by its name, in the namespace of the dependent, and must have the uid. */
  async #stateOf(owner: OwnerReference, dependent: ObjectAddress): Promise<OwnerState> {
    const group = parseApiVersion(owner.apiVersion)?.group;
    const type = group === undefined ? undefined : this.#services.registry.typeOfKind(group, owner.kind);
    // Nobody can say whether an owner of an unknown kind is there; nor has a cluster-scoped object a namespaced owner.
    if (!type || (type.namespaced && !dependent.namespace)) return 'unknown';
    const namespace = type.namespaced ? dependent.namespace : '';
    const object = await this.#client.get({ type, namespace, name: owner.name });
    if (object?.metadata.uid !== owner.uid) return 'absent';
    const { deletionTimestamp, finalizers } = object.metadata;
    return deletionTimestamp && finalizers?.includes(FOREGROUND) ? 'waiting' : 'solid';
  }

  /** Deletes the dependents of an owner that waits for them, and lets it go when none blocks any more. */
  async #foreground(owner: GraphNode): Promise<void> {
    const blocking = [...this.#graph.dependents(owner.uid)].filter((dependent) =>
      dependent.owners.some(({ uid, blockOwnerDeletion }) => uid === owner.uid && blockOwnerDeletion),
    );
    for (const dependent of this.#graph.dependents(owner.uid)) if (!dependent.deleting) this.#judgeLater(dependent);
    if (blocking.length === 0) await this.#release(owner, FOREGROUND);
  }

  /** Takes an owner out of its dependents' references, and lets it go. */
  async #orphan(owner: GraphNode): Promise<void> {
    for (const { address } of [...this.#graph.dependents(owner.uid)]) {
      await this.#client.change(address, (object) => withoutOwners(object, [owner.uid]));
    }
    await this.#release(owner, ORPHAN);
  }

  async #release({ address, uid }: GraphNode, finalizer: string): Promise<void> {
    await this.#client.change(address, (object) => {
      const { metadata } = object;
      if (metadata.uid !== uid || !metadata.finalizers?.includes(finalizer)) return undefined;
      const left = metadata.finalizers.filter((name) => name !== finalizer);
      if (left.length > 0) metadata.finalizers = left;
      else delete metadata.finalizers;
      return object;
    });
  }
}

/** Whether an entry is bound, as far as it can be read: most are not, and need not be read for it. */
function isKnownBound(entry: Entry): boolean {
  try {
    return entry.bound;
  } catch (error) {
    if (error instanceof UnreadableObject) return false;
    throw error;
  }
}

/** Events own nothing and are owned by nobody. */
function isEvent({ type }: ObjectAddress): boolean {
  return type.resource === 'events';
}

function withoutOwners(object: ApiObject, uids: readonly string[]): ApiObject | undefined {
  const owners = object.metadata.ownerReferences ?? [];
  const gone = new Set(uids);
  const left = owners.filter(({ uid }) => !gone.has(uid));
  if (left.length === owners.length) return undefined;
  if (left.length > 0) object.metadata.ownerReferences = left;
  else delete object.metadata.ownerReferences;
  return object;
}
