import { MARK, type ObjectSight } from '../history/format.ts';
import type { Draws } from '../suites/crash/plan.ts';
import { isRecord } from '../suites/harness/json.ts';
import { ACTS, type Act, type Mix } from './mix.ts';
import type { Answered, Sending, Wire } from './server.ts';
import { askerOf, labelsOf, type StormPlace, type StormSite, type StormView } from './site.ts';
import { type Asker, inShares, type StormUser } from './users.ts';

export const FINALIZER = 'touchstone.example/hold';
export const TEAMS = ['red', 'blue'] as const;

/** Acts that only look. */
const LOOKS: ReadonlySet<Act> = new Set(ACTS.filter((act) => act === 'walk' || /^(get|list)/.test(act)));
/** One in so many acts that a user has no right to is tried all the same. */
const DARING = 4;

/** Somebody about to do something somewhere, at one of the servers. */
interface Scene {
  readonly place: StormPlace;
  readonly wire: Wire;
  readonly by: Asker;
  readonly name: string;
}

/** A client that reads and writes, one act after the other, each at one of the servers and as one of the users. */
export class StormClient {
  readonly name: string;
  readonly #wires: readonly Wire[];
  readonly #draws: Draws;
  readonly #mix: Mix;
  readonly #site: StormSite;
  readonly #acts: readonly Act[];
  /** Each as often as it is drawn. */
  readonly #places: readonly StormPlace[];
  readonly #users: readonly StormUser[];
  /** The objects as this client last saw them, by path. */
  readonly #seen = new Map<string, Record<string, unknown>>();
  /** Versions of collections and objects that this client was told, the latest last, by resource. */
  readonly #versions = new Map<string, string[]>();
  #writes = 0;

  constructor(name: string, wires: readonly Wire[], draws: Draws, mix: Mix, site: StormSite) {
    this.name = name;
    this.#wires = wires;
    this.#draws = draws;
    this.#mix = mix;
    this.#site = site;
    this.#acts = ACTS.flatMap((act) => Array.from({ length: mix.acts[act] ?? 0 }, () => act));
    // Half of all happens in one place, so that many meet there however many places there are.
    const [main, ...others] = site.places;
    this.#places = main ? [...Array.from({ length: Math.max(1, others.length) }, () => main), ...others] : [];
    this.#users = inShares(site.users);
  }

  async act(): Promise<void> {
    const act = this.#draws.one(this.#acts);
    const place = this.#draws.one(this.#places);
    const wire = this.#draws.one(this.#wires);
    if (!act.startsWith('get') && LOOKS.has(act)) return this.#look(act, place, wire);
    const by = this.#asker({ writes: !LOOKS.has(act), first: place.first });
    const objects = place === this.#site.places[0] ? this.#mix.objects : Math.max(2, Math.ceil(this.#mix.objects / 4));
    const scene = { place, wire, by, name: `${place.prefix}o${this.#draws.below(objects)}` };
    return act.startsWith('get') ? this.#get(act, scene) : this.#write(act, scene);
  }

  /** Somebody who may do it, or else now and then somebody who may not. */
  #asker(about: { readonly writes: boolean; readonly first: boolean }): Asker {
    const by = askerOf(this.#site, this.#draws.one(this.#users), about);
    return by.denied && this.#draws.below(DARING) > 0 ? askerOf(this.#site, 'admin', about) : by;
  }

