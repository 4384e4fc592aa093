import { extensionName } from '../../../fixtures/dialects/dialect.ts';
import {
  type Actor,
  atRelease,
  type ClauseName,
  check,
  clause,
  clausesOf,
  customResourceDefinitions,
  type JsonObject,
  type Kind,
  match,
  must,
  ought,
  PATCH_TYPES,
  should,
} from '../../harness/index.ts';
import { definition, kindIn, structural, version } from './definitionDrafts.ts';
import { nameBy, send } from './everyWrite.ts';

const create = (author: Actor, change: object) =>
  author.create(customResourceDefinitions, definition(author, change), { fieldValidation: 'Strict' });

for (const [what, change] of [
  ['no scope', { scope: undefined }],
  ['an empty scope', { scope: '' }],
  ['a version without schema', { versions: [{ ...version, schema: undefined }] }],
  ['a schema without a type', { versions: [{ ...version, schema: { openAPIV3Schema: { properties: {} } } }] }],
  [
    'a schema with a field of no type',
    { versions: [{ ...version, schema: { openAPIV3Schema: { type: 'object', properties: { spec: {} } } } }] },
  ],
  ['preserveUnknownFields', { preserveUnknownFields: true }],
] as const) {
  check(
    `CHANGED-DEFINITION-01.1/${what}`,
    `the author defines a type with ${what} → refused`,
    ['CHANGED-DEFINITION-01'],
    async ({ author }) => {
      must('v1 does not take it', await create(author, change), match.refusal);
    },
  );
}

check(
  'CHANGED-DEFINITION-01.2',
  'the author defines types with preserveUnknownFields, whose schemas keep what they do not know, by every root or below one → refused, and without it taken',
  ['CHANGED-DEFINITION-01'],
  async ({ author, dialect }) => {
    const keeping = { type: 'object', [extensionName(dialect, 'preserve-unknown-fields')]: true };
    const second = { ...version, name: 'v2', storage: false };
    const of = (root: object) => ({ schema: { openAPIV3Schema: root } });
    for (const versions of [
      [{ ...version, ...of(keeping) }],
      [
        { ...version, ...of(keeping) },
        { ...second, ...of(keeping) },
      ],
      [{ ...version, ...of(keeping) }, second],
      [{ ...version, ...of({ type: 'object', properties: { spec: keeping } }) }],
    ]) {
      must('it is refused', await create(author, { versions, preserveUnknownFields: true }), match.refusal);
      const draft = definition(author, { versions, preserveUnknownFields: false });
      must(
        'it could be taken',
        await author.create(customResourceDefinitions, draft, { dryRun: 'All' }),
        match.created,
      );
    }
  },
);

check(
  'CHANGED-DEFINITION-02.1',
  'the author defines a type with all that belongs to its version → it reads as it was given',
  ['CHANGED-DEFINITION-02', 'CHANGED-DEFINITION-01'],
  async ({ author }) => {
    const columns = [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }];
    const whole = { ...version, subresources: { status: {} }, additionalPrinterColumns: columns };
    const webhook = {
      clientConfig: { service: { name: 'convert', namespace: 'default' } },
      conversionReviewVersions: ['v1'],
    };
    const conversion = { strategy: 'Webhook', webhook };
    const created = await create(author, { versions: [whole], conversion });
    must('it is taken', created, match.created);
    must('the version has them', created, match.field('spec.versions.0', match.including(whole)));
    must('the webhook is below', created, match.field('spec.conversion.webhook.conversionReviewVersions', ['v1']));
    const service = match.including(webhook.clientConfig.service);
    must('so is its service', created, match.field('spec.conversion.webhook.clientConfig.service', service));
  },
);

