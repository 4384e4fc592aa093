import { EMPTY_PARTS, type EmptyPart } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  check,
  clause,
  clausesOf,
  clusterRoleBindings,
  configMaps,
  type Json,
  type JsonObject,
  type Kind,
  match,
  must,
  named,
  objectIn,
  ought,
  serviceAccounts,
  valueAt,
  type WatchEvent,
  webhookConfigurations,
} from '../../harness/index.ts';
import { HOOK, RULE } from '../server-side-apply-rules/hook.ts';
import { services } from '../server-side-apply-rules/services.ts';
import { deployments } from '../validatingwebhookconfiguration/otherKinds.ts';

// Which lists of built-in types have a merge key is told of few of them: of the others it ought to be as everywhere.

/** A list with a merge key: two items, what a patch changes in the second, and a third that it adds. */
interface Keyed {
  readonly key: string;
  readonly items: readonly [JsonObject, JsonObject];
  readonly change: JsonObject;
  readonly more: JsonObject;
}
type Lists = Readonly<Record<string, Keyed>>;
const keyed = (key: string, a: JsonObject, b: JsonObject, more: JsonObject, change: JsonObject = {}): Keyed => ({
  key,
  items: [a, b],
  change,
  more,
});
const each = (lists: Lists, of: (list: Keyed) => readonly JsonObject[]): JsonObject =>
  Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, of(list)]));

const givenIn = ({ items }: Keyed) => items;
const patchOf = ({ key, items: [, second], change, more }: Keyed) => [{ [key]: second[key] ?? '', ...change }, more];
const patchedIn = ({ items: [first, second], change, more }: Keyed) => [first, { ...second, ...change }, more];
const deletingOf = ({ key, items: [first] }: Keyed) => [{ $patch: 'delete', [key]: first[key] ?? '' }];
const namingNone = (): readonly JsonObject[] => [];
const leftIn = ({ items: [, second], change, more }: Keyed) => [{ ...second, ...change }, more];

const variable = (name: string) => ({ name, value: name });
const volume = (name: string) => ({ name, emptyDir: {} });
const mount = (mountPath: string) => ({ mountPath, name: 'v' });
const only = (name: string) => ({ name });

/** What a container has. */
const IN_CONTAINER: Lists = {
  env: keyed('name', variable('A'), variable('B'), variable('C'), { value: 'b' }),
  ports: keyed('containerPort', { containerPort: 80 }, { containerPort: 81 }, { containerPort: 82 }, { name: 'b' }),
  volumeMounts: keyed('mountPath', mount('/a'), mount('/b'), mount('/c'), { readOnly: true }),
};
/** What a pod has beside its containers. */
const IN_POD: Lists = {
  volumes: keyed('name', volume('w'), volume('v'), volume('x'), { emptyDir: { medium: 'Memory' } }),
  imagePullSecrets: keyed('name', only('a'), only('b'), only('c')),
  hostAliases: keyed('ip', { ip: '10.0.0.1' }, { ip: '10.0.0.2' }, { ip: '10.0.0.3' }, { hostnames: ['b'] }),
};
const IN_SERVICE: Lists = {
  ports: keyed('port', { name: 'a', port: 80 }, { name: 'b', port: 81 }, { name: 'c', port: 82 }, { targetPort: 8081 }),
};
const IN_ACCOUNT: Lists = {
  secrets: keyed('name', only('a'), only('b'), only('c')),
};
const condition = (name: string) => ({ name, expression: 'true' });
const IN_HOOK: Lists = {
  matchConditions: keyed('name', condition('a'), condition('b'), condition('c'), { expression: 'false' }),
};

const limits = (cpu: number, memory?: number): JsonObject => ({
  resources: { limits: { cpu: `${cpu}`, ...(memory ? { memory: `${memory}Gi` } : {}) } },
});

