import {
  type Actor,
  type ClauseName,
  check,
  clause,
  clausesOf,
  match,
  minorOf,
  must,
  should,
} from '../../harness/index.ts';
import { workload } from '../removed-api-versions-by-release/kinds.ts';
import { keysOf, listsOfKeysOff, type Switched } from './keysOff.ts';
import { seenTypes } from './seenTypes.ts';

/** Those in which most groups have several versions beside each other, and one in which they are stable. */
const RELEASES = ['1.21', '1.24', '1.32'] as const;

function clauseOf({ isOff, by, level }: Switched): ClauseName {
  if (isOff) return by === 'version' ? 'GROUP-RUNTIME-01/list' : 'GROUP-RUNTIME-05/list';
  return `GROUP-RUNTIME-09/${by}/${level === 'beta' ? 'beta' : 'stable'}`;
}

/**
 * What other groups have of the kinds of groups that keys switch off: events of the core group, the eviction of a pod,
 * which is of policy, and the scale of a workload, which is of autoscaling.
 */
async function isElsewhere(admin: Actor, list: string): Promise<void> {
  const core = await admin.request('GET', '/api/v1');
  for (const name of ['events', 'pods/eviction', 'replicationcontrollers/scale'])
    must(`the core group has ${name} with ${list}`, core, match.field('resources', hasNamed(name)));
  const events = await admin.request('GET', '/api/v1/events?limit=1');
  must(`events of the core group are listed with ${list}`, events, match.status(200));
  const { selector, template } = workload();
  for (const [path, apiVersion, kind, own] of [
    ['/apis/apps/v1/namespaces/default/deployments', 'apps/v1', 'Deployment', selector],
    ['/api/v1/namespaces/default/replicationcontrollers', 'v1', 'ReplicationController', selector.matchLabels],
  ] as const) {
    const body = { apiVersion, kind, metadata: { name: 'elsewhere' }, spec: { replicas: 0, selector: own, template } };
    // The namespace may come a moment after the server.
    const made = await should(() => admin.request('POST', path, { body }), match.created);
    must(`a ${kind} is taken with ${list}`, made);
    const scale = await admin.request('GET', `${path}/elsewhere/scale`);
    must(`a ${kind} has its scale with ${list}`, scale, match.status(200), match.field('kind', 'Scale'));
  }
}
const hasNamed = (name: string) => match.containing(match.including({ name }));

for (const release of RELEASES) {
  check(
    `GROUP-RUNTIME-09.1/${release}`,
    `the operator of release ${release} switches versions and resources off, each without those beside it → all others are on`,
    [
      ...clausesOf('GROUP-RUNTIME-09', release === '1.32' ? 'stable' : ['stable', 'beta']),
      'GROUP-RUNTIME-09/elsewhere',
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
        await clause('GROUP-RUNTIME-09/elsewhere', () => isElsewhere(server.as('admin'), list));
        for (const type of types) judge(type);
        await server.stop();
      }
    },
  );
}