const column = { name: 'Size', type: 'integer' };
for (const [field, change] of [
  ['version', { version: 'v1' }],
  ['validation', { validation: { openAPIV3Schema: structural } }],
  ['subresources', { subresources: { status: {} } }],
  ['additionalPrinterColumns', { additionalPrinterColumns: [{ ...column, jsonPath: '.spec.size' }] }],
  ['JSONPath', { versions: [{ ...version, additionalPrinterColumns: [{ ...column, JSONPath: '.spec.size' }] }] }],
  ['webhookClientConfig', { conversion: { strategy: 'None', webhookClientConfig: { url: 'https://a.example/' } } }],
  ['conversionReviewVersions', { conversion: { strategy: 'None', conversionReviewVersions: ['v1'] } }],
] as const) {
  check(
    `CHANGED-DEFINITION-02.2/${field}`,
    `the author defines a type with ${field} as v1beta1 had it, fields checked → refused`,
    ['CHANGED-DEFINITION-02'],
    async ({ author }) => {
      must('v1 does not know it', await create(author, change), match.refusal);
    },
  );
}

/** The columns of two versions, none of which is in both. */
const columnsOf = {
  v1: [{ ...column, jsonPath: '.spec.size' }],
  v2: [
    { name: 'Width', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Sort', type: 'string', jsonPath: '.kind' },
  ],
};
type Versioned = keyof typeof columnsOf;
const columnNames = (version: Versioned) => columnsOf[version].map(({ name }) => name);
const versionsStoredIn = (stored: Versioned) =>
  (['v1', 'v2'] as const).map((name) => ({
    ...version,
    name,
    storage: name === stored,
    additionalPrinterColumns: columnsOf[name],
  }));

check(
  'CHANGED-DEFINITION-02.4',
  'the author defines a type of two versions with columns of their own, and stores it in either → what is got, listed and watched as a Table has those of the version that is asked for',
  ['CHANGED-DEFINITION-02', 'TABLE-DEFAULT-02'],
  async ({ author, dialect }) => {
    const asTable = { headers: { accept: `application/json;as=Table;v=v1;g=meta.${dialect.apiDomain}` } };
    const drawn = definition(author, { versions: versionsStoredIn('v1') });
    const { name } = drawn.metadata;
    await author.given(customResourceDefinitions, drawn);
    for (const version of ['v1', 'v2'])
      await author.prepare(
        async (by) => (await should(() => by.list(kindIn(drawn, version)), match.status(200))).subject,
      );
    await author.given(kindIn(drawn, 'v1'), { metadata: { name: 'doc' }, spec: { size: 3 } });
    for (const stored of ['v1', 'v2'] as const) {
      const spec = { versions: versionsStoredIn(stored) };
      if (stored === 'v2') await author.prepare((by) => by.patch(customResourceDefinitions, name, 'merge', { spec }));
      for (const [asked, other] of [
        ['v1', 'v2'],
        ['v2', 'v1'],
      ] as const) {
        const kind = kindIn(drawn, asked);
        const alien = match.at('name', match.oneOf(...columnNames(other)));
        const none = match.either(match.absent, match.every(match.not(alien)));
        const own = columnNames(asked).map((each) => match.containing(match.including({ name: each })));
        for (const [what, answer] of Object.entries({
          got: await author.get(kind, 'doc', {}, asTable),
          listed: await author.list(kind, {}, asTable),
          'nothing listed': await author.list(kind, { fieldSelector: 'metadata.name=none' }, asTable),
        })) {
          must(`${what} in ${asked}, none is of ${other}`, answer, match.field('columnDefinitions', none));
          ought(`${what} in ${asked}, its own are there`, answer, match.field('columnDefinitions', match.both(...own)));
        }
        const stream = await author.watch(kind, {}, asTable);
        // Whether a watch tells of Tables is for checks of its own.
        if (stream.opening.status !== 200) continue;
        const { object } = must('an event comes', await stream.until(match.event('ADDED')));
        must(`watched in ${asked}, none is of ${other}`, object, match.at('columnDefinitions', none));
      }
    }
  },
);

/** A type of two versions, of which the second alone has a status and a scale. */
const withAndWithout = (stored: Versioned) => {
  const counted = { type: 'object', properties: { replicas: { type: 'integer' } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: counted, status: counted } } };
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  return (['v1', 'v2'] as const).map((name) => ({
    ...version,
    name,
    schema,
    storage: name === stored,
    ...(name === 'v2' ? { subresources: { status: {}, scale } } : {}),
  }));
};

