import { type Dialect, groupName } from '../fixtures/dialects/dialect.ts';
import { isRecord, type JsonObject } from '../suites/harness/json.ts';
import {
  apiVersionOf,
  clusterRoleBindings,
  clusterRoles,
  customResourceDefinitions,
  groupOf,
  type Kind,
  namespaces,
  pathOf,
  roleBindings,
} from '../suites/harness/kinds.ts';
import { RUN_LABEL } from '../suites/harness/space.ts';
import { type Answered, NOBODY_ANSWERED, type Wire } from './server.ts';
import { CUSTOM, type StormType, stormType, TYPE_NAMES } from './types.ts';
import { type Asker, mayAsk, type StormUser, USERS, userName } from './users.ts';

/** What a storm is to be spread over. */
export interface Spread {
  /** Of {@link TYPE_NAMES}. */
  readonly types: readonly string[];
  readonly namespaces: number;
  readonly users: readonly StormUser[];
}
export const WIDEST: Spread = { types: TYPE_NAMES, namespaces: 2, users: USERS };
export const NARROWEST: Spread = { types: ['configmaps'], namespaces: 1, users: ['admin'] };

/** A collection that clients write to. */
export interface StormPlace {
  readonly type: StormType;
  readonly apiVersion: string;
  /** Empty for what has none. */
  readonly namespace: string;
  readonly collection: string;
  /** What names begin with where others have names there too. */
  readonly prefix: string;
  /** Its place among the namespaces of the storm is the first. */
  readonly first: boolean;
  /** Lists and watches of it: of itself, and of its type in all namespaces. */
  readonly views: readonly StormView[];
}
/** What is listed and watched as one: a collection, or a type in all namespaces. */
export interface StormView {
  readonly collection: string;
  /** A query that selects what is the storm's own where other objects are there too; else empty. */
  readonly selector: string;
  /** Group and plural, by which versions are remembered. */
  readonly resource: string;
  readonly first: boolean;
}

/** Where a storm happens: namespaces, a type and users that are made for it. Everything that it makes carries its name. */
export interface StormSite {
  readonly name: string;
  /** The first is where most happens. */
  readonly places: readonly StormPlace[];
  readonly views: readonly StormView[];
  readonly users: readonly StormUser[];
  /** What was left out, and why, a sentence each. */
  readonly without: readonly string[];
  /** What has to be removed at the end, beside what clients wrote: paths, the last first. */
  readonly made: readonly string[];
}

/** The server does not let what was asked for be made; one sentence. */
export class NoSite extends Error {
  override readonly name = 'NoSite';
}

export interface SiteWanted extends Spread {
  /** A name that nobody else uses, which namespaces may have. */
  readonly name: string;
  readonly dialect: Dialect;
}

/** Milliseconds in which a type or a right that was made has to come into force at every server. */
const COMES_ABOUT = 10_000;

/**
 * Makes what a storm needs. A type or users that the server does not let be made are left out; without a namespace
 * there is nothing.
 * @param wires to every server, the first of which does the work
 * @throws NoSite, after which nothing is left behind
 */
export async function prepareSite(wanted: SiteWanted, wires: readonly Wire[]): Promise<StormSite> {
  const { name, dialect } = wanted;
  const [stage] = wires as readonly [Wire, ...Wire[]];
  const made: string[] = [];
  const without: string[] = [];
  const make = async (kind: Kind, namespace: string, called: string, body: JsonObject): Promise<Answered> => {
    const metadata = { name: called, labels: labelsOf(name) };
    const object = { apiVersion: apiVersionOf(kind, dialect), kind: kind.kind, ...body, metadata };
    const path = pathOf(kind, dialect, namespace, called);
    const answer = await stage.send('POST', pathOf(kind, dialect, namespace), { body: object, sent: { name: called } });
    if (answer.status === undefined || answer.status < 300) made.unshift(path);
    return answer;
  };
  const spaces = Array.from({ length: wanted.namespaces }, (_, at) => (at === 0 ? name : `${name}-${at + 1}`));
  for (const space of spaces) {
    const { status } = await make(namespaces, '', space, {});
    if (status === 201) continue;
    await removeAll(stage, made);
    throw new NoSite(`The namespace ${space} was answered ${status ?? NOBODY_ANSWERED}; a storm needs it for its own.`);
  }
  const types: StormType[] = [];
  for (const each of wanted.types) {
    const type = stormType(each, name);
    const why = type.custom
      ? await define(type.kind, { dialect, wires, space: name, make })
      : await refusalToWrite(type, { name, dialect, stage });
    if (why === undefined) types.push(type);
    else without.push(`${each}: ${why}`);
  }
  if (types.length === 0) {
    await removeAll(stage, made);
    throw new NoSite(`No type of objects could be had (${without.join('; ')}); a storm needs one.`);
  }
  const about = { name, types, spaces, dialect };
  const places = placesOf(about);
  const users = await admitted(wanted.users, { ...about, places, wires, make, without });
  return { name, places, views: viewsOf(places), users, without, made };
}

