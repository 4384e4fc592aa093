import { groupOf, type Lifecycle, lifecycles } from '../../fixtures/releases/lifecycles.ts';
import { pluralOf } from '../../fixtures/releases/plurals.ts';
import { type Actor, clause, isRecord, match, must, type Started, unsupported } from '../harness/index.ts';
import { aggregated } from './aggregated.ts';

/** A version of a built-in type, and where discovery tells of it. */
export interface Builtin {
  readonly row: Lifecycle;
  readonly plural: string;
}

/** The built-in types of a level that a release has, those that need a feature gate only where told. */
export function builtinsAt(release: number, level: Lifecycle['level'], gates = false): Builtin[] {
  return lifecycles()
    .filter((row) => row.level === level && (gates || row.gate === undefined))
    .filter(({ introduced, removed }) => introduced <= release && (removed === undefined || release < removed))
    .map((row) => ({ row, plural: pluralOf(row.kind) }));
}

/** The built-in types of a level that a release has and does not serve by default, whose gates may be on where told. */
export function offByDefault(release: number, level: 'alpha' | 'beta', gates = false): Builtin[] {
  return builtinsAt(release, level, gates).filter(({ row }) => level === 'alpha' || row.introduced >= 22);
}

/** `/apis/<group>/<version>` of a built-in type. */
function rootOf({ row }: Builtin, { dialect }: Pick<Actor, 'dialect'>): string {
  const group = groupOf(row, dialect);
  return group === '' ? `/api/${row.version}` : `/apis/${group}/${row.version}`;
}

