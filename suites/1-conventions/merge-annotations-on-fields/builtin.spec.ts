import {
  type Actor,
  check,
  clusterRoles,
  type JsonObject,
  type Kind,
  match,
  must,
  named,
  objectIn,
  ought,
  serviceAccounts,
  webhookConfigurations,
} from '../../harness/index.ts';
import { config, first, HOOK, hook, hooked } from '../server-side-apply-rules/hook.ts';
import { owned } from '../server-side-apply-rules/owned.ts';
import { services } from '../server-side-apply-rules/services.ts';
import { deployments } from '../validatingwebhookconfiguration/otherKinds.ts';

// Which marker a field of a built-in type has is told of few fields. Of the others it ought to be as everywhere: that
// markers mean what they mean is shown on types of the check's own (custom.spec.ts).

const FORCED = { force: true };
const TWO = { ...HOOK, name: 'two.touchstone.example' };
const role = (metadata: object, rules?: readonly object[]) => ({ metadata: { name: 'doc', ...metadata }, rules });
const rule = (path: string) => ({ verbs: ['get'], nonResourceURLs: [`/touchstone/${path}`] });
const held = (actor: Actor, ...words: readonly string[]) =>
  actor.apply(clusterRoles, role({ finalizers: words.map((word) => `touchstone.example/${word}`) }));
const holders = (...words: readonly string[]) => words.map((word) => `touchstone.example/${word}`);

check(
  'MERGE-ATOMIC-01.1',
  'the rival applies an atomic list with one item more → a conflict, and by force only theirs is left',
  ['MERGE-ATOMIC-01'],
  async ({ author, rival }) => {
    await author.prepare((each) => each.apply(clusterRoles, role({}, [rule('a')])));
    const more = await rival.apply(clusterRoles, role({}, [rule('a'), rule('b')]));
    ought('it is refused', more, match.refusal);
    const forced = await rival.apply(clusterRoles, role({}, [rule('b')]), FORCED);
    ought('it is replaced whole', forced, match.status(200), match.field('rules', [rule('b')]));
    ought('and has one owner', forced, owned('rules', 'rival Apply'));
  },
);

check(
  'MERGE-SET-01.1',
  'author and rival apply other items of a set → both are in it',
  ['MERGE-SET-01'],
  async ({ author, rival }) => {
    await author.prepare((each) => held(each, 'mine', 'ours'));
    const joined = await held(rival, 'theirs', 'ours');
    const all = match.field('metadata.finalizers', match.sameItems(holders('mine', 'ours', 'theirs')));
    ought('no conflict, and nothing is lost', joined, match.status(200), all);
    ought('nor when it is applied again', await held(author, 'mine', 'ours'), match.status(200), all);
  },
);

check(
  'MERGE-MAP-01.1',
  'author and rival apply other items of a keyed list, and other fields of one → all are in it',
  ['MERGE-MAP-01'],
  async ({ author, rival }) => {
    await hooked(author);
    const both = await hook(rival, { name: HOOK.name, timeoutSeconds: 5 }, TWO);
    const one = match.including({ name: HOOK.name, timeoutSeconds: 5, clientConfig: HOOK.clientConfig });
    const two = match.including({ name: TWO.name });
    const all = match.field('webhooks', match.both(match.size(2), match.containing(one), match.containing(two)));
    must('items with equal keys are one', both, match.status(200), all);
    must('neither is in the way of the other', await hook(author, HOOK), match.status(200), all);
  },
);

check(
  'MERGE-MAP-01.2',
  'the rival applies another value to a field of an item of the author → a conflict',
  ['MERGE-MAP-01'],
  async ({ author, rival }) => {
    const live = objectIn(await hooked(author, { timeoutSeconds: 5 }));
    must('it is refused', await hook(rival, { name: HOOK.name, timeoutSeconds: 6 }), match.refusal);
    must('nothing changed', await author.get(webhookConfigurations, 'config'), match.body(live));
  },
);

for (const write of ['strategic', 'apply'] as const) {
  check(
    `VWC-OBJECT-02.1/${write}`,
    `the rival gives no webhooks by ${write === 'apply' ? 'an apply' : 'a strategic merge patch'} → those of the author stay, and their own go with what they apply`,
    [`VWC-OBJECT-02/emptied/${write}`],
    async ({ author, rival }) => {
      await hooked(author);
      if (write === 'apply') await rival.prepare((each) => hook(each, TWO));
      const none = { webhooks: [] };
      const written =
        write === 'apply' ? await hook(rival) : await rival.patch(webhookConfigurations, 'config', write, none);
      const left = match.field(
        'webhooks',
        match.both(match.size(1), match.every(match.including({ name: HOOK.name }))),
      );
      must('nothing of the author goes', written, match.status(200), left);
      must('so it is stored', await author.get(webhookConfigurations, 'config'), left);
    },
  );
}

