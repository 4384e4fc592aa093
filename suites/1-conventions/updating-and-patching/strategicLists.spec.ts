import {
  type Actor,
  check,
  configMaps,
  type JsonObject,
  type Kind,
  match,
  named,
  objectIn,
  ought,
  serviceAccounts,
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
}
const TEMPLATE = 'spec.template.spec';
const DEEP: readonly Deep[] = [
  {
    kind: deployments,
    given: (author) => {
      const { template, ...rest } = deployments.least(author.dialect).spec as { readonly template: JsonObject };
      const filled = (name: string) => ({ name, image: name, ...each(IN_CONTAINER, givenIn), ...BEFORE });
      const pod = {
        containers: ['a', 'b'].map(filled),
        initContainers: ['ia', 'ib'].map(filled),
        ...each(IN_POD, givenIn),
      };
      return { spec: { ...rest, template: { ...template, spec: pod } } };
    },
    patch: (lists, others) => {
      const item = (name: string) => [{ name, ...each(IN_CONTAINER, lists), ...others }];
      const pod = { containers: item('b'), initContainers: item('ib'), ...each(IN_POD, lists) };
      return { spec: { template: { spec: pod } } };
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
      webhooks: ['a', 'b'].map((name) => ({
        ...HOOK,
        name: `${name}.touchstone.example`,
        rules: [RULE],
        ...each(IN_HOOK, givenIn),
      })),
    }),
    patch: (lists) => ({ webhooks: [{ name: 'b.touchstone.example', ...each(IN_HOOK, lists) }] }),
    patched: [['webhooks.1', IN_HOOK]],
    kept: [['webhooks.0', IN_HOOK]],
  },
];

for (const { kind, given, patch, patched, kept = [], whole } of DEEP)
  check(
    `STRATEGIC-MERGE-01.2/${kind.plural}`,
    `the author merges lists of ${kind.plural} strategically at every depth → each item by item, answered, stored and told`,
    ['STRATEGIC-MERGE-01', 'STRATEGIC-MERGE-02'],
    async ({ author, watcher }) => {
      const live = await author.given(kind, named('doc', given(author)));
      const { name, resourceVersion } = live.metadata;
      const stream = await watcher.watch(kind, { resourceVersion, fieldSelector: `metadata.name=${name}` });
      for (const [lists, then] of [
        [patchOf, patchedIn],
        [deletingOf, leftIn],
      ] as const) {
        const answer = await author.patch(kind, 'doc', 'strategic', patch(lists, AFTER));
        ought('it is taken', answer, match.status(200));
        const version = objectIn(answer).metadata.resourceVersion ?? '';
        const told = ought('it is told', await stream.until(match.eventField('metadata.resourceVersion', version)));
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