check(
  'CHANGED-DEFINITION-02.5',
  'the author defines a type of two versions, stored in either, of which one has a status and a scale, and writes a status in each by every write → the other keeps it as any field, and knows neither path',
  clausesOf('CHANGED-DEFINITION-02'),
  async ({ author }) => {
    const drawn = definition(author, { versions: withAndWithout('v1') });
    const { name } = drawn.metadata;
    await author.given(customResourceDefinitions, drawn);
    const [without, own] = [kindIn(drawn, 'v1'), kindIn(drawn, 'v2')];
    for (const each of [without, own])
      await author.prepare(async (by) => (await should(() => by.list(each), match.status(200))).subject);
    for (const stored of ['v1', 'v2'] as const) {
      const spec = { versions: withAndWithout(stored) };
      if (stored === 'v2') await author.prepare((by) => by.patch(customResourceDefinitions, name, 'merge', { spec }));
      await author.given(without, { metadata: { name: 'doc' }, spec: { replicas: 1 }, status: { replicas: 1 } });
      for (const [turn, write] of (['post', 'yaml', 'put', 'json', 'merge', 'apply'] as const).entries()) {
        const content = { spec: { replicas: 1 }, status: { replicas: turn + 2 } };
        const isThere = nameBy(write) === 'doc';
        for (const [words, kind] of [
          ['without-a-status', without],
          ['with-a-status', own],
        ] as const) {
          await author.prepare(() => send(author, without, 'put', { status: { replicas: 1 } }));
          const left = isThere ? match.field('status.replicas', 1) : match.field('status.replicas', match.absent);
          const expected = words === 'with-a-status' ? left : match.field('status', match.equal(content.status));
          await clause(`CHANGED-DEFINITION-02/${words}/${write}`, async () => {
            const written = await send(author, kind, write, content);
            must(`${kind.version} answers it, stored in ${stored}`, written, match.success, expected);
            for (const each of [without, own])
              must(`${each.version} shows it so`, await author.get(each, nameBy(write)), expected);
          });
          if (!isThere) await author.delete(kind, nameBy(write));
        }
      }
      const named = await author.prepare((by) => by.request('GET', `/apis/${own.group}/v1`));
      for (const part of ['status', 'scale']) {
        const asked = async (kind: Kind) => author.request('GET', await author.pathOf(kind, 'doc', part));
        const patched = async (kind: Kind) => {
          const headers = { 'content-type': PATCH_TYPES.merge };
          const body = part === 'status' ? { status: { replicas: 1 } } : { spec: { replicas: 1 } };
          return author.request('PATCH', await author.pathOf(kind, 'doc', part), { headers, body });
        };
        await clause(`CHANGED-DEFINITION-02/with/path-of-${part}` as ClauseName, async () => {
          must(`v2 has its ${part}`, await asked(own), match.success);
          must('and takes it', await patched(own), match.success);
        });
        await clause(`CHANGED-DEFINITION-02/without/path-of-${part}` as ClauseName, async () => {
          must(`v1 has no ${part}`, await asked(without), match.status(404, 405));
          must('and takes none', await patched(without), match.status(404, 405));
          const itself = match.including({ name: `${without.plural}/${part}` });
          must('nor does discovery tell of one', named, match.field('resources', match.not(match.containing(itself))));
        });
      }
      await author.delete(own, 'doc');
    }
  },
);

/** The parts of a definition, as v1beta1 says them for all versions and v1 for each. */
const url = 'https://convert.touchstone.example/';
const olderParts = {
  schema: { validation: { openAPIV3Schema: structural } },
  subresources: { subresources: { status: {} } },
  columns: { additionalPrinterColumns: [{ ...column, JSONPath: '.spec.size' }] },
  conversion: {
    conversion: { strategy: 'Webhook', webhookClientConfig: { url }, conversionReviewVersions: ['v1beta1', 'v1'] },
  },
};
const newerParts = {
  schema: { schema: { openAPIV3Schema: structural } },
  subresources: { subresources: { status: {} } },
  columns: { additionalPrinterColumns: [{ ...column, jsonPath: '.spec.size' }] },
};
const newerConversion = {
  strategy: 'Webhook',
  webhook: { clientConfig: { url }, conversionReviewVersions: ['v1beta1', 'v1'] },
};
const older = { ...customResourceDefinitions, version: 'v1beta1', specified: true };

