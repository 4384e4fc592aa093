import { extensionName } from '../../../fixtures/dialects/dialect.ts';
import {
  CHANGES,
  type ClauseName,
  DEFINING_WRITES,
  FIELD_WRITES,
  WORKLOADS,
  WRITES_BESIDE,
} from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  check,
  clause,
  clausesOf,
  customResourceDefinitions,
  type Exchange,
  type JsonObject,
  type Kind,
  match,
  mergedInto,
  must,
  named,
  PATCH_TYPES,
  type Query,
  queryText,
  should,
  webhookConfigurations,
} from '../../harness/index.ts';
import { definition, kindIn, structural, version } from './definitionDrafts.ts';
import {
  areRefused,
  type Content,
  fieldSteps,
  isStored,
  nameBy,
  type ObjectWrite,
  putBack,
  putPart,
  send,
  takingAway,
  YAML,
} from './everyWrite.ts';
import {
  budgets,
  daemonSets,
  deployments,
  idle,
  ingresses,
  mutatingConfigurations,
  priorityLevels,
  replicaSets,
  statefulSets,
  workload,
} from './kinds.ts';

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
  clausesOf('CHANGED-WEBHOOK-05'),
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

const beside = { ...version, name: 'v2', storage: false };
const unserved = { ...beside, served: false, schema: undefined };
const typeless = { openAPIV3Schema: { properties: {} } };
const within = (schema: object) => ({ openAPIV3Schema: { type: 'object', properties: { spec: schema } } });
const emptyField = { openAPIV3Schema: { type: 'object', properties: { spec: {} } } };

check(
  'CHANGED-DEFINITION-04.1',
  'the author writes a definition in every way without scope or with a schema that is none → refused, and nothing changes',
  clausesOf('CHANGED-DEFINITION-04'),
  async ({ author }) => {
    // Those that make one come first, as there is one name for all.
    for (const write of ['post', 'yaml', 'apply', 'put', 'json', 'json-fields', 'merge', 'strategic'] as const) {
      await clause(`CHANGED-DEFINITION-04/${write}`, async () => {
        for (const [what, change] of [
          ['no scope', { scope: undefined }],
          ['an empty scope', { scope: '' }],
          ['a version that is not served, without a schema', { versions: [version, unserved] }],
          [
            'a deprecated version without a schema',
            { versions: [version, { ...unserved, served: true, deprecated: true }] },
          ],
          ['a second version without a schema', { versions: [version, { ...beside, schema: undefined }] }],
          ['a second version with a schema of no type', { versions: [version, { ...beside, schema: typeless }] }],
          ['a field of no type', { versions: [version, { ...beside, schema: emptyField }] }],
          ['items of no type', { versions: [version, { ...beside, schema: within({ type: 'array', items: {} }) }] }],
          [
            'values of a map of no type',
            { versions: [version, { ...beside, schema: within({ type: 'object', additionalProperties: {} }) }] },
          ],
          ['preserveUnknownFields', { preserveUnknownFields: true }],
        ] as const) {
          const { metadata, spec } = definition(author);
          const made = nameBy(write) !== 'doc';
          // What is there already may have it.
          if (!made && 'preserveUnknownFields' in change) continue;
          const kind = customResourceDefinitions;
          const before = await author.get(kind, metadata.name);
          if (!made && before.status === 404) await author.given(kind, { metadata, spec });
          const changed = { ...spec, ...change };
          const answer = await define(author, write, { metadata, spec: changed });
          must(`${what} is refused`, answer, match.refusal);
          const after = await author.get(kind, metadata.name);
          if (made) must('nothing is stored', after, match.status(404));
          else must('nothing changes', after, match.status(200), match.field('spec.versions', match.size(1)));
        }
      });
    }
  },
);

