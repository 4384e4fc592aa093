import { setImmediate as nextTurn } from 'node:timers/promises';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import type { Follow } from '../../fixtures/follow.ts';
import { ANONYMOUS } from '../api/identity.ts';
import type { ApiObject } from '../api/object.ts';
import { parseQuery } from '../api/query.ts';
import type { ResourceRequest, Verb } from '../api/request.ts';
import type { WatchAnswer, WatchEvent, WatchSink } from '../contracts/answer.ts';
import type { Call, Services } from '../contracts/call.ts';
import { type Endpoint, ResourceRegistry } from '../contracts/resourceRegistry.ts';
import type { ResourceType, TypeVersion } from '../contracts/resourceType.ts';
import type { Store } from '../contracts/store.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { FIELD_OWNERSHIP } from '../fields/fieldOwnership.ts';
import { SeededRandom } from '../random.ts';
import { MemoryStore } from '../storage/memory.ts';
import type { Retention } from '../storage/multiVersion.ts';
import { VirtualClock } from '../time.ts';

/** A store with one type in it, and calls to that type: the least in which reads can be rehearsed in tests. */
export interface Fixture {
  readonly clock: VirtualClock;
  readonly store: MemoryStore;
  readonly type: ResourceType;
  call(verb: Verb, query?: string, where?: { namespace?: string; name?: string }): Call;
  /** Writes an object as it is; answers its revision. */
  put(namespace: string, name: string, rest?: { labels?: Record<string, string>; text?: string }): number;
  remove(namespace: string, name: string): number;
}
export interface SceneOptions {
  readonly type?: Partial<ResourceType>;
  readonly version?: Partial<TypeVersion>;
  readonly follow?: Follow;
  readonly gates?: Readonly<Record<string, boolean>>;
  readonly store?: Partial<Retention>;
  /** Stands between the calls and the store. */
  readonly around?: (store: Store) => Store;
}

export function readingFixture(options: SceneOptions = {}): Fixture {
  const clock = new VirtualClock();
  const store = new MemoryStore({ clock, ...options.store });
  const version: TypeVersion = {
    version: 'v1',
    served: true,
    verbs: ['get', 'list', 'watch'],
    schema: { kind: 'object', fields: new Map(), mapType: 'granular', preserveUnknown: true },
    subresources: [],
    columns: undefined,
    ...options.version,
  };
  const type: ResourceType = {
    group: 'g.example.com',
    resource: 'things',
    singular: 'thing',
    kind: 'Thing',
    listKind: 'ThingList',
    namespaced: true,
    shortNames: [],
    categories: [],
    versions: new Map([['v1', version]]),
    storageVersion: 'v1',
    strategy: { validateName: () => [] },
    custom: false,
    ...options.type,
  };
  const endpoint: Endpoint = { type, version, subresource: undefined };
  const services: Services = {
    store: options.around?.(store) ?? store,
    registry: new ResourceRegistry(),
    clock,
    random: new SeededRandom(1),
    dialect: kubernetes,
    admission: { name: 'none' },
    ownership: FIELD_OWNERSHIP,
    shortestWatch: 30 * 60_000,
    authorizer: { name: 'all', authorize: () => ({ decision: 'allow', reason: '', by: 'all' }) },
    operations: { types: {}, subresources: {} },
    follow: options.follow ?? 'spec',
    gate: (name) => options.gates?.[name] ?? true,
  };
  const revisionOf = (namespace: string, name: string, object: ApiObject | null) => {
    const key = objectKey(type, namespace, name);
    const result = store.commit({ key, expected: store.get(key)?.modRevision ?? 0, object });
    if (!result.committed) throw new Error(`${key} is not as expected`);
    return result.revision;
  };
  return {
    clock,
    store,
    type,
    put: (namespace, name, { labels, text = '' } = {}) =>
      revisionOf(namespace, name, {
        apiVersion: 'g.example.com/v1',
        kind: 'Thing',
        metadata: { name, ...(namespace ? { namespace } : {}), ...(labels ? { labels } : {}) },
        text,
      }),
    remove: (namespace, name) => revisionOf(namespace, name, null),
    call: (verb, query = '', { namespace = '', name = '' } = {}) => ({
      endpoint,
      services,
      exchange: {
        request: {
          method: 'GET',
          path: '/',
          target: `/?${query}`,
          query: parseQuery(query),
          headers: {},
          remoteAddress: '127.0.0.1',
          secure: false,
          peerCertificate: undefined,
          headerLines: undefined,
          signal: new AbortController().signal,
          body: async () => new Uint8Array(),
        },
        info: infoOf(type, verb, namespace, name),
        user: ANONYMOUS,
        warnings: { add: () => undefined, list: () => [] },
        audit: new Map(),
        trace: undefined,
      },
    }),
  };
}

function infoOf({ group, resource }: ResourceType, verb: Verb, namespace: string, name: string): ResourceRequest {
  const at = { group, version: 'v1', resource, subresource: '', namespace, below: namespace, name };
  return { isResource: true, verb, path: `/${resource}${name && `/${name}`}`, rest: [], ...at };
}

/** A reader of a watch, which keeps what it gets as short texts: `ADDED ns/a 1001 text`. */
export class Reader implements WatchSink {
  readonly events: WatchEvent[] = [];
  readonly close: () => void;
  ended = false;
  /** Whether it keeps up; while it does not, events are still taken. */
  quick = true;
  readonly whenReady: ((resume: () => void) => void) | undefined;
  #resume: (() => void) | undefined;

  /** @param patient whether it can be asked to tell when it has caught up */
  constructor(answer: WatchAnswer, { quick = true, patient = false } = {}) {
    this.quick = quick;
    this.whenReady = patient
      ? (resume) => {
          this.#resume = resume;
        }
      : undefined;
    this.close = answer.open(this).close;
  }
  event(event: WatchEvent): boolean {
    if (this.ended) throw new Error('an event after the end');
    this.events.push(event);
    return this.quick;
  }
  end(): void {
    this.ended = true;
  }
  /** Tells the watch that one more event can be taken, and waits for it. */
  async catchUp(): Promise<void> {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
    await nextTurn();
  }
  get texts(): string[] {
    return this.events.map(tellEvent);
  }
}

export function tellEvent(event: WatchEvent): string {
  if (event.type === 'ERROR') return `ERROR ${event.error.code} ${event.error.message}`;
  if (event.type === 'BOOKMARK') return `BOOKMARK ${event.revision}${event.initialEventsEnd ? ' end of initial' : ''}`;
  const { metadata, text } = event.entry.object;
  const place = metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name;
  return `${event.type} ${place} ${metadata.resourceVersion}${text ? ` ${text}` : ''}`;
}
