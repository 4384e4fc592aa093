import { type ClauseName, check, clause, clausesOf, match, minorOf, must } from '../../harness/index.ts';
import { keysOf, listsOfKeysOff, type Switched } from './keysOff.ts';
import { seenTypes } from './seenTypes.ts';

/** Those in which most groups have several versions beside each other, and one in which they are stable. */
const RELEASES = ['1.21', '1.24', '1.32'] as const;

function clauseOf({ isOff, by, level }: Switched): ClauseName {
  if (isOff) return by === 'version' ? 'GROUP-RUNTIME-01/list' : 'GROUP-RUNTIME-05/list';
  return `GROUP-RUNTIME-09/${by}/${level === 'beta' ? 'beta' : 'stable'}`;
}

for (const release of RELEASES) {
  check(
    `GROUP-RUNTIME-09.1/${release}`,
    `the operator of release ${release} switches versions and resources off, each without those beside it → all others are on`,
    [
      ...clausesOf('GROUP-RUNTIME-09', release === '1.32' ? 'stable' : ['stable', 'beta']),
      'GROUP-RUNTIME-01/list',
      'GROUP-RUNTIME-03',
      'GROUP-RUNTIME-05/list',
      'LEVEL-STABLE-01',
      ...(release === '1.32' ? [] : (['LEVEL-BETA-02'] as const)),
    ],
    ['releases'],
    async ({ start, dialect }) => {
      for (const types of listsOfKeysOff(minorOf(release), dialect)) {
        const list = keysOf(types);
        const server = await start({ release, flags: [`--runtime-config=${list}`] });
        must(`it starts with ${list}`, server, match.starts);
        const seen = await seenTypes(server.as('admin'), types);
        const judge = ({ version, plural, isOff }: Switched) => {
          const all = { listed: !isOff, named: !isOff, aggregated: match.oneOf(match.absent, !isOff) };
          const told = seen.get(`${version}/${plural}`);
          must(`${version} ${plural} is ${isOff ? 'off' : 'on'} by ${list}`, told, match.including(all));
        };
        for (const type of types) await clause(clauseOf(type), async () => judge(type));
        for (const type of types) judge(type);
        await server.stop();
      }
    },
  );
}
