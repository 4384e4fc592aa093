import {
  type Actor,
  atRelease,
  check,
  clause,
  clausesOf,
  customResourceDefinitions,
  type JsonObject,
  match,
  must,
} from '../../harness/index.ts';
import { definition, structural, version } from './definitionDrafts.ts';

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
