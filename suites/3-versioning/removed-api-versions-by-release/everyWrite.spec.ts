import { CHANGES, FIELD_WRITES } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  check,
  clause,
  clausesOf,
  type Exchange,
  type JsonObject,
  match,
  mergedInto,
  must,
  named,
  webhookConfigurations,
} from '../../harness/index.ts';
import { areRefused, type Content, isStored, type ObjectWrite, putBack, send } from './everyWrite.ts';
import { budgets, ingresses, mutatingConfigurations, priorityLevels } from './kinds.ts';

const limited = (shares?: number): Content => ({
  spec: { type: 'Limited', limited: { nominalConcurrencyShares: shares, limitResponse: { type: 'Reject' } } },
});

check(
  'CHANGED-FLOWCONTROL-04.1',
  'the author leaves the shares of a priority level out, or gives it none, by every write → 30, or none',
  [...clausesOf('CHANGED-FLOWCONTROL-04', 'unset'), ...clausesOf('CHANGED-FLOWCONTROL-04', 'zero')],
  async ({ author }) => {
    await author.given(priorityLevels, { ...named('doc'), ...limited(7) });
    for (const write of FIELD_WRITES) {
      for (const [what, before, given, read] of [
        ['unset', 7, undefined, 30],
        ['unset', 0, undefined, 30],
        ['zero', 7, 0, 0],
      ] as const) {
        await author.prepare(() => send(author, priorityLevels, 'put', limited(before)));
        await clause(`CHANGED-FLOWCONTROL-04/${what}/${write}`, () =>
          isStored(author, priorityLevels, write, limited(given), { 'spec.limited.nominalConcurrencyShares': read }),
        );
      }
    }
  },
);

check(
  'CHANGED-FLOWCONTROL-04.2',
  'the author writes something else of a priority level without shares, by every write → it has none still',
  clausesOf('CHANGED-FLOWCONTROL-04', 'beside'),
  async ({ author }) => {
    await author.given(priorityLevels, { ...named('doc'), ...limited(0) });
    /** A label, a field beside the shares, and one further down: where they show, and the change of them. */
    const changes = (write: (typeof CHANGES)[number]): readonly (readonly [string, string | number, JsonObject])[] => {
      const lendablePercent = CHANGES.indexOf(write) + 1;
      const queuing = { queues: 8, handSize: 2, queueLengthLimit: write.length };
      return [
        ['metadata.labels.write', write, { metadata: { labels: { write } } }],
        ['spec.limited.lendablePercent', lendablePercent, { spec: { limited: { lendablePercent } } }],
        [
          'spec.limited.limitResponse.queuing.queueLengthLimit',
          write.length,
          { spec: { limited: { limitResponse: { type: 'Queue', queuing } } } },
        ],
      ];
    };
    for (const write of CHANGES)
      await clause(`CHANGED-FLOWCONTROL-04/beside/${write}`, async () => {
        await author.prepare(() => send(author, priorityLevels, 'put', limited(0)));
        for (const [path, value, change] of changes(write)) {
          const written = await writtenBeside(author, write, change);
          const none = match.field('spec.limited.nominalConcurrencyShares', 0);
          must('it is taken', written, match.status(200), match.field(path, value), none);
          must('it is stored', await author.get(priorityLevels, 'doc'), none);
        }
      });
  },
);

/** Writes what a priority level is to have beside what it has. */
function writtenBeside(author: Actor, write: (typeof CHANGES)[number], change: JsonObject): Promise<Exchange> {
  if (write === 'put') return putBack(author, priorityLevels, 'doc', (live) => mergedInto(live, change));
  if (write === 'apply') {
    return author.apply(priorityLevels, mergedInto(named('doc'), change), { force: true });
  }
  if (write !== 'json') return author.patch(priorityLevels, 'doc', write, change);
  const steps = Object.entries((change.spec as { limited?: JsonObject } | undefined)?.limited ?? {}).map(
    ([field, value]) => ({ op: 'add', path: `/spec/limited/${field}`, value }),
  );
  const { metadata } = change as { metadata?: { labels: JsonObject } };
  for (const [label, value] of Object.entries(metadata?.labels ?? {}))
    steps.push({ op: 'add', path: `/metadata/labels/${label}`, value });
  return author.patch(priorityLevels, 'doc', 'json', steps);
}

const budgeted = (selector?: Content): Content => ({ spec: { minAvailable: 1, selector } });

