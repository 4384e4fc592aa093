import { WRITES, type Write } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  admissionWebhook,
  aside,
  check,
  clause,
  clausesOf,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  defineType,
  type Exchange,
  grantEverywhere,
  groupOf,
  type Hook,
  isRecord,
  match,
  must,
  named,
  namespaces,
  objectIn,
  on,
  pods,
  type Query,
  queryText,
  should,
  unsupported,
  webhookConfigurations,
} from '../../harness/index.ts';
import type { Content } from '../testedTypes.ts';
import { fill, install, rule } from '../validatingwebhookconfiguration/installed.ts';
import { type Writer, writerOf } from '../writing.ts';

/** Writes that change other objects than the one they name, or take it away; each says what has to be as it was. */
const EFFECTS = {
  binding: async (author: Actor, query: Query) => {
    const target = { apiVersion: 'v1', kind: 'Node', name: 'touchstone-none' };
    return toPod(author, 'binding', { apiVersion: 'v1', kind: 'Binding', target }, query);
  },
  eviction: async (author: Actor, query: Query) => {
    const { json } = await author.request('GET', '/api/v1');
    const resources: unknown[] = isRecord(json) && Array.isArray(json.resources) ? json.resources : [];
    const entry = resources.find((each) => isRecord(each) && each.name === 'pods/eviction');
    // Of which version its body is, discovery says: before release 1.22 it is v1beta1.
    const version = isRecord(entry) && typeof entry.version === 'string' ? entry.version : 'v1';
    return toPod(author, 'eviction', { apiVersion: `policy/${version}`, kind: 'Eviction' }, query);
  },
  definition: async (author: Actor, query: Query) => {
    const things = await defineType(author, author.dialect, () => ({ type: 'object' }));
    const live = await author.given(things, named('doc'));
    const definition = `${things.plural}.${things.group}`;
    must('it is answered', await author.delete(customResourceDefinitions, definition, query), match.success);
    must('its objects stay', await author.get(things, 'doc'), match.status(200), match.body(live));
    const none = [{ op: 'replace', path: '/spec/versions/0/served', value: false }];
    const unserved = await author.patch(customResourceDefinitions, definition, 'json', none, query);
    must('so is a change', unserved, match.success);
    must('what is served stays so', await author.create(things, named('other')), match.created);
  },
  namespace: async (author: Actor, query: Query) => {
    const elsewhere = author.elsewhere();
    const live = await elsewhere.given(configMaps, named('doc'));
    const path = `${await author.pathOf(namespaces)}/${await elsewhere.namespace()}`;
    const answer = await author.request('DELETE', path + queryText(query));
    must('it is answered', answer, match.success);
    must('what is in it stays', await elsewhere.get(configMaps, 'doc'), match.status(200), match.body(live));
    must('and more can be made', await elsewhere.create(configMaps, named('other')), match.created);
  },
  owner: async (author: Actor, query: Query) => {
    const owner = await author.given(configMaps, named('owner'));
    const { name, uid } = owner.metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid }];
    const owned = await author.given(configMaps, { metadata: { name: 'owned', ownerReferences } });
    for (const propagationPolicy of ['Foreground', 'Background', 'Orphan'])
      must('it is answered', await author.delete(configMaps, 'owner', { ...query, propagationPolicy }), match.success);
    must('it stays', await author.get(configMaps, 'owner'), match.status(200), match.body(owner));
    must('so does what it owns', await author.get(configMaps, 'owned'), match.status(200), match.body(owned));
  },
} as const;

/** Sends a dry run to a subresource of a pod that nobody schedules, which must leave the pod as it is. */
async function toPod(author: Actor, part: 'binding' | 'eviction', body: object, query: Query): Promise<void> {
  if (!author.target.served.includes(`v1/pods/${part}`)) unsupported(`discovery lists no ${part} of pods`);
  const { spec } = pods.least(author.dialect) as { spec: object };
  await author.given(pods, named(part, { spec: { ...spec, schedulerName: 'touchstone-none' } }));
  const before = objectIn(await author.get(pods, part));
  const path = (await author.pathOf(pods, part, part)) + queryText(query);
  const answer = await author.request('POST', path, { body: { ...body, metadata: { name: part } } });
  must('it is answered', answer, match.success);
  const after = await author.get(pods, part);
  const undisturbed = match.field('metadata.deletionTimestamp', match.absent);
  must('the pod stays', after, match.status(200), undisturbed, match.field('metadata.uid', before.metadata.uid ?? ''));
  must('and is bound to no node', after, match.field('spec.nodeName', match.oneOf(match.absent, '')));
}

