import { type Actor, type ClauseName, check, clause, clausesOf, isRecord, match, must } from '../../harness/index.ts';
import { aggregated } from '../aggregated.ts';
import { isServed, keyLists, type RuntimeKey, switchedTypes } from './runtimeKeys.ts';

/** Where a type was seen: it is listed, in the document of its version, and in that of all groups with their types. */
interface Seen {
  readonly listed: boolean;
  readonly named: boolean;
  readonly aggregated: boolean | undefined;
}

/** All types with where they are seen, by `version/plural`. */
async function seenBy(admin: Actor): Promise<ReadonlyMap<string, Seen>> {
  const document = await aggregated(admin);
  const found = new Map<string, Seen>();
  for (const { version, plural } of switchedTypes(admin.dialect)) {
    const list = await admin.request('GET', `/apis/${version}/${plural}?limit=1`);
    const { json } = await admin.request('GET', `/apis/${version}`);
    const resources = isRecord(json) && Array.isArray(json.resources) ? json.resources.filter(isRecord) : [];
    found.set(`${version}/${plural}`, {
      listed: list.status === 200,
      // Its subresources are named with it.
      named: resources.some(({ name }) => name === plural || String(name).startsWith(`${plural}/`)),
      aggregated: document && (document.get(version)?.includes(plural) ?? false),
    });
  }
  return found;
}

/** The clauses that a key is about: where in the list it stands, and what it switches. */
function clausesOfKey({ key, on, bare }: RuntimeKey, place: number, count: number): readonly ClauseName[] {
  const where = place === 0 ? 'first' : place === count - 1 ? 'last' : 'between';
  const isResource = key.split('/').length === 3;
  const off = isResource ? 'GROUP-RUNTIME-05/list' : 'GROUP-RUNTIME-01/list';
  const what = on ? (bare ? [`GROUP-RUNTIME-02/${isResource ? 'resource' : 'version'}`] : []) : [off];
  return [`GROUP-RUNTIME-08/${where}`, ...what] as readonly ClauseName[];
}

check(
  'GROUP-RUNTIME-08.2',
  'the operator gives lists of keys in which each two are on, off or not named together → each type is as the keys say, wherever it is looked for',
  [
    ...clausesOf('GROUP-RUNTIME-08'),
    ...clausesOf('GROUP-RUNTIME-02'),
    'GROUP-RUNTIME-01/list',
    'GROUP-RUNTIME-05/list',
    'GROUP-RUNTIME-03',
    'GROUP-RUNTIME-04',
  ],
  ['releases'],
  async ({ start, dialect }) => {
    for (const keys of keyLists(dialect)) {
      if (keys.length === 0) continue;
      const list = keys.map(({ key, on, bare }) => (on && bare ? key : `${key}=${on}`)).join(',');
      const server = await start({ release: '1.32', flags: [`--runtime-config=${list}`] });
      must(`it starts with ${list}`, server, match.starts);
      const seen = await seenBy(server.as('admin'));
      const judge = (only: (name: string) => boolean) => {
        for (const type of switchedTypes(dialect)) {
          const name = `${type.version}/${type.plural}`;
          if (!only(name)) continue;
          const served = isServed(type, keys);
          const all = { listed: served, named: served, aggregated: match.oneOf(match.absent, served) };
          must(`${name} is ${served ? 'on' : 'off'} by ${list}`, seen.get(name), match.including(all));
        }
      };
      for (const [place, key] of keys.entries()) {
        const isOf = (name: string) => name === key.key || name.startsWith(`${key.key}/`);
        await clause(clausesOfKey(key, place, keys.length), async () => judge(isOf));
      }
      judge(() => true);
      await server.stop();
    }
  },
);
