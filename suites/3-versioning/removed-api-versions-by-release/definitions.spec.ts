import { type Actor, check, customResourceDefinitions, match, must } from '../../harness/index.ts';

const structural = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
};
const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: structural } };

/** A definition that is as v1 wants it, under names of the check's own. */
function definition({ space }: Actor, change: object = {}) {
  const plural = `${space.prefix}-shapes`;
  const kind = `Shape${space.prefix.replace(/[^a-z0-9]/g, '')}`;
  const group = 'shapes.touchstone.example';
  const names = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` };
  return {
    metadata: { name: `${plural}.${group}` },
    spec: { group, names, scope: 'Namespaced', versions: [version], ...change },
  };
}
const create = (author: Actor, change: object) =>
  author.create(customResourceDefinitions, definition(author, change), { fieldValidation: 'Strict' });

for (const [what, change] of [
  ['no scope', { scope: undefined }],
  ['a version without schema', { versions: [{ ...version, schema: undefined }] }],
  ['a schema without a type', { versions: [{ ...version, schema: { openAPIV3Schema: { properties: {} } } }] }],
  [
    'a schema with a field of no type',
    { versions: [{ ...version, schema: { openAPIV3Schema: { type: 'object', properties: { spec: {} } } } }] },
  ],
  ['preserveUnknownFields', { preserveUnknownFields: true }],
] as const) {
  check(`the author defines a type with ${what} → refused`, ['CHANGED-DEFINITION-01'], async ({ author }) => {
    must('v1 does not take it', await create(author, change), match.refusal);
  });
}

check(
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
    must('it is taken', created, match.status(201));
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
    `the author defines a type with ${field} as v1beta1 had it, fields checked → refused`,
    ['CHANGED-DEFINITION-02'],
    async ({ author }) => {
      must('v1 does not know it', await create(author, change), match.refusal);
    },
  );
}