check(
  'CHANGED-DISRUPTION-03.1',
  'the author leaves the selector of a budget empty, or out, by every write → it is so',
  clausesOf('CHANGED-DISRUPTION-03'),
  async ({ author }) => {
    const some = budgeted({ matchLabels: { app: 'a' } });
    await author.given(budgets, { ...named('doc'), ...some });
    for (const write of FIELD_WRITES) {
      for (const [what, before, given, read] of [
        // Merges take away what it had.
        ['empty', some, { matchLabels: undefined }, {}],
        ['empty', budgeted(), {}, {}],
        ['empty', budgeted(), { matchLabels: {} }, match.oneOf(match.equal({}), match.equal({ matchLabels: {} }))],
        [
          'empty',
          budgeted(),
          { matchExpressions: [] },
          match.oneOf(match.equal({}), match.equal({ matchExpressions: [] })),
        ],
        ['unset', some, undefined, match.absent],
        ['unset', budgeted({}), undefined, match.absent],
      ] as const) {
        await author.prepare(() => send(author, budgets, 'put', before));
        await clause(`CHANGED-DISRUPTION-03/${what}/${write}`, () =>
          isStored(author, budgets, write, budgeted(given), { 'spec.selector': read }),
        );
      }
    }
    await author.prepare(() => send(author, budgets, 'put', some));
    await clause('CHANGED-DISRUPTION-03/empty/json', async () => {
      const steps = [{ op: 'replace', path: '/spec/selector', value: {} }];
      must('it is taken', await author.patch(budgets, 'doc', 'json', steps), match.success);
      must('it is stored', await author.get(budgets, 'doc'), match.field('spec.selector', {}));
    });
  },
);

/** Without rules it is called for nothing. */
const hook = (change: object = {}) => ({
  name: 'check.touchstone.example',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { service: { name: 'hook', namespace: 'default' } },
  ...change,
});
const second = { name: 'second.touchstone.example' };
const third = { name: 'third.touchstone.example' };
const hooks = (...webhooks: object[]): Content => ({ webhooks });
/** What v1 refuses of a webhook, as a change of one that it takes. */
const REFUSED_OF_A_WEBHOOK = [
  ['no sideEffects', { sideEffects: undefined }],
  ['sideEffects Some', { sideEffects: 'Some' }],
  ['empty sideEffects', { sideEffects: '' }],
  ['sideEffects Unknown', { sideEffects: 'Unknown' }],
  ['no admissionReviewVersions', { admissionReviewVersions: undefined }],
  ['no review version that is known', { admissionReviewVersions: ['v99'] }],
  ['an empty list of review versions', { admissionReviewVersions: [] }],
] as const;
const refusedSecond = REFUSED_OF_A_WEBHOOK.map(
  ([what, change]) => [`${what} of a second webhook`, hooks(hook(), hook({ ...second, ...change }))] as const,
);
/** What v1 refuses of the only webhook, of one behind it, and of the names of several. */
const refusedWebhooks = (write: ObjectWrite) => [
  ...REFUSED_OF_A_WEBHOOK.map(([what, change]) => [what, hooks(hook(change))] as const),
  ...refusedSecond,
  [
    'sideEffects Some of the last of three',
    hooks(hook(), hook(second), hook({ ...third, sideEffects: 'Some' })),
  ] as const,
  // Writes that merge by name make one of the two.
  ...(write === 'strategic' || write === 'apply' ? [] : NAMES_TWICE),
];
const NAMES_TWICE = [
  ['a name twice', hooks(hook(), hook())],
  ['a name twice with another between', hooks(hook(), hook(second), hook())],
] as const;
const unusual = hooks(hook({ failurePolicy: 'Ignore', matchPolicy: 'Exact', timeoutSeconds: 5 }));

check(
  'CHANGED-WEBHOOK-03.1',
  'the author writes mutating webhooks in every way without what v1 wants → refused, and nothing changes',
  clausesOf('CHANGED-WEBHOOK-03', 'refused'),
  async ({ author }) => {
    await author.given(mutatingConfigurations, { ...named('doc'), ...unusual });
    for (const write of FIELD_WRITES) {
      await clause(`CHANGED-WEBHOOK-03/refused/${write}`, () =>
        areRefused(author, mutatingConfigurations, write, refusedWebhooks(write)),
      );
    }
    // The second one by itself, where it is there already.
    await author.prepare(() => send(author, mutatingConfigurations, 'put', hooks(hook(), hook(second))));
    for (const write of ['json-fields', 'strategic'] as const)
      await clause(`CHANGED-WEBHOOK-03/refused/${write}`, () =>
        areRefused(author, mutatingConfigurations, write, refusedSecond),
      );
  },
);

check(
  'CHANGED-WEBHOOK-04.1',
  'the author changes a validating webhook in every way to one without what v1 wants → refused, and nothing changes',
  clausesOf('CHANGED-WEBHOOK-04'),
  async ({ author }) => {
    await author.given(webhookConfigurations, { ...named('doc'), ...unusual });
    for (const write of ['put', 'json', 'merge', 'strategic', 'apply', 'json-fields', 'yaml'] as const) {
      await clause(`CHANGED-WEBHOOK-04/${write}`, () =>
        areRefused(author, webhookConfigurations, write, refusedWebhooks(write)),
      );
    }
    // The second one by itself, where it is there already.
    await author.prepare(() => send(author, webhookConfigurations, 'put', hooks(hook(), hook(second))));
    for (const write of ['json-fields', 'strategic'] as const)
      await clause(`CHANGED-WEBHOOK-04/${write}`, () =>
        areRefused(author, webhookConfigurations, write, refusedSecond),
      );
  },
);