/** Writes a definition in a way; those that make none need that it is there. */
async function define(
  author: Actor,
  write: ObjectWrite,
  { metadata, spec }: { metadata: { name: string }; spec: object },
  query: Query = {},
): Promise<Exchange> {
  const kind = customResourceDefinitions;
  const { name } = metadata;
  switch (write) {
    case 'post':
      return author.create(kind, { metadata, spec }, query);
    case 'yaml':
      return author.create(kind, { metadata, spec }, query, YAML);
    case 'apply':
      return author.apply(kind, { metadata, spec }, query);
    case 'put':
      return putBack(author, kind, name, (live) => ({ ...live, spec }), query);
    case 'json':
      return author.patch(kind, name, 'json', [{ op: 'add', path: '/spec', value: spec }], query);
    case 'json-fields':
      return author.patch(kind, name, 'json', fieldSteps((await author.get(kind, name)).json, { spec }), query);
    case 'merge':
    case 'strategic':
      return author.patch(kind, name, write, takingAway({ spec }) as object, query);
  }
}

check(
  'CHANGED-DEFINITION-02.3',
  'the author defines a type of three versions, each with parts of its own, by every write → each has its own, and the webhook is as given',
  ['CHANGED-DEFINITION-02'],
  async ({ author }) => {
    for (const [turn, write] of (['post', 'put', 'merge', 'json', 'json-fields', 'apply'] as const).entries()) {
      const columns = (...names: string[]) =>
        names.map((name) => ({ name, type: 'integer', jsonPath: `.spec.${name}${turn}` }));
      const scale = {
        specReplicasPath: `.spec.replicas${turn}`,
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      };
      const parts = (description: string) => ({
        schema: { openAPIV3Schema: { ...structural, description: `${description} by ${write}` } },
      });
      const versions = [
        { ...version, ...parts('first'), subresources: { status: {} }, additionalPrinterColumns: columns('a', 'b') },
        {
          ...version,
          ...parts('second'),
          name: 'v2',
          storage: false,
          subresources: { status: {}, scale },
          additionalPrinterColumns: columns('c'),
        },
        { ...version, ...parts('third'), name: 'v3beta1', storage: false },
      ];
      const service = { name: 'convert', namespace: 'default', path: `/convert/${write}`, port: 8443 + turn };
      const webhook = { clientConfig: { service }, conversionReviewVersions: ['v9', 'v1beta1', 'v1'] };
      const conversion = { strategy: 'Webhook', webhook };
      const drawn = definition(author, { versions, conversion });
      must(
        `${write} is taken`,
        await define(author, write, drawn, write === 'apply' ? { force: true } : {}),
        match.success,
      );
      const seen = await author.get(customResourceDefinitions, drawn.metadata.name);
      for (const [place, each] of versions.entries())
        must(`version ${each.name} has its own`, seen, match.field(`spec.versions.${place}`, match.including(each)));
      const third = match.both(
        match.at('subresources', match.absent),
        match.at('additionalPrinterColumns', match.absent),
      );
      must('the last one has nothing of the others', seen, match.field('spec.versions.2', third));
      const told = match.field('spec.conversion.webhook.conversionReviewVersions', webhook.conversionReviewVersions);
      must('the webhook has the versions in their order', seen, told);
      must(
        'and its service',
        seen,
        match.field('spec.conversion.webhook.clientConfig.service', match.including(service)),
      );
    }
  },
);

const url = 'https://convert.touchstone.example/';
check(
  'CHANGED-DEFINITION-05.1',
  'the author defines types as v1beta1 had it, fields checked and not → refused',
  clausesOf('CHANGED-DEFINITION-05'),
  async ({ author }) => {
    const reviews = { conversionReviewVersions: ['v1'] };
    const column = { name: 'Size', type: 'integer', JSONPath: '.size' };
    // Those that make one come first, as there is one name for all.
    for (const write of DEFINING_WRITES) {
      if (write === 'put') await author.given(customResourceDefinitions, definition(author));
      for (const [what, change] of [
        ['version', { versions: undefined, version: 'v1', validation: { openAPIV3Schema: structural } }],
        ['schema', { versions: [{ ...version, schema: undefined }], validation: { openAPIV3Schema: structural } }],
        ['webhook', { conversion: { strategy: 'Webhook', webhookClientConfig: { url }, ...reviews } }],
        ['review-versions', { conversion: { strategy: 'Webhook', webhook: { clientConfig: { url } }, ...reviews } }],
        ['column', { versions: [{ ...version, additionalPrinterColumns: [column] }] }],
      ] as const) {
        await clause(`CHANGED-DEFINITION-05/${what}/${write}`, async () => {
          for (const fieldValidation of ['Strict', 'Ignore']) {
            const asked = await define(author, write, definition(author, change), { fieldValidation });
            must(`it does not stand for what v1 requires under ${fieldValidation}`, asked, match.refusal);
          }
        });
      }
    }
  },
);