check(
  'DRYRUN-EFFECT-03.1',
  'the author tries what binds and evicts a pod, and ends a definition, a namespace and an owner → all that they would change stays',
  clausesOf('DRYRUN-EFFECT-03', Object.keys(EFFECTS)),
  ['custom-types'],
  async ({ author }) => {
    for (const [what, look] of Object.entries(EFFECTS))
      await clause(`DRYRUN-EFFECT-03/${what}`, () => look(author, { dryRun: 'All' }));
  },
);

const dryRun = { dryRun: 'All' };
/** Labels of what a DELETE of all selects, and nothing else. */
const labelsOf = (write: Write) => ({ part: write === 'deletecollection' ? 'all' : 'one' });
/** A dry run by one write of the object that has its name; what it says counts where it writes an object. */
const tries = (writer: Writer, write: Write, content: Content) =>
  writer.send(write, {
    name: write,
    content,
    query: { ...dryRun, ...(write === 'deletecollection' ? { labelSelector: 'part=all' } : {}) },
  });

check(
  'DRYRUN-EFFECT-03.2',
  'the admin tries by every write to have webhooks be called or not → they are called as before',
  clausesOf('DRYRUN-EFFECT-03', 'webhook'),
  ['webhook-reachable'],
  async ({ admin, services }) => {
    const writer = await writerOf(admin, 'validatingwebhookconfigurations');
    const server = await services.get(admissionWebhook);
    await admin.namespace();
    const hooks = WRITES.map((write) => [write, server.hook()] as const);
    const hears = (write: Write, hook: Hook, ...operations: readonly string[]): Content => ({
      webhooks: [fill(admin, server.ca, hook, write, { rules: [rule(...operations)] })],
    });
    for (const [write, hook] of hooks) {
      const metadata = { name: write, labels: labelsOf(write) };
      if (write !== 'post') await admin.given(webhookConfigurations, { ...hears(write, hook, 'CREATE'), metadata });
    }
    /** Who is called about one creation. */
    const called = async () => {
      for (const [, hook] of hooks) hook.reviews.length = 0;
      await admin.create(configMaps, named('knock'), dryRun);
      return hooks.flatMap(([write, hook]) => (hook.reviews.length > 0 ? [write] : []));
    };
    const before = match.sameItems(WRITES.filter((write) => write !== 'post'));
    must('the webhooks of a new configuration are soon called', await aside(() => should(called, before)));
    const answers = new Map<Write, Exchange>();
    for (const [write, hook] of hooks)
      answers.set(write, await tries(writer, write, hears(write, hook, write === 'post' ? 'CREATE' : 'DELETE')));
    // What a server made of them it has made when it follows a configuration that came later.
    await install(admin, services, {});
    const after = await called();
    for (const [write, answer] of answers)
      await clause(`DRYRUN-EFFECT-03/webhook/${write}`, async () => {
        must('it is answered', answer, match.success);
        must('its webhook is called as before', after.includes(write), match.equal(write !== 'post'));
      });
  },
);

check(
  'DRYRUN-EFFECT-03.3',
  'the admin tries by every write to give the stranger a right, or to take one → the stranger may what was allowed before',
  clausesOf('DRYRUN-EFFECT-03', 'right'),
  ['rbac'],
  async ({ admin, stranger, dialect }) => {
    const writer = await writerOf(admin, 'clusterrolebindings');
    const apiGroup = groupOf(clusterRoles, dialect);
    const ofOne = (name: string) => ({ ...on(configMaps, dialect, 'get'), resourceNames: [name] });
    const binds = new Map<Write, (user: string) => Content>();
    for (const write of WRITES) {
      const { metadata } = await admin.given(clusterRoles, named(write, { rules: [ofOne(write)] }));
      binds.set(write, (name) => ({
        roleRef: { apiGroup, kind: 'ClusterRole', name: metadata.name },
        subjects: [{ kind: 'User', apiGroup, name }],
      }));
      const given = { ...binds.get(write)?.(stranger.user), metadata: { name: write, labels: labelsOf(write) } };
      if (write !== 'post') await admin.given(clusterRoleBindings, given);
    }
    // Who may read an object that there is not is told so.
    const may = (name: string) => stranger.get(configMaps, name);
    for (const write of WRITES.filter((each) => each !== 'post'))
      must('a right that is given is soon had', await should(() => may(write), match.status(404)));
    const answers = new Map<Write, Exchange>();
    for (const [write, bound] of binds)
      answers.set(write, await tries(writer, write, bound(write === 'post' ? stranger.user : 'touchstone-nobody')));
    // What a server made of them it has made when it follows a binding that came later.
    await grantEverywhere(admin, stranger, dialect, [ofOne('later')], 'later');
    must('so is one that is given later', await should(() => may('later'), match.status(404)));
    for (const [write, answer] of answers)
      await clause(`DRYRUN-EFFECT-03/right/${write}`, async () => {
        must('it is answered', answer, match.success);
        must('rights are as before', await may(write), match.status(write === 'post' ? 403 : 404));
      });
  },
);
