import { groupName } from '../../../fixtures/dialects/dialect.ts';
import type { Actor, SetupOf } from '../../harness/index.ts';
import { check, match, must } from '../../harness/index.ts';

/** `--runtime-config` with these keys; the group that is switched is one that nothing in a server leans on. */
const configured =
  (keys: (group: string) => string): SetupOf =>
  (_, dialect) => ({ flags: [`--runtime-config=${keys(groupName(dialect, 'storage'))}`] });

const withoutVersion = configured((group) => `${group}/v1=false`);
const withVersion = configured((group) => `${group}/v1`);
const withoutResource = configured((group) => `${group}/v1/csidrivers=false`);
const withOneResource = configured((group) => `${group}/v1=false,${group}/v1/csidrivers=true`);
const withTwo = configured((group) => `${group}/v1=false,autoscaling/v1=false,batch/v1`);

const root = ({ dialect }: Actor) => `/apis/${groupName(dialect, 'storage')}/v1`;
const groups = (actor: Actor) => actor.request('GET', '/apis');
const offers = (group: string) => match.field('groups', match.containing(match.including({ name: group })));
const lacks = (group: string) => match.field('groups', match.every(match.at('name', match.not(group))));
const has = (plural: string) => match.field('resources', match.containing(match.including({ name: plural })));
const hasNot = (plural: string) => match.field('resources', match.every(match.at('name', match.not(plural))));

check(
  'the watcher asks for a version that is switched off → it is not in discovery, and its paths are 404',
  ['GROUP-RUNTIME-01'],
  { setup: withoutVersion },
  async ({ watcher, dialect }) => {
    const group = groupName(dialect, 'storage');
    must('the groups are without it', await groups(watcher), match.status(200), lacks(group));
    must('the version is not found', await watcher.request('GET', root(watcher)), match.status(404));
    must('nor is what was in it', await watcher.request('GET', `${root(watcher)}/csidrivers`), match.status(404));
    must('other groups are there', await groups(watcher), offers(groupName(dialect, 'rbac.authorization')));
  },
);

check(
  'the watcher asks for a version that is named without a value → it is served',
  ['GROUP-RUNTIME-02'],
  { setup: withVersion },
  async ({ watcher, dialect }) => {
    must('the groups have it', await groups(watcher), match.status(200), offers(groupName(dialect, 'storage')));
    must('it is served', await watcher.request('GET', `${root(watcher)}/csidrivers`), match.status(200));
  },
);

check(
  'the watcher asks for a resource that is switched off → 404, and the others of its version are there',
  ['GROUP-RUNTIME-03'],
  { setup: withoutResource },
  async ({ watcher }) => {
    const discovery = await watcher.request('GET', root(watcher));
    must('discovery has the others', discovery, match.status(200), has('storageclasses'), hasNot('csidrivers'));
    must('it is not found', await watcher.request('GET', `${root(watcher)}/csidrivers`), match.status(404));
    must('the others are', await watcher.request('GET', `${root(watcher)}/storageclasses`), match.status(200));
  },
);

check(
  'the watcher asks for a resource that alone is switched on → it is served, and the others are not',
  ['GROUP-RUNTIME-03'],
  { setup: withOneResource },
  async ({ watcher }) => {
    must('it is served', await watcher.request('GET', `${root(watcher)}/csidrivers`), match.status(200));
    must('the others are not', await watcher.request('GET', `${root(watcher)}/storageclasses`), match.status(404));
  },
);

check(
  'the watcher asks for versions of several keys → each is as its key says',
  ['GROUP-RUNTIME-04'],
  { setup: withTwo },
  async ({ watcher }) => {
    must('the first is off', await watcher.request('GET', root(watcher)), match.status(404));
    must('the second is off', await watcher.request('GET', '/apis/autoscaling/v1'), match.status(404));
    must('the third is on', await watcher.request('GET', '/apis/batch/v1'), match.status(200));
  },
);

check(
  'the operator gives --runtime-config a value that is no boolean → the server does not start',
  ['GROUP-RUNTIME-04'],
  async ({ start }) => {
    must('it is refused', await start(configured((group) => `${group}/v1=perhaps`)), match.refusesToStart);
  },
);