const subresources = {
  status: {},
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
};
/** A type of three versions: one keeps anything below some fields, one below its root, and one below a root that knows more. */
const keeping = (author: Actor) => {
  const any = { type: 'object', [extensionName(author.dialect, 'preserve-unknown-fields')]: true };
  const partly = { ...any, properties: { known: { type: 'string' }, below: { type: 'object' } } };
  return definition(author, {
    versions: [
      {
        ...version,
        storage: false,
        subresources,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { replicas: { type: 'integer' } } },
              free: any,
              deep: { type: 'object', properties: { free: any } },
              items: { type: 'array', items: any },
              map: { type: 'object', additionalProperties: any },
              partly,
              partlyItems: { type: 'array', items: partly },
              partlyMap: { type: 'object', additionalProperties: partly },
              status: any,
            },
          },
        },
      },
      { ...beside, storage: true, subresources, schema: { openAPIV3Schema: any } },
      { ...beside, name: 'v3', subresources, schema: { openAPIV3Schema: partly } },
    ],
  });
};
/** Any write of `doc` that leaves what it says beside its metadata, or writes a part of it. */
async function sendBeside(author: Actor, kind: Kind, write: (typeof WRITES_BESIDE)[number]): Promise<Exchange> {
  const labels = { 'touchstone.example/beside': write };
  const status = { by: write };
  const patched = async (part: string, type: keyof typeof PATCH_TYPES, body: object, query: Query = {}) => {
    const path = (await author.pathOf(kind, 'doc', part)) + queryText(query);
    return author.request('PATCH', path, { headers: { 'content-type': PATCH_TYPES[type] }, body });
  };
  switch (write) {
    case 'labels-put':
      return putBack(author, kind, 'doc', ({ metadata, ...live }) => ({ ...live, metadata: { ...metadata, labels } }));
    case 'labels-json':
      return author.patch(kind, 'doc', 'json', [{ op: 'add', path: '/metadata/labels', value: labels }]);
    case 'labels-merge':
      return author.patch(kind, 'doc', 'merge', { metadata: { labels } });
    case 'labels-apply':
      return author.apply(kind, { metadata: { name: 'doc', labels } }, { fieldManager: 'another', force: true });
    case 'status-put':
      return putPart(author, kind, 'doc', 'status', (live) => ({ ...live, status }));
    case 'status-json':
      return patched('status', 'json', [{ op: 'add', path: '/status', value: status }]);
    case 'status-merge':
      return patched('status', 'merge', { status });
    case 'status-apply': {
      const body = await author.fill(kind, { ...named('doc'), status });
      return patched('status', 'apply', body, { fieldManager: 'another', force: true });
    }
    case 'scale-merge':
      return patched('scale', 'merge', { spec: { replicas: 3 } });
  }
}
const unheardOf = { unheardOf: [{ any: 1 }], kind: 'word', apiVersion: 'v0' };