/** Lists without a merge key, before a patch that names other items and after it. */
const BEFORE = { args: ['a', 'b'], command: ['a', 'b'] };
const AFTER = { args: ['c'], command: ['d'] };

/** Objects with such lists at a depth: what they hold, patches of them, and what is then where. */
interface Deep {
  readonly kind: Kind;
  readonly given: (author: Actor) => JsonObject;
  readonly patch: (lists: (list: Keyed) => readonly JsonObject[], others: JsonObject) => JsonObject;
  /** The places of the lists that are patched, and of those beside them that are not. */
  readonly patched: readonly (readonly [place: string, lists: Lists])[];
  readonly kept?: readonly (readonly [place: string, lists: Lists])[];
  readonly whole?: string;
  /** And what stands beside them after the first patch. */
  readonly beside?: Readonly<Record<string, match.Expectation>>;
}
const TEMPLATE = 'spec.template.spec';
const DEEP: readonly Deep[] = [
  {
    kind: deployments,
    given: (author) => {
      const { template, ...rest } = deployments.least(author.dialect).spec as { readonly template: JsonObject };
      const filled = (name: string) => ({ name, image: name, ...each(IN_CONTAINER, givenIn), ...BEFORE });
      const pod = {
        containers: [...['a', 'b'].map(filled), { name: 'last', image: 'a', workingDir: '/a', ...limits(1, 1) }],
        initContainers: ['ia', 'ib'].map(filled),
        nodeSelector: { a: '1' },
        ...each(IN_POD, givenIn),
      };
      const metadata = { ...(template.metadata as JsonObject), annotations: { a: '1', b: '1' } };
      return { spec: { ...rest, template: { ...template, metadata, spec: pod } } };
    },
    patch: (lists, others) => {
      const item = (name: string) => [{ name, ...each(IN_CONTAINER, lists), ...others }];
      const last = { name: 'last', workingDir: null, ...limits(2) };
      const pod = {
        containers: [...item('b'), last],
        initContainers: item('ib'),
        nodeSelector: { b: '2' },
        ...each(IN_POD, lists),
      };
      return { spec: { template: { metadata: { annotations: { b: '2', a: null } }, spec: pod } } };
    },
    patched: [
      [TEMPLATE, IN_POD],
      [`${TEMPLATE}.containers.1`, IN_CONTAINER],
      [`${TEMPLATE}.initContainers.1`, IN_CONTAINER],
    ],
    kept: [
      [`${TEMPLATE}.containers.0`, IN_CONTAINER],
      [`${TEMPLATE}.initContainers.0`, IN_CONTAINER],
    ],
    whole: `${TEMPLATE}.containers.1`,
    beside: {
      [`${TEMPLATE}.containers.2.workingDir`]: match.absent,
      [`${TEMPLATE}.containers.2.resources.limits`]: { cpu: '2', memory: '1Gi' },
      [`${TEMPLATE}.nodeSelector`]: { a: '1', b: '2' },
      'spec.template.metadata.annotations': { b: '2' },
    },
  },
  {
    kind: services,
    given: () => ({ spec: { clusterIP: 'None', ...each(IN_SERVICE, givenIn) } }),
    patch: (lists) => ({ spec: each(IN_SERVICE, lists) }),
    patched: [['spec', IN_SERVICE]],
  },
  {
    kind: serviceAccounts,
    given: () => each(IN_ACCOUNT, givenIn),
    patch: (lists) => each(IN_ACCOUNT, lists),
    patched: [['', IN_ACCOUNT]],
  },
  {
    kind: webhookConfigurations,
    given: () => ({
      webhooks: ['a', 'b', 'c'].map((name) => ({
        ...HOOK,
        name: `${name}.touchstone.example`,
        rules: [RULE],
        objectSelector: { matchLabels: { a: '1', b: '1' } },
        ...each(IN_HOOK, givenIn),
      })),
    }),
    patch: (lists) => ({
      webhooks: [
        { name: 'b.touchstone.example', ...each(IN_HOOK, lists) },
        { name: 'c.touchstone.example', objectSelector: { matchLabels: { a: null, b: '2', c: '2' } } },
      ],
    }),
    patched: [['webhooks.1', IN_HOOK]],
    kept: [
      ['webhooks.0', IN_HOOK],
      ['webhooks.2', IN_HOOK],
    ],
    beside: { 'webhooks.2.objectSelector.matchLabels': { b: '2', c: '2' } },
  },
];

