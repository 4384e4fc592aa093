import { MARK, type ObjectSight } from '../history/format.ts';
import type { Draws } from '../suites/crash/plan.ts';
import { isRecord } from '../suites/harness/json.ts';
import { ACTS, type Act, type Mix } from './mix.ts';
import type { Answered, Wire } from './server.ts';

export const FINALIZER = 'touchstone.example/hold';
export const TEAMS = ['red', 'blue'] as const;

/** Where all clients of a storm write. */
export interface Place {
  readonly collection: string;
  readonly namespace: string;
}

/** A client that reads and writes, one act after the other, each at one of the servers. */
export class StormClient {
  readonly name: string;
  readonly #wires: readonly Wire[];
  readonly #draws: Draws;
  readonly #mix: Mix;
  readonly #place: Place;
  readonly #acts: readonly Act[];
  /** The objects as this client last saw them, by name. */
  readonly #seen = new Map<string, Record<string, unknown>>();
  /** Versions of collections and objects that this client was told, the latest last. */
  readonly #versions: string[] = [];
  #writes = 0;

  constructor(name: string, wires: readonly Wire[], draws: Draws, mix: Mix, place: Place) {
    this.name = name;
    this.#wires = wires;
    this.#draws = draws;
    this.#mix = mix;
    this.#place = place;
    this.#acts = ACTS.flatMap((act) => Array.from({ length: mix.acts[act] ?? 0 }, () => act));
  }

  async act(): Promise<void> {
    const act = this.#draws.one(this.#acts);
    const name = `o${this.#draws.below(this.#mix.objects)}`;
    const wire = this.#draws.one(this.#wires);
    if (act.startsWith('list') || act === 'walk') return this.#list(act, wire);
    if (act.startsWith('get')) return this.#get(act, name, wire);
    return this.#write(act, name, wire);
  }

  async #get(act: Act, name: string, wire: Wire): Promise<void> {
    const since = this.#versions.at(-1);
    const query =
      act === 'get-any' ? '?resourceVersion=0' : act === 'get-since' && since ? `?resourceVersion=${since}` : '';
    this.#learn(name, await wire.send('GET', `${this.#place.collection}/${name}${query}`));
  }

  async #list(act: Act, wire: Wire): Promise<void> {
    const path = this.#place.collection;
    const since = this.#versions.at(-1);
    const past = this.#versions.length > 0 ? this.#draws.one(this.#versions) : undefined;
    if (act === 'walk') return this.#walk(wire);
    const query =
      act === 'list-any'
        ? '?resourceVersion=0'
        : act === 'list-since' && since
          ? `?resourceVersion=${since}&resourceVersionMatch=NotOlderThan`
          : act === 'list-exact' && past
            ? `?resourceVersion=${past}&resourceVersionMatch=Exact`
            : act === 'list-selected'
              ? `?labelSelector=team%3D${this.#draws.one(TEAMS)}`
              : '';
    const { seen } = await wire.send('GET', `${path}${query}`);
    if (seen?.items && seen.version !== undefined) this.#remember(seen.version);
  }
  /** Chunk by chunk, from whichever server. */
  async #walk(first: Wire): Promise<void> {
    let wire = first;
    let token: string | undefined;
    do {
      const more = token === undefined ? '' : `&continue=${encodeURIComponent(token)}`;
      const answer = await wire.send('GET', `${this.#place.collection}?limit=${3 + this.#draws.below(5)}${more}`);
      token = answer.status === 200 ? answer.seen?.continue : undefined;
      wire = this.#draws.one(this.#wires);
    } while (token !== undefined && token !== '');
  }

  async #write(act: Act, name: string, wire: Wire): Promise<void> {
    const path = `${this.#place.collection}/${name}`;
    this.#writes += 1;
    const mark = `${this.name}-${this.#writes}`;
    const known = this.#seen.get(name);
    const change = {
      metadata: { annotations: { [MARK]: mark }, labels: { team: this.#draws.one(TEAMS) } },
      data: { by: mark },
    };
    const sent = { name, mark };
    switch (act) {
      case 'create':
        return this.#learn(
          name,
          await wire.send('POST', this.#place.collection, { body: this.#object(name, change), sent }),
        );
      case 'hold': {
        const held = this.#object(name, change, { finalizers: [FINALIZER] });
        return this.#learn(name, await wire.send('POST', this.#place.collection, { body: held, sent }));
      }
      case 'update': {
        const metadata = isRecord(known?.metadata) ? known.metadata : undefined;
        if (!known || !metadata) return this.#get('get', name, wire);
        const version = String(metadata.resourceVersion);
        const body = { ...known, ...change, metadata: { ...metadata, ...change.metadata } };
        return this.#learn(name, await wire.send('PUT', path, { body, sent: { ...sent, version } }));
      }
      case 'replace':
        return this.#learn(name, await wire.send('PUT', path, { body: this.#object(name, change), sent }));
      case 'json': {
        const annotation = `/metadata/annotations/${MARK.replaceAll('/', '~1')}`;
        const operations = [
          { op: 'add', path: annotation, value: mark },
          { op: 'add', path: '/data/json', value: mark },
        ];
        return this.#learn(
          name,
          await wire.send('PATCH', path, {
            contentType: 'application/json-patch+json',
            body: operations,
            sent: { mark },
          }),
        );
      }
      case 'apply': {
        const query = `?fieldManager=${this.name}&force=true`;
        const body = this.#object(name, change);
        return this.#learn(
          name,
          await wire.send('PATCH', `${path}${query}`, { contentType: 'application/apply-patch+yaml', body, sent }),
        );
      }
      case 'delete':
        return this.#delete(name, path, wire);
      default: {
        const contentType =
          act === 'strategic' ? 'application/strategic-merge-patch+json' : 'application/merge-patch+json';
        return this.#learn(name, await wire.send('PATCH', path, { contentType, body: change, sent: { mark } }));
      }
    }
  }
  /** What holds an object is let go of at once, or left to whoever deletes it next. */
  async #delete(name: string, path: string, wire: Wire): Promise<void> {
    const answer = await wire.send('DELETE', path);
    this.#seen.delete(name);
    const held = answer.seen?.object?.leaving === true && !answer.seen.object.gone;
    if (!held || this.#draws.below(3) === 0) return;
    this.#writes += 1;
    const mark = `${this.name}-${this.#writes}`;
    const body = { metadata: { finalizers: null, annotations: { [MARK]: mark } } };
    await wire.send('PATCH', path, { contentType: 'application/merge-patch+json', body, sent: { mark } });
  }

  #object(name: string, change: { readonly metadata: object; readonly data: object }, more: object = {}): object {
    const metadata = { name, ...change.metadata, ...more };
    return { apiVersion: 'v1', kind: 'ConfigMap', ...change, metadata };
  }
  #learn(name: string, { status, seen, json }: Answered): void {
    const object: ObjectSight | undefined = seen?.object;
    if (status === 404 || object?.gone) this.#seen.delete(name);
    if (!object || object.gone || !isRecord(json)) return;
    this.#seen.set(name, json);
    this.#remember(object.version);
  }
  #remember(version: string): void {
    this.#versions.push(version);
    if (this.#versions.length > 40) this.#versions.shift();
  }
}