check(
  'CHANGED-DEFINITION-06.1',
  'the author writes in every way what a schema keeps though it does not know it → it is kept as it was given',
  clausesOf('CHANGED-DEFINITION-06'),
  async ({ author }) => {
    const drawn = keeping(author);
    await author.given(customResourceDefinitions, drawn);
    const [below, root, knowing] = [kindIn(drawn, 'v1'), kindIn(drawn, 'v2'), kindIn(drawn, 'v3')];
    for (const each of [below, root, knowing])
      await author.prepare(async (by) => (await should(() => by.list(each), match.status(200))).subject);
    for (const [what, kind, content] of [
      ['field', below, { free: unheardOf }],
      ['deep', below, { deep: { free: unheardOf } }],
      ['items', below, { items: [unheardOf, {}] }],
      ['map', below, { map: { one: unheardOf, two: {} } }],
      ['root', root, { other: unheardOf }],
      ['known-field', below, { partly: { ...unheardOf, known: 'word' } }],
      ['known-items', below, { partlyItems: [{ ...unheardOf, known: 'word' }, unheardOf] }],
      ['known-map', below, { partlyMap: { one: { ...unheardOf, known: 'word' }, two: unheardOf } }],
      ['known-root', knowing, { other: unheardOf, known: 'word' }],
    ] as const) {
      const [[member = '', expected] = []] = Object.entries(content);
      await author.given(kind, named('doc'));
      for (const write of FIELD_WRITES) {
        if (write === 'strategic') continue;
        await author.prepare(() => send(author, kind, 'put', { [member]: undefined }));
        await clause(`CHANGED-DEFINITION-06/${what}/${write}` as ClauseName, () =>
          isStored(author, kind, write, content, { [member]: match.equal(expected) }),
        );
      }
      await author.prepare(() => send(author, kind, 'put', { spec: { replicas: 1 }, [member]: undefined }));
      for (const write of WRITES_BESIDE) {
        await author.prepare(() => send(author, kind, 'merge', content));
        await clause(`CHANGED-DEFINITION-06/beside/${what}/${write}` as ClauseName, async () => {
          must('it is taken', await sendBeside(author, kind, write), match.success);
          must(
            'it is kept',
            await author.get(kind, 'doc'),
            match.status(200),
            match.field(member, match.equal(expected)),
          );
        });
      }
      await author.prepare(() => author.delete(kind, 'doc'));
    }
    await author.given(below, named('doc'));
    const path = await author.pathOf(below, 'doc', 'status');
    for (const [write, method, type] of [
      ['put', 'PUT', 'application/json'],
      ['yaml', 'PUT', 'application/yaml'],
      ['json', 'PATCH', PATCH_TYPES.json],
      ['merge', 'PATCH', PATCH_TYPES.merge],
      ['apply', 'PATCH', PATCH_TYPES.apply],
    ] as const) {
      await clause(`CHANGED-DEFINITION-06/status/${write}`, async () => {
        const status = { ...unheardOf, by: write };
        const live = (await author.get(below, 'doc')).json as ReturnType<typeof named>;
        const body = {
          put: { ...live, status },
          yaml: { ...live, status },
          json: [{ op: 'add', path: '/status', value: status }],
          merge: { status },
          apply: await author.fill(below, { ...named('doc'), status }),
        }[write];
        const query = write === 'apply' ? '?fieldManager=one&force=true' : '';
        const answer = await author.request(method, `${path}${query}`, { headers: { 'content-type': type }, body });
        must('it is taken', answer, match.success, match.field('status', match.equal(status)));
        must('it is kept', await author.get(below, 'doc'), match.field('status', match.equal(status)));
      });
    }
  },
);

const path = (pathType?: string) => ({
  path: '/a',
  pathType,
  backend: { service: { name: 'web', port: { number: 80 } } },
});
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

const KIND: Readonly<Record<(typeof WORKLOADS)[number], Kind>> = {
  deployments,
  replicasets: replicaSets,
  statefulsets: statefulSets,
  daemonsets: daemonSets,
};
/** A selector that selects the same. */
const labelled = { matchLabels: { app: 'a' } };
const matchExpressions = [{ key: 'app', operator: 'Exists' }];
/** The least `spec` of a kind, with a selector and labels of its pods to match, and more of it. */
function specOf(kind: Kind, app: string, more: object = {}): Content {
  const least = kind === daemonSets ? idle(app) : { replicas: 0, ...workload(app) };
  return { spec: { ...least, ...(kind === statefulSets ? { serviceName: 'none' } : {}), ...more } };
}