for (const { kind, given, patch, patched, kept = [], whole, beside = {} } of DEEP)
  check(
    `STRATEGIC-MERGE-01.2/${kind.plural}`,
    `the author merges lists of ${kind.plural} strategically at every depth → each item by item, answered, stored and told`,
    ['STRATEGIC-MERGE-01', 'STRATEGIC-MERGE-02'],
    async ({ author, watcher }) => {
      const live = await author.given(kind, named('doc', given(author)));
      const { name, resourceVersion } = live.metadata;
      const stream = await watcher.watch(kind, { resourceVersion, fieldSelector: `metadata.name=${name}` });
      let [told, last]: [WatchEvent | undefined, string] = [undefined, ''];
      for (const [lists, then] of [
        [patchOf, patchedIn],
        [namingNone, patchedIn],
        [deletingOf, leftIn],
      ] as const) {
        const answer = await author.patch(kind, 'doc', 'strategic', patch(lists, AFTER));
        ought('it is taken', answer, match.status(200));
        const version = objectIn(answer).metadata.resourceVersion ?? '';
        // What changes nothing may keep the version, of which the watch has told.
        if (version !== last)
          told = ought('it is told', await stream.until(match.eventField('metadata.resourceVersion', version)));
        last = version;
        const stored = await author.get(kind, 'doc');
        for (const [places, of] of [
          [patched, then],
          [kept, givenIn],
        ] as const)
          for (const [place, holding] of places)
            for (const [list, keyedList] of Object.entries(holding)) {
              const path = [place, list].filter(Boolean).join('.');
              const items = of(keyedList);
              const holds = match.both(
                match.size(items.length),
                ...items.map((item) => match.containing(match.including(item))),
              );
              ought(`${path} is merged`, answer, match.field(path, holds));
              ought('and stored so', stored, match.field(path, holds));
              ought('and told so', told, match.at(`object.${path}`, holds));
            }
        for (const [place, holds] of Object.entries(beside)) {
          ought(`${place} is merged`, answer, match.field(place, holds));
          ought('and stored so', stored, match.field(place, holds));
          ought('and told so', told, match.at(`object.${place}`, holds));
        }
        if (!whole) continue;
        for (const [list, items] of Object.entries(AFTER))
          ought(`${list} has no key`, stored, match.field(`${whole}.${list}`, items));
        ought('nor is it patched elsewhere', stored, match.field(`${TEMPLATE}.containers.0.args`, BEFORE.args));
      }
    },
  );

check(
  'STRATEGIC-MERGE-01.3',
  'the author merges owners and finalizers strategically → the others stay',
  ['STRATEGIC-MERGE-01', 'STRATEGIC-MERGE-02'],
  async ({ author }) => {
    const makers = await Promise.all(['a', 'b', 'c'].map((name) => author.given(configMaps, named(name))));
    const [a = {}, b = {}, c = {}] = makers.map(
      ({ apiVersion = '', kind = '', metadata: { name, uid = '' } }): JsonObject => ({ apiVersion, kind, name, uid }),
    );
    const holder = (word: string) => `touchstone.example/${word}`;
    const metadata = { name: 'doc', ownerReferences: [a, b], finalizers: [holder('a'), holder('b')] };
    await author.given(configMaps, { metadata });
    const change = { uid: b.uid ?? '', blockOwnerDeletion: false };
    const patch = { metadata: { ownerReferences: [change, c], finalizers: [holder('c')] } };
    const owners = match.field(
      'metadata.ownerReferences',
      match.both(
        match.size(3),
        ...[a, { ...b, ...change }, c].map((owner) => match.containing(match.including(owner))),
      ),
    );
    const finalizers = match.field('metadata.finalizers', match.sameItems(['a', 'b', 'c'].map(holder)));
    const answer = await author.patch(configMaps, 'doc', 'strategic', patch);
    ought('owners are one by one', answer, match.status(200), owners, finalizers);
    ought('and stored so', await author.get(configMaps, 'doc'), owners, finalizers);
    const less = { metadata: { ownerReferences: [{ $patch: 'delete', uid: a.uid ?? '' }] } };
    const left = await author.patch(configMaps, 'doc', 'strategic', less);
    ought('one goes by its key', left, match.status(200), match.field('metadata.ownerReferences', match.size(2)));
  },
);