/** All that a storm makes carries it; lists over what others use as well select it. */
export function labelsOf(storm: string): Readonly<Record<string, string>> {
  return { [RUN_LABEL]: storm };
}

type Make = (kind: Kind, namespace: string, called: string, body: JsonObject) => Promise<Answered>;

/** Defines the type of a storm. @returns why that is not possible; undefined: it is served everywhere */
async function define(
  kind: Kind,
  { dialect, wires, space, make }: { dialect: Dialect; wires: readonly Wire[]; space: string; make: Make },
): Promise<string | undefined> {
  const text = { type: 'string' };
  const spec = { type: 'object', properties: { by: text, json: text } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const { status } = await make(customResourceDefinitions, '', `${CUSTOM.plural}.${kind.group}`, {
    spec: {
      group: kind.group ?? '',
      scope: 'Namespaced',
      names: {
        plural: kind.plural,
        singular: kind.kind.toLowerCase(),
        kind: kind.kind,
        listKind: `${kind.kind}List`,
      },
      versions: [{ name: kind.version, served: true, storage: true, schema }],
    },
  });
  if (status !== 201) return `its definition was answered ${status ?? NOBODY_ANSWERED}`;
  for (const wire of wires) {
    const path = pathOf(kind, dialect, space);
    if (!(await until(async () => (await wire.send('GET', path)).status === 200)))
      return 'it is not served, though it was defined';
  }
  return undefined;
}

/** Why the administrator cannot write a built-in type; undefined: it can. Nothing is written. */
async function refusalToWrite(
  { kind, content }: StormType,
  { name, dialect, stage }: { name: string; dialect: Dialect; stage: Wire },
): Promise<string | undefined> {
  const body = {
    apiVersion: apiVersionOf(kind, dialect),
    kind: kind.kind,
    metadata: { name: `${name}-try` },
    ...content('try'),
  };
  const { status } = await stage.send('POST', `${pathOf(kind, dialect, kind.namespaced ? name : '')}?dryRun=All`, {
    body,
  });
  return status === 201 ? undefined : `a creation without effect was answered ${status ?? NOBODY_ANSWERED}`;
}

interface About {
  readonly name: string;
  readonly types: readonly StormType[];
  readonly spaces: readonly string[];
  readonly dialect: Dialect;
}

/** The collections of some types in some namespaces. */
function placesOf({ name, types, spaces, dialect }: About): readonly StormPlace[] {
  const selector = `labelSelector=${encodeURIComponent(`${RUN_LABEL}=${name}`)}`;
  return spaces.flatMap((namespace, at) =>
    types.flatMap((type): StormPlace[] => {
      const { kind } = type;
      if (!kind.namespaced && at > 0) return [];
      const space = kind.namespaced ? namespace : '';
      const resource = `${groupOf(kind, dialect)}/${kind.plural}`;
      const first = kind.namespaced && at === 0;
      const collection = pathOf(kind, dialect, space);
      const own: StormView = { collection, selector: kind.namespaced ? '' : selector, resource, first };
      const wide: StormView = { collection: pathOf(kind, dialect, ''), selector, resource, first: false };
      return [
        {
          type,
          apiVersion: apiVersionOf(kind, dialect),
          namespace: space,
          collection,
          prefix: kind.namespaced ? '' : `${name}-`,
          first,
          views: kind.namespaced && spaces.length > 1 ? [own, wide] : [own],
        },
      ];
    }),
  );
}
function viewsOf(places: readonly StormPlace[]): readonly StormView[] {
  const views = new Map<string, StormView>();
  for (const place of places) for (const view of place.views) views.set(view.collection, view);
  return [...views.values()];
}

/** Gives users their rights, and waits until they are in force. @returns those who may ask */
async function admitted(
  wanted: readonly StormUser[],
  {
    name,
    types,
    spaces,
    dialect,
    places,
    wires,
    make,
    without,
  }: About & {
    readonly places: readonly StormPlace[];
    readonly wires: readonly Wire[];
    readonly make: Make;
    readonly without: string[];
  },
): Promise<readonly StormUser[]> {
  const others = wanted.filter((user) => user !== 'admin');
  if (others.length === 0) return wanted;
  const leave = (why: string): readonly StormUser[] => {
    without.push(`users: ${why}`);
    return ['admin'];
  };
  const group = groupName(dialect, 'rbac.authorization');
  const rules = (verbs: readonly string[]) => ({
    rules: types.map(({ kind }) => ({
      apiGroups: [groupOf(kind, dialect)],
      resources: [kind.plural],
      verbs: [...verbs],
    })),
  });
  const binding = (user: StormUser, role: StormUser) => ({
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: userName(name, role) },
    subjects: [{ apiGroup: group, kind: 'User', name: userName(name, user) }],
  });
  const of = (user: StormUser) => userName(name, user);
  const rights: (() => Promise<Answered>)[] = [
    () => make(clusterRoles, '', of('writer'), rules(['*'])),
    () => make(clusterRoles, '', of('reader'), rules(['get', 'list', 'watch'])),
    () => make(clusterRoleBindings, '', of('writer'), binding('writer', 'writer')),
    () => make(clusterRoleBindings, '', of('reader'), binding('reader', 'reader')),
    () => make(roleBindings, spaces[0] as string, of('local'), binding('local', 'writer')),
  ];
  for (const right of rights) {
    const { status } = await right();
    if (status !== 201) return leave(`their rights were answered ${status ?? NOBODY_ANSWERED}`);
  }
  const place = places.find((each) => each.first) ?? (places[0] as StormPlace);
  for (const user of others) {
    const denied = !mayAsk(user, { writes: false, first: place.first });
    for (const wire of wires) {
      const statuses = await answersTo({ user, as: of(user), denied: false }, place, wire, denied);
      if (statuses.some((status) => (status === 403) === denied)) continue;
      const answered = [...new Set(statuses.map((status) => status ?? NOBODY_ANSWERED))].join(' and ');
      return leave(`${user}, who ${denied ? 'has no rights' : 'was given rights'}, was answered ${answered}`);
    }
  }
  return wanted;
}