for (const type of WORKLOADS) {
  const kind = KIND[type];
  check(
    `CHANGED-WORKLOAD-06.1/${type}`,
    `the author writes one of ${type} in every way without a selector, and with another one → refused, and nothing changes`,
    clausesOf('CHANGED-WORKLOAD-06', type),
    async ({ author }) => {
      await author.given(kind, { ...named('doc'), ...specOf(kind, 'a') });
      for (const write of FIELD_WRITES) {
        await clause(`CHANGED-WORKLOAD-06/required/${type}/${write}`, () =>
          areRefused(author, kind, write, [['no selector', specOf(kind, 'a', { selector: undefined })]]),
        );
      }
      await author.prepare(() => author.apply(kind, { ...named('applied'), ...specOf(kind, 'a') }));
      for (const write of CHANGES) {
        await clause(`CHANGED-WORKLOAD-06/immutable/${type}/${write}`, () =>
          areRefused(author, kind, write, [
            ['another selector', specOf(kind, 'b')],
            ['an expression more in the selector', specOf(kind, 'a', { selector: { ...labelled, matchExpressions } })],
          ]),
        );
      }
    },
  );
}

interface Row {
  readonly type: 'deployments' | 'daemonsets' | 'statefulsets';
  readonly word: 'defaults' | 'kept' | 'half' | 'other-strategy';
  /** What is there before, what is written, and what is stored then. */
  readonly before: object;
  readonly given: object;
  readonly stored: Readonly<Record<string, unknown>>;
}
const rolling = (maxSurge?: number | string, maxUnavailable?: number | string) => ({
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
});
const busy = { progressDeadlineSeconds: 700, revisionHistoryLimit: 3, ...rolling(2, 3) };
const manual = { updateStrategy: { type: 'OnDelete', rollingUpdate: undefined } };
const QUARTER = { 'strategy.rollingUpdate.maxSurge': '25%', 'strategy.rollingUpdate.maxUnavailable': '25%' };
const ROWS: readonly Row[] = [
  {
    type: 'deployments',
    word: 'defaults',
    before: busy,
    given: { progressDeadlineSeconds: undefined, revisionHistoryLimit: undefined, strategy: undefined },
    stored: { progressDeadlineSeconds: 600, revisionHistoryLimit: 10, 'strategy.type': 'RollingUpdate', ...QUARTER },
  },
  {
    type: 'deployments',
    word: 'defaults',
    before: { progressDeadlineSeconds: 900, revisionHistoryLimit: 0, ...rolling(0, 1) },
    given: { progressDeadlineSeconds: undefined, revisionHistoryLimit: undefined, ...rolling(undefined, undefined) },
    stored: { progressDeadlineSeconds: 600, revisionHistoryLimit: 10, ...QUARTER },
  },
  { type: 'deployments', word: 'defaults', before: {}, given: { strategy: {} }, stored: QUARTER },
  {
    type: 'deployments',
    word: 'half',
    before: busy,
    given: rolling(undefined, 1),
    stored: { 'strategy.rollingUpdate.maxSurge': '25%', 'strategy.rollingUpdate.maxUnavailable': 1 },
  },
  {
    type: 'deployments',
    word: 'half',
    before: busy,
    given: rolling(1, undefined),
    stored: { 'strategy.rollingUpdate.maxSurge': 1, 'strategy.rollingUpdate.maxUnavailable': '25%' },
  },
  {
    type: 'deployments',
    word: 'kept',
    before: busy,
    given: { progressDeadlineSeconds: 900, revisionHistoryLimit: 0, ...rolling(0, 1) },
    stored: {
      progressDeadlineSeconds: 900,
      revisionHistoryLimit: 0,
      'strategy.rollingUpdate.maxSurge': 0,
      'strategy.rollingUpdate.maxUnavailable': 1,
    },
  },
  // A percentage of none is a value as any other, and as a string no number.
  ...(
    [
      ['0%', 1],
      [1, '0%'],
      ['0%', '100%'],
      ['100%', 0],
    ] as const
  ).map(
    ([maxSurge, maxUnavailable]): Row => ({
      type: 'deployments',
      word: 'kept',
      before: busy,
      given: rolling(maxSurge, maxUnavailable),
      stored: {
        'strategy.rollingUpdate.maxSurge': maxSurge,
        'strategy.rollingUpdate.maxUnavailable': maxUnavailable,
      },
    }),
  ),
  ...(
    [
      [{}, QUARTER],
      [{ rollingUpdate: { maxSurge: 3 } }, { ...QUARTER, 'strategy.rollingUpdate.maxSurge': 3 }],
      [{ rollingUpdate: { maxUnavailable: 0 } }, { ...QUARTER, 'strategy.rollingUpdate.maxUnavailable': 0 }],
    ] as const
  ).map(
    ([more, stored]): Row => ({
      type: 'deployments',
      word: 'other-strategy',
      before: { strategy: { type: 'Recreate' } },
      given: { strategy: { type: 'RollingUpdate', ...more } },
      stored: { 'strategy.type': 'RollingUpdate', ...stored },
    }),
  ),
  ...(['daemonsets', 'statefulsets'] as const).flatMap((type): Row[] => [
    {
      type,
      word: 'other-strategy',
      before: manual,
      given: { updateStrategy: { type: 'RollingUpdate' } },
      stored: { 'updateStrategy.type': 'RollingUpdate' },
    },
    {
      type,
      word: 'other-strategy',
      before: { updateStrategy: { type: 'RollingUpdate' } },
      given: manual,
      stored: { 'updateStrategy.type': 'OnDelete' },
    },
    {
      type,
      word: 'defaults',
      before: manual,
      given: { updateStrategy: undefined },
      stored: { 'updateStrategy.type': 'RollingUpdate' },
    },
    {
      type,
      word: 'defaults',
      before: {},
      given: { updateStrategy: {} },
      stored: { 'updateStrategy.type': 'RollingUpdate' },
    },
    {
      type,
      word: 'half',
      before: {},
      given: { updateStrategy: { type: undefined } },
      stored: { 'updateStrategy.type': 'RollingUpdate' },
    },
    { type, word: 'kept', before: {}, given: manual, stored: { 'updateStrategy.type': 'OnDelete' } },
  ]),
];

