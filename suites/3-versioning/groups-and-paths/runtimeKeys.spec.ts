import { type ClauseName, check, clause, clausesOf, match, must } from '../../harness/index.ts';
import { isServed, keyLists, type RuntimeKey, switchedTypes } from './runtimeKeys.ts';
import { seenTypes } from './seenTypes.ts';

/** The clauses that a key is about: where in the list it stands, and what it switches. */
function clausesOfKey({ key, on, bare }: RuntimeKey, place: number, count: number): readonly ClauseName[] {
  const where = place === 0 ? 'first' : place === count - 1 ? 'last' : 'between';
  const isResource = key.split('/').length === 3;
  const off = isResource ? 'GROUP-RUNTIME-05/list' : 'GROUP-RUNTIME-01/list';
  const what = on ? (bare ? [`GROUP-RUNTIME-02/${isResource ? 'resource' : 'version'}`] : []) : [off];
  const level = /alpha|beta/.exec(key)?.[0];
  const form = `GROUP-RUNTIME-06/${bare ? 'bare' : 'true'}/${level}/${isResource ? 'resource' : 'version'}`;
  return [`GROUP-RUNTIME-08/${where}`, ...what, ...(on && level ? [form] : [])] as readonly ClauseName[];
}

check(
  'GROUP-RUNTIME-08.2',
  'the operator gives lists of keys in which each two are on, off or not named together → each type is as the keys say, wherever it is looked for',
  [
    ...clausesOf('GROUP-RUNTIME-08'),
    ...clausesOf('GROUP-RUNTIME-02'),
    ...clausesOf('GROUP-RUNTIME-06', ['bare', 'true'], 'version'),
    ...clausesOf('GROUP-RUNTIME-06', ['bare', 'true'], 'resource'),
    ...clausesOf('GROUP-RUNTIME-07', ['resource-of-alpha', 'resource-of-beta']),
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
      const seen = await seenTypes(server.as('admin'), switchedTypes(dialect));
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
      for (const level of ['alpha', 'beta'] as const) {
        if (!keys.some(({ key, on }) => on && key.includes(level) && key.split('/').length === 3)) continue;
        const isNamed = (name: string) => keys.some(({ key }) => name === key || name.startsWith(`${key}/`));
        await clause(`GROUP-RUNTIME-07/resource-of-${level}`, async () => judge((name) => !isNamed(name)));
      }
      judge(() => true);
      await server.stop();
    }
  },
);