check(
  'CHANGED-DEFINITION-03.1',
  'the author defines a type in v1beta1 for all versions at once → v1 shows each part with each version',
  clausesOf('CHANGED-DEFINITION-03', 'to-v1'),
  { setup: atRelease('1.21') },
  async ({ author }) => {
    const { metadata, spec } = definition(author);
    const { versions: _, scope: __, ...rest } = spec as typeof spec & { scope: unknown };
    const versions = [
      { name: 'v1', served: true, storage: true },
      { name: 'v1beta1', served: true, storage: false },
    ];
    const parts = Object.assign({}, ...Object.values(olderParts));
    await author.given(older, { metadata, spec: { ...rest, ...parts, versions, preserveUnknownFields: false } });
    const seen = await author.get(customResourceDefinitions, metadata.name);
    for (const [what, paths] of Object.entries({
      versions: {
        'spec.versions.0': match.including(versions[0] ?? {}),
        'spec.versions.1': match.including(versions[1] ?? {}),
      },
      schema: each(newerParts.schema),
      subresources: each(newerParts.subresources),
      columns: each(newerParts.columns),
      scope: { 'spec.scope': 'Namespaced' },
      conversion: { 'spec.conversion': match.including(newerConversion) },
    })) {
      await clause(`CHANGED-DEFINITION-03/to-v1/${what}`, async () => {
        must('it is there', seen, match.status(200));
        for (const [path, value] of Object.entries(paths)) must(`${path} has it`, seen, match.field(path, value));
      });
    }
  },
);

/** A part with each of two versions. */
function each(part: JsonObject): Record<string, match.Expectation> {
  return { 'spec.versions.0': match.including(part), 'spec.versions.1': match.including(part) };
}

check(
  'CHANGED-DEFINITION-03.2',
  'the author defines a type in v1 with the same in both versions → v1beta1 shows it, wherever it stands there',
  clausesOf('CHANGED-DEFINITION-03', 'to-v1beta1'),
  { setup: atRelease('1.21') },
  async ({ author }) => {
    const parts = Object.assign({}, ...Object.values(newerParts));
    const versions = [
      { name: 'v1', served: true, storage: true, ...parts },
      { name: 'v1beta1', served: true, storage: false, ...parts },
    ];
    const draft = definition(author, { versions, conversion: newerConversion, scope: 'Cluster' });
    await author.given(customResourceDefinitions, draft);
    const seen = await author.get(older, draft.metadata.name);
    const { conversion } = olderParts.conversion;
    for (const [what, allowed] of Object.entries({
      versions: [{ 'spec.versions.0.name': 'v1', 'spec.versions.1.name': 'v1beta1' }],
      schema: [beside(olderParts.schema), each(newerParts.schema)],
      subresources: [beside(olderParts.subresources), each(newerParts.subresources)],
      columns: [
        beside(olderParts.columns),
        each({ additionalPrinterColumns: olderParts.columns.additionalPrinterColumns }),
      ],
      scope: [{ 'spec.scope': 'Cluster' }],
      conversion: [{ 'spec.conversion': match.including(conversion) }],
    })) {
      await clause(`CHANGED-DEFINITION-03/to-v1beta1/${what}`, async () => {
        must('it is there', seen, match.status(200));
        const [first = match.status(200), ...others] = allowed.map(all);
        must(`it has the ${what}`, seen, others[0] ? match.either(first, others[0]) : first);
      });
    }
  },
);

/** A part that stands beside the versions. */
function beside(part: JsonObject): Record<string, match.Expectation> {
  return { spec: match.including(part) };
}
/** Several fields at once. */
function all(fields: Record<string, match.Expectation>) {
  return Object.entries(fields)
    .map(([path, value]) => match.field(path, value))
    .reduce((one, other) => match.both(one, other));
}