for (const type of ['deployments', 'daemonsets', 'statefulsets'] as const) {
  const kind = KIND[type];
  check(
    `CHANGED-WORKLOAD-07.1/${type}`,
    `the author writes one of ${type} in every way with what has a default and without → the defaults of apps/v1, and what was given`,
    clausesOf('CHANGED-WORKLOAD-07', type),
    async ({ author }) => {
      await author.given(kind, { ...named('doc'), ...specOf(kind, 'a') });
      for (const { word, before, given, stored } of ROWS.filter((row) => row.type === type)) {
        const writes = word === 'other-strategy' ? ([...CHANGES, 'json-fields'] as const) : FIELD_WRITES;
        for (const write of writes) {
          await author.prepare(() => send(author, kind, 'put', specOf(kind, 'a', before)));
          // An apply makes another object, which has to be there where it is to change.
          if (word === 'other-strategy' && write === 'apply')
            await author.prepare(() => send(author, kind, write, specOf(kind, 'a', before)));
          const expected = Object.entries(stored).map(([name, value]) => [`spec.${name}`, value] as const);
          await clause(`CHANGED-WORKLOAD-07/${word}/${type}/${write}` as ClauseName, () =>
            isStored(author, kind, write, specOf(kind, 'a', given), Object.fromEntries(expected) as never),
          );
        }
      }
    },
  );
}