check(
  'MERGE-MAP-02.1',
  'the author applies an item of a keyed list twice → refused',
  ['MERGE-MAP-02'],
  async ({ author }) => {
    const live = objectIn(await hooked(author));
    // Whose fault it is called is left open: the real service answers 500.
    must('a key is there once', await hook(author, HOOK, TWO, { ...TWO, timeoutSeconds: 5 }), match.error);
    must('nothing changed', await author.get(webhookConfigurations, 'config'), match.body(live));
  },
);

check(
  'MERGE-MAP-03.2',
  'the author writes ports of a Service that differ in one key of two → each is kept',
  ['MERGE-MAP-03'],
  async ({ author }) => {
    const port = (name: string, protocol: string) => ({ name, port: 53, protocol });
    const ports = [port('udp', 'UDP'), port('tcp', 'TCP')];
    const holding = (size: number) =>
      match.field(
        'spec.ports',
        match.both(match.size(size), ...ports.map((each) => match.containing(match.including(each)))),
      );
    const all = holding(2);
    const content = { spec: { clusterIP: 'None', ports } };
    must('it is applied', await author.apply(services, named('applied', content)), match.created, all);
    must('so it is stored', await author.get(services, 'applied'), all);
    must('or created', await author.create(services, named('made', content)), match.created, all);
    const more = [...ports, { name: 'more', port: 54, protocol: 'UDP' }];
    const again = await author.apply(services, named('applied', { spec: { clusterIP: 'None', ports: more } }));
    must('it is applied again', again, match.status(200), holding(3));
  },
);

/** Lists of built-in types with two keys: what stands around one, where it is, and items of which two agree in one key each. */
const TWO_KEYS: Readonly<
  Record<
    string,
    {
      readonly kind: Kind;
      readonly around: (items: readonly object[]) => JsonObject;
      readonly at: string;
      /** Those of the author, that of the rival, which agrees with one of them in a key, and one more. */
      readonly items: readonly [mine: JsonObject, theirs: JsonObject, more: JsonObject];
    }
  >
> = {
  'ports of a Service': {
    kind: services,
    around: (ports) => ({ clusterIP: 'None', ports }) as JsonObject,
    at: 'spec.ports',
    items: [
      { name: 'mine', port: 53, protocol: 'UDP' },
      { name: 'theirs', port: 53, protocol: 'TCP' },
      { name: 'more', port: 54, protocol: 'UDP' },
    ],
  },
  'ports of a container': {
    kind: deployments,
    around: (ports) => templated({ containers: [{ name: 'main', image: 'touchstone.example/none', ports }] }),
    at: 'spec.template.spec.containers.0.ports',
    items: [
      { name: 'mine', containerPort: 53, protocol: 'TCP' },
      { name: 'theirs', containerPort: 53, protocol: 'UDP' },
      { name: 'more', containerPort: 54, protocol: 'TCP' },
    ],
  },
  'constraints of where pods are': {
    kind: deployments,
    around: (topologySpreadConstraints) =>
      templated({
        containers: [{ name: 'main', image: 'touchstone.example/none' }],
        topologySpreadConstraints,
      }),
    at: 'spec.template.spec.topologySpreadConstraints',
    items: [
      { topologyKey: 'touchstone.example/zone', whenUnsatisfiable: 'DoNotSchedule', maxSkew: 1 },
      { topologyKey: 'touchstone.example/zone', whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 2 },
      { topologyKey: 'touchstone.example/row', whenUnsatisfiable: 'DoNotSchedule', maxSkew: 3 },
    ],
  },
};
/** What a deployment says of which no pod runs. */
function templated(spec: object): JsonObject {
  const labels = { app: 'touchstone' };
  return { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } } as JsonObject;
}

for (const [what, { kind, around, at, items }] of Object.entries(TWO_KEYS)) {
  check(
    `MERGE-MAP-03.3/${what}`,
    `author and rival apply ${what} that agree in one key of two → no conflict, and each has its own`,
    ['MERGE-MAP-03'],
    async ({ author, rival }) => {
      const [mine, theirs, more] = items;
      const applied = (actor: Actor, ...own: readonly object[]) =>
        actor.apply(kind, named('doc', { spec: around(own) }));
      const holding = (...all: readonly JsonObject[]) =>
        match.field(
          at,
          match.both(match.size(all.length), ...all.map((each) => match.containing(match.including(each)))),
        );
      await author.prepare(() => applied(author, mine));
      const both = await applied(rival, theirs);
      ought('another one is no conflict', both, match.status(200), holding(mine, theirs));
      const again = await applied(author, mine, more);
      ought('nor one more', again, match.status(200), holding(mine, theirs, more));
      const left = await applied(author, more);
      ought('who leaves it out gives up that one', left, match.status(200), holding(theirs, more));
      ought('so it is stored', await author.get(kind, 'doc'), match.status(200), holding(theirs, more));
    },
  );
}

