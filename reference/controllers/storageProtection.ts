import type { ApiObject } from '../api/object.ts';
import { asJson } from '../api/object.ts';
import { objectOf, objectsOf, textOf } from '../api/parts.ts';
import { LayeredMap } from '../collections/layeredMap.ts';
import type { WorkQueue } from '../collections/workQueue.ts';
import type { Client, ObjectAddress } from '../contracts/client.ts';
import type { Controller, ControllerSite, StoreChange } from '../contracts/controller.ts';
import { readable } from '../contracts/readable.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';

const PODS = collectionPrefix({ group: '', resource: 'pods' });

/** What keeps objects of a type from going while something uses them. */
interface Protection {
  readonly resource: string;
  readonly finalizer: string;
  /** Whether something uses an object that is to go. */
  readonly inUse: (object: ApiObject, client: Client) => boolean | Promise<boolean>;
}

/** Claims stay while a pod that has a node names them. */
export function claimProtection(client: Client, queue: WorkQueue, labelDomain: string): Controller {
  const finalizer = `${labelDomain}/pvc-protection`;
  return new StorageProtection(client, queue, { resource: 'persistentvolumeclaims', finalizer, inUse: hasPod });
}

/** Volumes stay while they are bound to a claim. */
export function volumeProtection(client: Client, queue: WorkQueue, labelDomain: string): Controller {
  const finalizer = `${labelDomain}/pv-protection`;
  const inUse = (volume: ApiObject) => objectOf(volume.status).phase === 'Bound';
  return new StorageProtection(client, queue, { resource: 'persistentvolumes', finalizer, inUse });
}

async function hasPod(claim: ApiObject, client: Client): Promise<boolean> {
  const type = client.type('', 'pods');
  const pods = type ? await client.list(type, claim.metadata.namespace) : [];
  return pods.some((pod) => usesClaim(pod, claim));
}

/** A pod without a node uses nothing yet: nobody runs it, and whoever will must see its claims first. */
function usesClaim(pod: ApiObject, claim: ApiObject): boolean {
  const spec = objectOf(asJson(pod).spec);
  if (textOf(spec.nodeName) === '') return false;
  const name = claim.metadata.name ?? '';
  const own = claim.metadata.ownerReferences?.some(({ uid, controller }) => controller && uid === pod.metadata.uid);
  return objectsOf(spec.volumes).some((volume) => {
    if (objectOf(volume.persistentVolumeClaim).claimName === name) return true;
    return (
      own === true && 'ephemeral' in volume && `${pod.metadata.name}-${textOf(volume.name)}` === name && !isOver(pod)
    );
  });
}

/** Whether the containers of a pod have ended for good. */
function isOver({ metadata, status }: ApiObject): boolean {
  const { phase } = objectOf(status);
  if (phase === 'Succeeded' || phase === 'Failed') return true;
  return metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
}

/**
 * Gives objects of a type the finalizer that protects them, where admission has not, and takes it away from those that
 * are to go as soon as nothing uses them.
 */
class StorageProtection implements Controller {
  readonly #client: Client;
  readonly #queue: WorkQueue;
  readonly #protection: Protection;
  readonly #prefix: string;
  /** Objects that are to go and are still used, by key. */
  readonly #waiting: LayeredMap<string, ObjectAddress>;

  constructor(
    client: Client,
    queue: WorkQueue,
    protection: Protection,
    waiting = new LayeredMap<string, ObjectAddress>(),
  ) {
    this.#waiting = waiting;
    this.#client = client;
    this.#queue = queue;
    this.#protection = protection;
    this.#prefix = collectionPrefix({ group: '', resource: protection.resource });
  }

  fork({ client, queue }: ControllerSite): StorageProtection {
    return new StorageProtection(client, queue, this.#protection, this.#waiting.fork());
  }

  changed({ key, entry, deleted }: StoreChange): void {
    if (this.#waiting.size > 0 && key.startsWith(PODS)) {
      for (const [held, address] of this.#waiting) this.#consider(held, address);
    }
    if (!key.startsWith(this.#prefix)) return;
    this.#waiting.delete(key);
    const object = deleted ? undefined : readable(entry);
    const type = this.#client.type('', this.#protection.resource);
    if (!object || !type || this.#isProtected(object) !== (object.metadata.deletionTimestamp !== undefined)) return;
    const { namespace = '', name = '' } = object.metadata;
    this.#consider(key, { type, namespace, name });
  }

  #isProtected({ metadata }: ApiObject): boolean {
    return metadata.finalizers?.includes(this.#protection.finalizer) ?? false;
  }

  #consider(key: string, address: ObjectAddress): void {
    this.#queue.add(`${this.#protection.finalizer} ${key}`, () => this.#sync(key, address));
  }

  async #sync(key: string, address: ObjectAddress): Promise<void> {
    const { finalizer, inUse } = this.#protection;
    const object = await this.#client.get(address);
    const going = object?.metadata.deletionTimestamp !== undefined;
    if (!object || this.#isProtected(object) !== going) return;
    if (going && (await inUse(object, this.#client))) {
      this.#waiting.set(key, address);
      return;
    }
    this.#waiting.delete(key);
    await this.#client.change(address, (present) => {
      const { uid, deletionTimestamp, finalizers = [] } = present.metadata;
      if (uid !== object.metadata.uid || (deletionTimestamp !== undefined) !== going) return undefined;
      const others = finalizers.filter((one) => one !== finalizer);
      return { ...present, metadata: { ...present.metadata, finalizers: going ? others : [...others, finalizer] } };
    });
  }
}
