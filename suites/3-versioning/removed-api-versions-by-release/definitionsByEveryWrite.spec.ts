import { extensionName } from '../../../fixtures/dialects/dialect.ts';
import { type ClauseName, DEFINING_WRITES, FIELD_WRITES, WRITES_BESIDE } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  check,
  clause,
  clausesOf,
  customResourceDefinitions,
  type Exchange,
  type Kind,
  match,
  must,
  named,
  PATCH_TYPES,
  type Query,
  queryText,
  should,
} from '../../harness/index.ts';
import { definition, kindIn, structural, version } from './definitionDrafts.ts';
import {
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