/** `group/version` of built-in types, each once. */
function versionsOf(builtins: readonly Builtin[], actor: Pick<Actor, 'dialect'>): string[] {
  return [...new Set(builtins.map((each) => rootOf(each, actor).replace(/^\/apis?\//, '')))];
}

/** What discovery says of a resource. */
interface Told {
  readonly name?: unknown;
  readonly namespaced?: unknown;
  readonly verbs?: unknown;
}

/** What discovery says of the versions of built-in types, by path of the version; nothing where it is not served. */
async function told(actor: Actor, builtins: readonly Builtin[]): Promise<Map<string, readonly Told[]>> {
  const found = new Map<string, readonly Told[]>();
  for (const builtin of builtins) {
    const root = rootOf(builtin, actor);
    if (found.has(root)) continue;
    const { status, json } = await actor.request('GET', root);
    const resources = status === 200 && isRecord(json) && Array.isArray(json.resources) ? json.resources : [];
    found.set(root, resources.filter(isRecord));
  }
  return found;
}

/**
 * What discovery says of the versions of built-in types. Out: the plurals that it names, by path of the version; none
 * where the version is not served.
 */
export async function discovered(actor: Actor, builtins: readonly Builtin[]): Promise<Map<string, readonly unknown[]>> {
  const found = await told(actor, builtins);
  return new Map([...found].map(([root, resources]) => [root, resources.map(({ name }) => name)]));
}

/** Discovery names each of them: the subject is what {@link discovered} gave. */
export function namesEach(builtins: readonly Builtin[], actor: Actor): match.Matcher<Map<string, readonly unknown[]>> {
  return {
    allows: `discovery names each of ${builtins.map(({ plural }) => plural).join(', ')}`,
    differences: (found) =>
      builtins
        .filter((each) => !(found.get(rootOf(each, actor)) ?? []).includes(each.plural))
        .map((each) => ({
          path: `${rootOf(each, actor)}/${each.plural}`,
          want: 'a resource of that version',
          got: 'nothing',
          gotType: 'missing',
        })),
  };
}

/** Judges that discovery names the versions of built-in types, and that their objects are listed: each is a clause. */
export async function judgeServed(
  actor: Actor,
  id: 'LEVEL-STABLE-03' | 'LEVEL-BETA-03' | `GROUP-RUNTIME-06/${'alpha' | 'beta'}`,
  builtins: readonly Builtin[],
): Promise<void> {
  const named = builtins.filter(({ row }) => groupOf(row, actor.dialect) !== '');
  const groups = new Map<string, string[]>();
  for (const version of versionsOf(named, actor)) {
    const [group = ''] = version.split('/');
    groups.set(group, [...(groups.get(group) ?? []), version]);
  }
  const has = (group: unknown, version: string) =>
    must(
      `${version} is there`,
      group,
      match.at('versions', match.containing(match.including({ groupVersion: version }))),
    );
  await clause(`${id}/groups`, async () => {
    const { json } = await actor.request('GET', '/apis');
    const all = isRecord(json) && Array.isArray(json.groups) ? json.groups.filter(isRecord) : [];
    for (const [name, versions] of groups) {
      const group = all.find((each) => each.name === name);
      for (const version of versions) has(group ?? { versions: [] }, version);
    }
  });
  await clause(`${id}/group`, async () => {
    for (const [name, versions] of groups) {
      const answer = await actor.request('GET', `/apis/${name}`);
      must(`${name} is there`, answer, match.status(200));
      for (const version of versions) has(answer.json, version);
    }
  });
  await clause(`${id}/aggregated`, async () => {
    const document = (await aggregated(actor)) ?? unsupported('it has no document of all groups with their types');
    const left = named.filter(
      ({ row, plural }) => !document.get(`${groupOf(row, actor.dialect)}/${row.version}`)?.includes(plural),
    );
    must(
      'the document of all groups names each',
      left.map(({ row, plural }) => `${groupOf(row, actor.dialect)}/${row.version} ${plural}`),
      match.equal([]),
    );
  });
  await clause(`${id}/list`, () => judgeListed(actor, builtins));
}

/** Judges that the objects of built-in types are listed. */
export async function judgeListed(actor: Actor, builtins: readonly Builtin[]): Promise<void> {
  const known = await told(actor, builtins);
  for (const builtin of builtins) {
    const root = rootOf(builtin, actor);
    await isListed(
      actor,
      root,
      known.get(root)?.find(({ name }) => name === builtin.plural) ?? { name: builtin.plural },
    );
  }
}

/** Judges that the objects of all that discovery names in the versions of built-in types are listed. */
export async function judgeNamedListed(actor: Actor, builtins: readonly Builtin[]): Promise<void> {
  for (const [root, resources] of await told(actor, builtins))
    for (const resource of resources) if (!String(resource.name).includes('/')) await isListed(actor, root, resource);
}

/** Judges that objects are listed, over all namespaces and in one. */
async function isListed(actor: Actor, root: string, { name, namespaced, verbs }: Told): Promise<void> {
  // What is only ever created has nothing to list.
  if (Array.isArray(verbs) && !verbs.includes('list')) return;
  for (const path of [`${root}/${name}`, ...(namespaced === true ? [`${root}/namespaces/default/${name}`] : [])])
    must(`${path} is served`, await actor.request('GET', `${path}?limit=1`), match.status(200));
}

/** Judges that objects of built-in types are created, where discovery says so: what is wrong with a body is no matter. */
export async function judgeCreated(actor: Actor, builtins: readonly Builtin[]): Promise<void> {
  const known = await told(actor, builtins);
  const namespace = await actor.namespace();
  for (const builtin of builtins) {
    const root = rootOf(builtin, actor);
    const { namespaced, verbs } = known.get(root)?.find(({ name }) => name === builtin.plural) ?? {};
    // What only stands for an operation has rules of its own for what is posted.
    if (!Array.isArray(verbs) || !verbs.includes('create') || !verbs.includes('list')) continue;
    const path = `${root}/${namespaced === true ? `namespaces/${namespace}/` : ''}${builtin.plural}`;
    const answer = await actor.request('POST', `${path}?dryRun=All`, { body: {} });
    must(`${path} takes a POST`, answer.status, match.not(match.oneOf(404, 405)));
  }
}

/** Judges that of a type with several versions each has the subresources, and the verbs on them, that any of them has. */
export async function judgeAlike(actor: Actor, builtins: readonly Builtin[]): Promise<void> {
  const known = await told(actor, builtins);
  const types = new Map<string, Builtin[]>();
  for (const builtin of builtins) {
    const type = `${groupOf(builtin.row, actor.dialect)}/${builtin.plural}`;
    types.set(type, [...(types.get(type) ?? []), builtin]);
  }
  for (const versions of types.values()) {
    const parts = versions.map((builtin) => {
      const root = rootOf(builtin, actor);
      const own = (known.get(root) ?? []).filter(({ name }) => String(name).startsWith(`${builtin.plural}/`));
      return [
        root,
        own.map(({ name, verbs }) => `${name}: ${Array.isArray(verbs) ? [...verbs].sort() : ''}`).sort(),
      ] as const;
    });
    const most = parts.map(([, names]) => names).reduce((a, b) => (b.length > a.length ? b : a), []);
    for (const [root, names] of parts) must(`${root} has what other versions have`, names, match.equal(most));
  }
}

/** Starts a server for a check. */
export type Start = (setup: { flags: string[] }) => Promise<Started>;

/** Types that were off by default, and who asks the server on which they are on. */
export interface Enabled {
  readonly admin: Actor;
  readonly own: readonly Builtin[];
}

/** Of types that are off by default, starts a server with the version of one on, by its key with this value. What a target does not have is passed over. */
export async function mayBeEnabled(
  start: Start,
  watcher: Actor,
  off: readonly Builtin[],
  value: '' | '=true' = '',
): Promise<Enabled> {
  for (const version of versionsOf(off, watcher).slice(0, 3)) {
    const server = await start({ flags: [`--runtime-config=${version}${value}`] });
    if (server.failure !== undefined) continue;
    const admin = server.as('admin');
    const own = off.filter((each) => rootOf(each, admin).endsWith(version));
    must(`${version} is served when enabled`, await discovered(admin, own), namesEach(own, admin));
    return { admin, own };
  }
  return unsupported('it has none of the versions that the service has at this release');
}