  async #get(act: Act, scene: Scene): Promise<void> {
    const since = this.#versionsOf(scene.place.views[0]).at(-1);
    const query =
      act === 'get-any' ? '?resourceVersion=0' : act === 'get-since' && since ? `?resourceVersion=${since}` : '';
    this.#learn(scene, await this.#send(scene, 'GET', query));
  }

  /** Lists a collection, or the whole of its type. */
  async #look(act: Act, { views }: StormPlace, wire: Wire): Promise<void> {
    const [own, wide] = views as readonly [StormView, StormView?];
    const view = wide && this.#draws.below(4) === 0 ? wide : own;
    const by = this.#asker({ writes: false, first: view.first });
    if (by.denied && this.#draws.below(2) === 0) return this.#peep(view, wire, by);
    const versions = this.#versionsOf(view);
    const since = versions.at(-1);
    const past = versions.length > 0 ? `resourceVersion=${this.#draws.one(versions)}&resourceVersionMatch=Exact` : '';
    if (act === 'walk') return this.#walk(view, wire, by, this.#draws.below(4) === 0 ? past : '');
    const version =
      act === 'list-any'
        ? 'resourceVersion=0'
        : act === 'list-since' && since
          ? // Which says the same with its match and without.
            `resourceVersion=${since}${this.#draws.below(2) === 0 ? '&resourceVersionMatch=NotOlderThan' : ''}`
          : act === 'list-exact'
            ? past
            : '';
    const selector = act === 'list-selected' ? selecting(view, this.#draws.one(TEAMS)) : view.selector;
    const { seen } = await wire.send('GET', pathWith(view.collection, [selector, version]), { by });
    if (seen?.items && seen.version !== undefined) remember(versions, seen.version);
  }
  /** Chunk by chunk, from whichever server; the first at a version, if one is named. */
  async #walk({ collection, selector }: StormView, first: Wire, by: Asker, version: string): Promise<void> {
    let wire = first;
    let token: string | undefined;
    do {
      const more = token === undefined ? version : `continue=${encodeURIComponent(token)}`;
      const path = pathWith(collection, [selector, `limit=${3 + this.#draws.below(5)}`, more]);
      const answer = await wire.send('GET', path, { by });
      token = answer.status === 200 ? answer.seen?.continue : undefined;
      wire = this.#draws.one(this.#wires);
    } while (token !== undefined && token !== '');
  }
  /** Tries to watch what the user has no right to. */
  async #peep({ collection, selector }: StormView, wire: Wire, by: Asker): Promise<void> {
    const stop = new AbortController();
    const path = pathWith(collection, ['watch=true&timeoutSeconds=1', selector]);
    const opened = await wire.open(path, AbortSignal.any([stop.signal, AbortSignal.timeout(LONGEST_PEEP)]), by);
    if ('number' in opened) {
      wire.left(opened.number);
      stop.abort();
      await opened.documents.next().catch(() => undefined);
    }
  }

  #send(
    { place, wire, by, name }: Scene,
    method: string,
    query = '',
    more: Omit<Sending, 'by'> = {},
  ): Promise<Answered> {
    const path = method === 'POST' ? place.collection : `${place.collection}/${name}${query}`;
    return wire.send(method, path, { ...more, by });
  }

  async #write(act: Act, scene: Scene): Promise<void> {
    const { place, name } = scene;
    const { type } = place;
    if (act === 'delete') return this.#delete(scene);
    const mark = this.#mark();
    const known = this.#seen.get(pathOf(scene));
    const labels = { ...labelsOf(this.#site.name), team: this.#draws.one(TEAMS) };
    const metadata = { annotations: { [MARK]: mark }, labels };
    const change = { metadata, ...type.content(mark) };
    const whole = (more: object = {}): object => ({
      apiVersion: place.apiVersion,
      kind: type.kind.kind,
      ...change,
      metadata: { name, ...metadata, ...more },
    });
    const sent = { name, mark };
    const send = async (method: string, more: Omit<Sending, 'by'>, query = ''): Promise<void> =>
      this.#learn(scene, await this.#send(scene, method, query, more));
    switch (act) {
      case 'create':
        return send('POST', { body: whole(), sent });
      case 'hold':
        return send('POST', { body: whole({ finalizers: [FINALIZER] }), sent });
      case 'update': {
        const old = isRecord(known?.metadata) ? known.metadata : undefined;
        if (!known || !old) {
          const by = askerOf(this.#site, scene.by.user, { writes: false, first: place.first });
          return this.#get('get', { ...scene, by });
        }
        const version = String(old.resourceVersion);
        return send('PUT', {
          body: { ...known, ...change, metadata: { ...old, ...metadata } },
          sent: { ...sent, version },
        });
      }
      case 'replace':
        return send('PUT', { body: whole(), sent });
      case 'json': {
        const annotation = `/metadata/annotations/${MARK.replaceAll('/', '~1')}`;
        const body = [
          { op: 'add', path: annotation, value: mark },
          { op: 'add', path: type.pointer, value: mark },
        ];
        return send('PATCH', { contentType: 'application/json-patch+json', body, sent: { mark } });
      }
      case 'apply':
        return send(
          'PATCH',
          { contentType: 'application/apply-patch+yaml', body: whole(), sent },
          `?fieldManager=${this.name}&force=true`,
        );
      default: {
        const strategic = act === 'strategic' && !type.custom;
        const contentType = `application/${strategic ? 'strategic-' : ''}merge-patch+json`;
        return send('PATCH', { contentType, body: change, sent: { mark } });
      }
    }
  }
  /** What holds an object is let go of at once, or left to whoever deletes it next. */
  async #delete(scene: Scene): Promise<void> {
    const answer = await this.#send(scene, 'DELETE');
    this.#seen.delete(pathOf(scene));
    const held = answer.seen?.object?.leaving === true && !answer.seen.object.gone;
    if (!held || this.#draws.below(3) === 0) return;
    const mark = this.#mark();
    const body = { metadata: { finalizers: null, annotations: { [MARK]: mark } } };
    await this.#send(scene, 'PATCH', '', { contentType: 'application/merge-patch+json', body, sent: { mark } });
  }
  #mark(): string {
    this.#writes += 1;
    return `${this.name}-${this.#writes}`;
  }

  #learn(scene: Scene, { status, seen, json }: Answered): void {
    const object: ObjectSight | undefined = seen?.object;
    const path = pathOf(scene);
    if (status === 404 || object?.gone) this.#seen.delete(path);
    if (!object || object.gone || !isRecord(json)) return;
    this.#seen.set(path, json);
    remember(this.#versionsOf(scene.place.views[0]), object.version);
  }
  #versionsOf(view: StormView | undefined): string[] {
    const resource = view?.resource ?? '';
    const known = this.#versions.get(resource);
    if (known) return known;
    const versions: string[] = [];
    this.#versions.set(resource, versions);
    return versions;
  }
}

/** Milliseconds. */
const LONGEST_PEEP = 5_000;

function remember(versions: string[], version: string): void {
  versions.push(version);
  if (versions.length > 40) versions.shift();
}
function pathOf({ place, name }: Scene): string {
  return `${place.collection}/${name}`;
}
/** The objects of a team. */
export function selecting({ selector }: StormView, team: string): string {
  return `${selector === '' ? 'labelSelector=' : `${selector}%2C`}team%3D${team}`;
}
export function pathWith(collection: string, query: readonly string[]): string {
  const parts = query.filter((part) => part !== '');
  return parts.length === 0 ? collection : `${collection}?${parts.join('&')}`;
}
