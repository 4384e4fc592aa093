import {
  type Actor,
  check,
  clusterRoles,
  configMaps,
  groupOf,
  match,
  must,
  named,
  namespaces,
  objectIn,
  should,
} from '../../harness/index.ts';
import { install, own, rule, told } from './installed.ts';
import { servedProxy, serviceObjects } from './otherKinds.ts';

const RED = { colour: 'red' };
const red = { matchLabels: RED };
const generated = { metadata: { generateName: 'a-' } };

check(
  'WEBHOOK-NAMESPACE-01.1',
  "the namespace's labels begin to match and cease to → the webhook is called meanwhile",
  ['WEBHOOK-NAMESPACE-01'],
  async ({ admin, author, services }) => {
    const namespace = await author.namespace();
    // Of what is wanted all has to be met: one is, another never.
    const [key = ''] = Object.keys(author.space.labels);
    const never = { matchLabels: RED, matchExpressions: [{ key, operator: 'DoesNotExist' }] };
    const [hook, both] = await install(
      admin,
      services,
      { namespaceSelector: red, objectSelector: {} },
      { namespaceSelector: never, objectSelector: {} },
    );
    const label = (colour: string | null) =>
      admin.prepare((each) => each.patch(namespaces, namespace, 'merge', { metadata: { labels: { colour } } }));
    const create = async () => {
      const before = hook?.reviews.length ?? 0;
      await author.prepare((each) => each.create(configMaps, generated));
      return (hook?.reviews.length ?? 0) - before;
    };
    must('it is not called before', await create(), match.equal(0));
    await label('red');
    must('it is called as soon as they match', await should(create, match.equal(1)));
    must('not for a part of what is wanted', both?.reviews, match.size(0));
    await label(null);
    must('and no more afterwards', await should(create, match.equal(0)));
  },
);

// What it hears of is held down by the object selector: it must not hear of other people's objects.
check(
  'WEBHOOK-NAMESPACE-01.2',
  'a webhook has an empty namespaceSelector → it is called for objects of every namespace',
  ['WEBHOOK-NAMESPACE-01'],
  async ({ admin, author, services }) => {
    const labels = author.space.labels;
    const objectSelector = own(author);
    const [hook] = await install(admin, services, { namespaceSelector: {}, objectSelector });
    const elsewhere = author.elsewhere();
    for (const actor of [author, elsewhere]) {
      must('it is created', await actor.create(configMaps, { metadata: { name: 'a', labels } }), match.created);
    }
    const both = [await author.namespace(), await elsewhere.namespace()];
    must('it was called for both', told(hook, 'namespace'), match.equal(both));
  },
);

check(
  'WEBHOOK-NAMESPACE-02.1',
  'the author creates namespaces with and without the labels → the webhook goes by their own',
  ['WEBHOOK-NAMESPACE-02'],
  async ({ admin, author, services }) => {
    const rules = [{ ...rule('CREATE', 'DELETE'), resources: ['namespaces'] }];
    const [hook] = await install(admin, services, { rules, namespaceSelector: red, objectSelector: own(author) });
    const made = await author.given(namespaces, { metadata: { name: 'red', labels: RED } });
    await author.given(namespaces, { metadata: { name: 'plain' } });
    must('it was called for the labelled one', told(hook, 'name'), match.equal([made.metadata.name]));
    await author.prepare((each) => each.delete(namespaces, 'red'));
    await author.prepare((each) => each.delete(namespaces, 'plain'));
    must('also when it goes', told(hook, 'operation'), match.equal(['CREATE', 'DELETE']));
  },
);

check(
  'WEBHOOK-NAMESPACE-03.1',
  'the author creates another cluster-scoped object, and no namespace matches → the webhook is called',
  ['WEBHOOK-NAMESPACE-03'],
  async ({ admin, author, services, dialect }) => {
    const rules = [{ ...rule('CREATE'), apiGroups: [groupOf(clusterRoles, dialect)], resources: ['clusterroles'] }];
    const [hook] = await install(admin, services, { rules, namespaceSelector: red, objectSelector: own(author) });
    await author.given(clusterRoles, named('a'));
    must('it is never skipped', told(hook, 'operation'), match.equal(['CREATE']));
  },
);