const hookNamed = (word: string, more: JsonObject = {}): JsonObject => ({
  ...HOOK,
  name: `${word}.touchstone.example`,
  ...more,
});
const ONE = { name: 'a.touchstone.example' };
/** Patches that name nothing at a place, and what is then there where it is not what was before. */
const EMPTIES: Readonly<Record<EmptyPart, readonly [patch: JsonObject, then?: match.Expectation]>> = {
  'empty-list': [{ webhooks: [] }],
  'empty-list-within': [{ webhooks: [{ ...ONE, matchConditions: [] }] }],
  'empty-item': [{ webhooks: [ONE] }],
  'empty-map': [
    {
      metadata: { labels: {}, annotations: {} },
      webhooks: [{ ...ONE, objectSelector: { matchLabels: {} }, clientConfig: {} }],
    },
  ],
  'empty-whole': [{ webhooks: [{ ...ONE, rules: [] }] }, match.empty],
};

check(
  'STRATEGIC-MERGE-01.4',
  'the author merges what names nothing strategically → what has a merge key, and each map, stays, and another list is empty',
  clausesOf('STRATEGIC-MERGE-01'),
  async ({ author }) => {
    const whole = {
      rules: [RULE],
      matchConditions: ['a', 'b'].map(condition),
      objectSelector: { matchLabels: { a: '1' } },
    };
    const metadata = { labels: { part: 'one' }, annotations: { a: '1' } };
    for (const part of EMPTY_PARTS) {
      const [patch, then] = EMPTIES[part];
      const draft = {
        metadata: { ...metadata, name: part },
        webhooks: ['a', 'b'].map((word) => hookNamed(word, whole)),
      };
      const live = await author.given(webhookConfigurations, draft);
      const webhooks = valueAt(live, ['webhooks']) as readonly Json[];
      const rest = ['labels', 'annotations'].map((member) => ['metadata', member] as const);
      const kept = rest.map((path) => match.field(path.join('.'), match.equal(valueAt(live, path) as Json)));
      const first =
        then === undefined
          ? [match.field('webhooks.0', match.equal(webhooks[0] ?? null))]
          : [match.field('webhooks.0.rules', then)];
      const second = match.field('webhooks.1', match.equal(webhooks[1] ?? null));
      await clause(`STRATEGIC-MERGE-01/${part}`, async () => {
        const answer = await author.patch(webhookConfigurations, part, 'strategic', patch);
        for (const each of [answer, await author.get(webhookConfigurations, part)])
          must(
            'it is merged and stored so',
            each,
            match.status(200),
            match.field('webhooks', match.size(2)),
            ...first,
            second,
            ...kept,
          );
      });
    }
    await author.given(clusterRoleBindings, named('bound', { subjects: [{ kind: 'User', name: 'a' }] }));
    await clause('STRATEGIC-MERGE-01/empty-whole', async () => {
      const answer = await author.patch(clusterRoleBindings, 'bound', 'strategic', { subjects: [] });
      must('so is a list of subjects', answer, match.status(200), match.field('subjects', match.empty));
    });
  },
);
