import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { isObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { LayeredMap } from '../collections/layeredMap.ts';
import { readable } from '../contracts/readable.ts';
import type { Store } from '../contracts/store.ts';
import { Follower, type Forked, type StoreChange } from '../contracts/storeFollower.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';
import { podReferences, referenceKey, volumeReferences } from '../objects/podReferences.ts';
import type { Clock } from '../time.ts';

/** Keys to the keys that point at them. */
class Pointers {
  readonly #sources: LayeredMap<string, Set<string>>;

  constructor(sources = new LayeredMap<string, Set<string>>()) {
    this.#sources = sources;
  }
  fork(): Pointers {
    return new Pointers(this.#sources.fork());
  }
  add(target: string, source: string): void {
    const sources = this.#sources.own(target, copySet);
    if (sources) sources.add(source);
    else this.#sources.set(target, new Set([source]));
  }
  delete(target: string, source: string): void {
    const sources = this.#sources.own(target, copySet);
    if (sources?.delete(source) && sources.size === 0) this.#sources.delete(target);
  }
  of(target: string): Iterable<string> {
    return this.#sources.get(target) ?? [];
  }
}

const copySet = (texts: Set<string>): Set<string> => new Set(texts);

interface PodEdges {
  readonly node: string;
  readonly references: ReadonlySet<string>;
}

/**
 * Which objects have to do with which node (2/node-authorization/2): a node with its pods, a pod with what it needs, a
 * claim with its volume, a volume with its secrets; kept up to date from the store.
 */
export class NodeGraph {
  readonly #mirrorAnnotation: string;
  readonly #followers: readonly Follower[];
  readonly #pods: LayeredMap<string, PodEdges>;
  readonly #podsOf: Pointers;
  readonly #volumes: LayeredMap<string, { readonly claim: string; readonly secrets: readonly string[] }>;
  readonly #volumesOf: Pointers;
  /** Objects that name their node themselves: attachments of volumes, slices of resources. */
  readonly #nodeOf: LayeredMap<string, string>;

  /** @param from the graph of the store that this one was forked from */
  constructor(store: Store, dialect: Dialect, clock: Clock, from?: Forked<NodeGraph>) {
    const { of: graph, revision = 0 } = from ?? {};
    this.#pods = graph ? graph.#pods.fork() : new LayeredMap();
    this.#podsOf = graph ? graph.#podsOf.fork() : new Pointers();
    this.#volumes = graph ? graph.#volumes.fork() : new LayeredMap();
    this.#volumesOf = graph ? graph.#volumesOf.fork() : new Pointers();
    this.#nodeOf = graph ? graph.#nodeOf.fork() : new LayeredMap();
    this.#mirrorAnnotation = `${dialect.labelDomain}/config.mirror`;
    const storage = groupName(dialect, 'storage');
    const resources = groupName(dialect, 'resource');
    const direct = (resource: string) => (name: string, object: ApiObject | undefined) => {
      const node = isObject(object?.spec) ? object.spec.nodeName : undefined;
      if (typeof node === 'string') this.#nodeOf.set(`${resource}//${name}`, node);
      else this.#nodeOf.delete(`${resource}//${name}`);
    };
    const sources: { prefix: string; apply: (name: string, object: ApiObject | undefined) => void }[] = [
      { prefix: collectionPrefix({ group: '', resource: 'pods' }), apply: (name, pod) => this.#setPod(name, pod) },
      {
        prefix: collectionPrefix({ group: '', resource: 'persistentvolumes' }),
        apply: (name, volume) => this.#setVolume(name, volume),
      },
      {
        prefix: collectionPrefix({ group: storage, resource: 'volumeattachments' }),
        apply: direct('volumeattachments'),
      },
      { prefix: collectionPrefix({ group: resources, resource: 'resourceslices' }), apply: direct('resourceslices') },
    ];
    const before = graph ? graph.#followers : [];
    this.#followers = sources.map(({ prefix, apply }, at) => {
      const changed = ({ key, entry, deleted }: StoreChange) =>
        apply(key.slice(prefix.length), deleted ? undefined : readable(entry));
      return before[at]?.fork(store, revision, clock, changed) ?? new Follower(store, prefix, clock, changed);
    });
  }

  /** Reads what is stored and follows every change from then on. */
  async start(): Promise<void> {
    for (const follower of this.#followers) await follower.start();
  }
  stop(): void {
    for (const follower of this.#followers) follower.stop();
  }

  /** Whether an object has to do with a node; `namespace` is empty for cluster-scoped ones. */
  related(node: string, resource: string, namespace: string, name: string): boolean {
    const key = referenceKey(resource, namespace, name);
    switch (resource) {
      case 'pods':
        return this.#pods.get(`${namespace}/${name}`)?.node === node;
      case 'volumeattachments':
      case 'resourceslices':
        return this.#nodeOf.get(key) === node;
      case 'persistentvolumes':
        return this.#onNode(this.#volumes.get(name)?.claim, node);
      default:
        if (this.#onNode(key, node)) return true;
        for (const volume of this.#volumesOf.of(key)) {
          if (this.#onNode(this.#volumes.get(volume)?.claim, node)) return true;
        }
        return false;
    }
  }

  #onNode(reference: string | undefined, node: string): boolean {
    if (reference === undefined) return false;
    for (const pod of this.#podsOf.of(reference)) if (this.#pods.get(pod)?.node === node) return true;
    return false;
  }

  #setPod(key: string, pod: ApiObject | undefined): void {
    for (const reference of this.#pods.get(key)?.references ?? []) this.#podsOf.delete(reference, key);
    this.#pods.delete(key);
    const node = isObject(pod?.spec) ? pod.spec.nodeName : undefined;
    if (!pod || typeof node !== 'string' || node === '') return;
    // A mirror pod is the node's own doing: what it names must not become readable by that.
    const mirror = pod.metadata.annotations && Object.hasOwn(pod.metadata.annotations, this.#mirrorAnnotation);
    const references = mirror ? new Set<string>() : podReferences(pod);
    this.#pods.set(key, { node, references });
    for (const reference of references) this.#podsOf.add(reference, key);
  }

  #setVolume(name: string, volume: ApiObject | undefined): void {
    for (const secret of this.#volumes.get(name)?.secrets ?? []) this.#volumesOf.delete(secret, name);
    this.#volumes.delete(name);
    const edges = volume && volumeReferences(volume);
    if (!edges) return;
    this.#volumes.set(name, edges);
    for (const secret of edges.secrets) this.#volumesOf.add(secret, name);
  }
}