const unset = { failurePolicy: undefined, matchPolicy: undefined, timeoutSeconds: undefined };
const twoUnset = hooks(hook(unset), hook({ ...second, ...unset }));
const DEFAULTS = Object.fromEntries(
  [0, 1].flatMap((place) => [
    [`webhooks.${place}.failurePolicy`, 'Fail'],
    [`webhooks.${place}.matchPolicy`, 'Equivalent'],
    [`webhooks.${place}.timeoutSeconds`, 10],
  ]),
);

check(
  'CHANGED-WEBHOOK-03.2',
  'the author writes a mutating webhook in every way that leaves out what has a default → the defaults of v1',
  clausesOf('CHANGED-WEBHOOK-03', ['defaults', 'older-reviews']),
  async ({ author }) => {
    await author.given(mutatingConfigurations, { ...named('doc'), ...unusual });
    for (const write of FIELD_WRITES) {
      await author.prepare(() => send(author, mutatingConfigurations, 'put', unusual));
      await clause(`CHANGED-WEBHOOK-03/defaults/${write}`, () =>
        isStored(author, mutatingConfigurations, write, twoUnset, DEFAULTS),
      );
      await clause(`CHANGED-WEBHOOK-03/older-reviews/${write}`, () =>
        isStored(author, mutatingConfigurations, write, hooks(hook({ admissionReviewVersions: ['v1beta1'] })), {
          'webhooks.0.admissionReviewVersions': ['v1beta1'],
        }),
      );
    }
  },
);

check(
  'CHANGED-WEBHOOK-05.1',
  'the author writes two validating webhooks in every way that leave out what has a default → each has the defaults of v1',
  clausesOf('CHANGED-WEBHOOK-05', FIELD_WRITES),
  async ({ author }) => {
    await author.given(webhookConfigurations, { ...named('doc'), ...unusual });
    for (const write of FIELD_WRITES) {
      await author.prepare(() => send(author, webhookConfigurations, 'put', unusual));
      await clause(`CHANGED-WEBHOOK-05/${write}`, () =>
        isStored(author, webhookConfigurations, write, twoUnset, DEFAULTS),
      );
    }
  },
);

const path = (pathType?: string) => ({
  path: '/a',
  pathType,
  backend: { service: { name: 'web', port: { number: 80 } } },
});
/** It is for every path, and of no type. */
const anywhere = { ...path(), path: undefined };
const withPaths = (...paths: object[]): Content => ({
  spec: { rules: [{ host: 'a.touchstone.example', http: { paths } }] },
});
/** Each of them in a rule of its own. */
const withRules = (...paths: object[]): Content => ({
  spec: { rules: paths.map((each, place) => ({ host: `${place}.touchstone.example`, http: { paths: [each] } })) },
});

check(
  'CHANGED-INGRESS-03.1',
  'the author writes an Ingress in every way with a path of no type or of an unknown one → refused, and nothing changes',
  clausesOf('CHANGED-INGRESS-03'),
  async ({ author }) => {
    await author.given(ingresses, { ...named('doc'), ...withPaths(path('Prefix')) });
    for (const write of FIELD_WRITES) {
      await clause(`CHANGED-INGRESS-03/${write}`, async () => {
        // No list of an Ingress is merged by keys, so that a path has what is mentioned alone.
        if (write === 'strategic')
          for (const unmentioned of [withPaths(path()), withRules(path('Exact'), path())])
            must(
              'a path that mentions no pathType is refused',
              await author.patch(ingresses, 'doc', write, unmentioned),
              match.refusal,
            );
        const port = withPaths({ ...path('Exact'), backend: { service: { name: 'web', port: { number: 'http' } } } });
        await areRefused(author, ingresses, write, [
          ['a path without pathType', withPaths(path())],
          ['a second path without pathType', withPaths(path('Exact'), { ...path(), path: '/b' })],
          ['a path without pathType in a second rule', withRules(path('Exact'), path())],
          ['an entry without path and pathType', withPaths(anywhere)],
          ['a second entry without path and pathType', withPaths(path('Exact'), anywhere)],
          ['an entry without path and pathType in a second rule', withRules(path('Exact'), anywhere)],
          ['a path of an unknown type in a second rule', withRules(path('Exact'), path('Regex'))],
          ['a path of an unknown type', withPaths(path('Regex'))],
          ['a path of a type in lower case', withPaths(path('prefix'))],
          ['a path of an empty type', withPaths(path(''))],
          // The real service answers an apply of a value of a wrong type with 500.
          ...(write === 'apply' ? [] : [['a name as the number of a port', port] as const]),
        ]);
      });
    }
  },
);