/**
 * Waits until a state that a server may have kept of an object is the stored one, if it keeps any: the next write may
 * be decided on it at first, and a webhook be asked about labels that have just gone.
 */
async function followed(author: Actor, name: string): Promise<void> {
  const stored = await author.get(configMaps, name);
  const same = stored.succeeded
    ? match.field('metadata.resourceVersion', objectIn(stored).metadata.resourceVersion ?? '')
    : match.status(404);
  await should(() => author.get(configMaps, name, { resourceVersion: '0' }), same, { within: 3_000 });
}

check(
  'WEBHOOK-OBJECT-01.1',
  'the author gives labels and takes them away → the webhook is called where the new or the old object matches',
  ['WEBHOOK-OBJECT-01/labels'],
  async ({ admin, author, services }) => {
    const [hook] = await install(admin, services, { rules: [rule('*')], objectSelector: red });
    const label = (colour: string | null) => ({ metadata: { labels: { colour } } });
    const steps: [string, () => Promise<unknown>, number][] = [
      ['created without', () => author.given(configMaps, named('a')), 0],
      ['changed without', () => author.patch(configMaps, 'a', 'merge', { data: { a: '1' } }), 0],
      ['given', () => author.patch(configMaps, 'a', 'merge', label('red')), 1],
      ['taken away', () => author.patch(configMaps, 'a', 'merge', label(null)), 2],
      ['deleted without', () => author.delete(configMaps, 'a'), 2],
      ['created with', () => author.given(configMaps, { metadata: { name: 'b', labels: RED } }), 3],
      ['deleted with', () => author.delete(configMaps, 'b'), 4],
    ];
    for (const [what, step, calls] of steps) {
      await step();
      await followed(author, 'a');
      must(`labels ${what}: it was called where either matches`, hook?.reviews, match.size(calls));
    }
  },
);

check(
  'WEBHOOK-OBJECT-01.2',
  'the author creates objects with and without a label → webhooks go by every operator of their expressions',
  ['WEBHOOK-OBJECT-01/expressions'],
  async ({ admin, author, services }) => {
    const expressions = [
      { operator: 'In', values: ['red', 'blue'] },
      { operator: 'NotIn', values: ['red'] },
      { operator: 'Exists' },
      { operator: 'DoesNotExist' },
    ];
    const hooks = await install(
      admin,
      services,
      ...expressions.map((one) => ({
        rules: [rule('CREATE')],
        objectSelector: { ...own(author), matchExpressions: [{ key: 'colour', ...one }] },
      })),
    );
    const labels = author.space.labels;
    for (const [name, colour] of Object.entries({ red: { colour: 'red' }, grey: { colour: 'grey' }, none: {} }))
      await author.given(configMaps, { metadata: { name, labels: { ...labels, ...colour } } });
    const heard = hooks.map((hook) => told(hook, 'name'));
    must('each heard of what it selects', heard, match.equal([['red'], ['grey', 'none'], ['red', 'grey'], ['none']]));
  },
);

check(
  'WEBHOOK-OBJECT-02.1',
  'the author connects, which has no object with labels → only a webhook with an empty objectSelector is called',
  ['WEBHOOK-OBJECT-02'],
  async ({ admin, author, services, target }) => {
    await servedProxy(author, target.served);
    const rules = [{ ...rule('CONNECT'), resources: ['services/proxy'] }];
    const unlabelled = { matchExpressions: [{ key: 'colour', operator: 'DoesNotExist' }] };
    const [empty, full] = await install(
      admin,
      services,
      { rules, objectSelector: {} },
      { rules, objectSelector: unlabelled },
    );
    await author.request('GET', await author.pathOf(serviceObjects, 'behind', 'proxy'));
    const calls = [empty, full].map((hook) => hook?.reviews.length);
    must('what has no labels matches no selector', calls, match.equal([1, 0]));
  },
);