check(
  'MERGE-GRANULAR-01.1',
  'author and rival apply other entries of a granular map → both are in it',
  ['MERGE-GRANULAR-01'],
  async ({ author, rival }) => {
    await author.prepare((each) => each.apply(clusterRoles, role({ annotations: { mine: '1' } }, [])));
    const both = await rival.apply(clusterRoles, role({ annotations: { theirs: '1' } }));
    const annotations = match.field('metadata.annotations', match.including({ mine: '1', theirs: '1' }));
    must('no conflict, and nothing is lost', both, match.status(200), annotations);
    must("one is the author's", both, owned('metadata.annotations.mine', 'author Apply'));
    must("one is the rival's", both, owned('metadata.annotations.theirs', 'rival Apply'));
  },
);

check(
  'MERGE-GRANULAR-02.1',
  'the rival applies another entry of an atomic map → a conflict, and by force only theirs is left',
  ['MERGE-GRANULAR-02'],
  async ({ author, rival }) => {
    const selecting = (selector: object) => ({
      metadata: { name: 'svc' },
      spec: { clusterIP: 'None', ports: [{ name: 'a', port: 80, protocol: 'TCP' }], selector },
    });
    await author.prepare((each) => each.apply(services, selecting({ a: '1' })));
    ought('it is refused', await rival.apply(services, selecting({ b: '1' })), match.refusal);
    ought('with all that is there too', await rival.apply(services, selecting({ a: '1', b: '1' })), match.refusal);
    const forced = await rival.apply(services, selecting({ b: '1' }), FORCED);
    ought('it is replaced whole', forced, match.status(200), match.field('spec.selector', { b: '1' }));
    ought('and has one owner', forced, owned('spec.selector', 'rival Apply'));
  },
);

check(
  'MERGE-STRUCT-02.1',
  'the rival applies another field of an atomic struct → a conflict, and by force only theirs is left',
  ['MERGE-STRUCT-02'],
  async ({ author, rival }) => {
    const { name } = HOOK;
    const other = { matchExpressions: [{ key: 'b', operator: 'Exists' }] };
    await hooked(author, { namespaceSelector: { matchLabels: { a: '1' } } });
    ought('it is refused', await hook(rival, { name, namespaceSelector: other }), match.refusal);
    const draft = config({ name, namespaceSelector: other });
    const forced = await rival.apply(webhookConfigurations, draft, FORCED);
    ought('it is replaced whole', forced, match.status(200), first('namespaceSelector', other));
    const again = await hook(author, { ...HOOK, namespaceSelector: { matchLabels: { a: '1' } } });
    ought('and has one owner', again, match.refusal);
  },
);

check(
  'MERGE-STRATEGY-01.1',
  'author and rival apply other items of a list that patches merge → both are in it',
  ['MERGE-STRATEGY-01'],
  async ({ author, rival }) => {
    const account = (...names: readonly string[]) => named('robot', { secrets: names.map((name) => ({ name })) });
    await author.prepare((each) => each.apply(serviceAccounts, account('mine', 'ours')));
    const both = await rival.apply(serviceAccounts, account('theirs', 'ours'));
    const all = match.field('secrets', match.sameItems([{ name: 'mine' }, { name: 'ours' }, { name: 'theirs' }]));
    ought('no conflict, and nothing is lost', both, match.status(200), all);
    const without = await author.apply(serviceAccounts, account());
    const left = match.field('secrets', match.sameItems([{ name: 'ours' }, { name: 'theirs' }]));
    ought('each has items of their own', without, match.status(200), left);
  },
);

check(
  'MERGE-ORDER-01.1',
  'author and rival apply items in an order → each finds theirs in it',
  ['MERGE-ORDER-01'],
  async ({ author, rival }) => {
    await author.prepare((each) => held(each, 'a', 'b'));
    await rival.prepare((each) => held(each, 'd', 'c'));
    const merged = objectIn(await held(author, 'b', 'a')).metadata.finalizers ?? [];
    const only = (...words: readonly string[]) => merged.filter((one) => holders(...words).includes(one));
    ought("the author's are as they are applied", only('a', 'b'), match.equal(holders('b', 'a')));
    ought("the rival's are as they were", only('c', 'd'), match.equal(holders('d', 'c')));
  },
);