/**
 * What a server answers somebody: asked again until a right that was given is there, and of who has none once each, a
 * read, a list and a creation without effect, all of which it answers only where it refuses nobody at all.
 */
async function answersTo(
  by: Asker,
  { type, apiVersion, collection, prefix }: StormPlace,
  wire: Wire,
  denied: boolean,
): Promise<readonly (number | undefined)[]> {
  const name = `${prefix}none`;
  const read = async () => (await wire.send('GET', `${collection}/${name}`, { by })).status;
  if (!denied) {
    let last: number | undefined;
    await until(async () => {
      last = await read();
      return last === 404;
    });
    return [last];
  }
  const body = { apiVersion, kind: type.kind.kind, metadata: { name }, ...type.content('none') };
  return [
    await read(),
    (await wire.send('GET', `${collection}?limit=1`, { by })).status,
    (await wire.send('POST', `${collection}?dryRun=All`, { by, body })).status,
  ];
}

/** Who asks, and whether that has to be refused. */
export function askerOf(
  { name }: Pick<StormSite, 'name'>,
  user: StormUser,
  about: { readonly writes: boolean; readonly first: boolean },
): Asker {
  const denied = !mayAsk(user, about);
  return user === 'admin' ? { user, denied } : { user, as: userName(name, user), denied };
}

/** Removes all that was made, and lets go of what clients held, which would keep a namespace for ever. */
export async function clearSite(site: StormSite, stage: Wire): Promise<void> {
  for (const { collection, views, prefix } of site.places) {
    const { json } = await stage.send('GET', `${collection}?${views[0]?.selector ?? ''}`);
    const items: readonly unknown[] = isRecord(json) && Array.isArray(json.items) ? json.items : [];
    for (const item of items) {
      const metadata = isRecord(item) && isRecord(item.metadata) ? item.metadata : {};
      const path = `${collection}/${metadata.name}`;
      if (Array.isArray(metadata.finalizers)) {
        const contentType = 'application/merge-patch+json';
        await stage.send('PATCH', path, { contentType, body: { metadata: { finalizers: null } } });
      }
      // What is in a namespace goes with it, and with its type.
      if (prefix !== '' && !site.made.includes(path)) await stage.send('DELETE', path);
    }
  }
  await removeAll(stage, site.made);
}
async function removeAll(stage: Wire, paths: readonly string[]): Promise<void> {
  for (const path of paths) await stage.send('DELETE', path);
}

async function until(holds: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + COMES_ABOUT;
  for (let wait = 5; ; wait = Math.min(250, wait * 2)) {
    if (await holds()) return true;
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
