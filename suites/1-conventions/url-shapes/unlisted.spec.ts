import { EVERY_TYPE } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  apiVersionOf,
  check,
  clause,
  clausesOf,
  type Exchange,
  isRecord,
  type Kind,
  listsSubresources,
  match,
  must,
  named,
  namespaces,
  PATCH_TYPES,
  serviceAccounts,
  should,
  unsupported,
} from '../../harness/index.ts';
import { tested } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';

const METHODS: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'GET',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
};

const documentOf = (version: string) => (version.includes('/') ? `/apis/${version}` : `/api/${version}`);
/** The types and subresources that a document of discovery lists. */
function namesIn({ json }: Exchange): readonly string[] {
  const resources = isRecord(json) && Array.isArray(json.resources) ? json.resources : [];
  return resources.filter(isRecord).map(({ name }) => String(name));
}

/** The verbs that discovery lists for a resource type or subresource; `undefined` where it lists none such. */
async function listedVerbs(author: Actor, version: string, name: string): Promise<unknown[] | undefined> {
  const document = await author.request('GET', documentOf(version));
  const resources = isRecord(document.json) && Array.isArray(document.json.resources) ? document.json.resources : [];
  const entry = resources.find((each) => isRecord(each) && each.name === name);
  return isRecord(entry) && Array.isArray(entry.verbs) ? entry.verbs : undefined;
}
/** Sends each verb that is not listed; with a body that a service which took it would take for a change. */
async function tryUnlisted(author: Actor, verbs: readonly unknown[], path: string, body: object) {
  for (const [verb, method] of Object.entries(METHODS)) {
    if (verbs.includes(verb) || (method === 'GET' && (verbs.includes('get') || verbs.includes('list')))) continue;
    const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
    const options = method === 'GET' ? {} : { headers, body: method === 'DELETE' ? {} : body };
    must(`${verb} is not served`, await author.request(method, path, options), match.status(404, 405));
  }
}

const PARTS: readonly (readonly [kind: Kind, subresource: string])[] = [
  [namespaces, 'status'],
  [namespaces, 'finalize'],
  [serviceAccounts, 'token'],
];
for (const [kind, part] of PARTS) {
  check(
    `DISCOVERY-CLAIM-02.1/${kind.plural}/${part}`,
    `the author uses verbs that discovery does not list for ${kind.plural}/${part} → 404 or 405, and nothing changes`,
    ['DISCOVERY-CLAIM-02'],
    async ({ author, dialect, target }) => {
      if (!listsSubresources(target.served)) unsupported('discovery lists no subresources');
      const verbs = await listedVerbs(author, apiVersionOf(kind, dialect), `${kind.plural}/${part}`);
      const live = await author.given(kind, named('doc'));
      const changed = { ...live, metadata: { ...live.metadata, labels: { changed: 'yes' } } };
      await tryUnlisted(author, verbs ?? [], await author.pathOf(kind, 'doc', part), changed);
      const { uid } = live.metadata;
      const now = await author.get(kind, 'doc');
      must('it is still there', now, match.status(200), match.field('metadata.uid', uid ?? null));
      must('and unchanged', now, match.field('metadata.labels', match.not(match.including({ changed: 'yes' }))));
    },
  );
}

/** Subresources that some types have; which a type has is what discovery lists of it. */
const SUBRESOURCES = ['status', 'scale', 'finalize', 'token', 'no-such-part'];

for (const type of EVERY_TYPE) {
  check(
    `DISCOVERY-CLAIM-02.3/${type}`,
    `the author sends every verb to each subresource that ${type} have not → 404 or 405, and nothing changes`,
    [...clausesOf('DISCOVERY-CLAIM-02', type), `URL-SUBRESOURCE-01/${type}`],
    tested(type).needs,
    async ({ author, dialect, target }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const live = await writer.given('doc');
      const changed = { ...live, ...writer.content('new'), metadata: { ...live.metadata, labels: { changed: 'yes' } } };
      const names = async () => namesIn(await author.request('GET', documentOf(apiVersionOf(kind, dialect))));
      // It may come to be known a moment after the type is served.
      const listed = must('discovery lists the type', await should(names, match.containing(kind.plural)));
      const parts = listsSubresources(target.served) ? SUBRESOURCES : ['no-such-part'];
      const unlisted = parts.filter((each) => !listed.includes(`${kind.plural}/${each}`));
      await clause(`URL-SUBRESOURCE-01/${type}`, async () => {
        for (const part of unlisted) {
          const path = await author.pathOf(kind, 'doc', part);
          for (const accept of ['application/json', 'application/yaml'])
            must(`there is no ${part}`, await author.request('GET', path, { headers: { accept } }), match.status(404));
        }
      });
      await clause(`DISCOVERY-CLAIM-02/${type}`, async () => {
        for (const part of unlisted) {
          const path = await author.pathOf(kind, 'doc', part);
          await tryUnlisted(author, [], path, changed);
          const bodies = [
            ['POST', 'application/json', changed],
            ['PUT', 'application/yaml', changed],
            ['PATCH', PATCH_TYPES.json, [{ op: 'add', path: '/metadata/labels', value: { changed: 'yes' } }]],
            [
              'PATCH',
              PATCH_TYPES.apply,
              await author.fill(kind, { metadata: { name: 'doc', labels: { changed: 'yes' } } }),
            ],
          ] as const;
          for (const [method, contentType, body] of part === 'status' ? bodies : []) {
            const query = contentType === PATCH_TYPES.apply ? '?fieldManager=author&force=true' : '';
            const sent = { headers: { 'content-type': contentType }, body };
            must(
              `${method} finds no ${part}`,
              await author.request(method, path + query, sent),
              match.status(404, 405),
            );
          }
          const missing = await author.pathOf(kind, 'missing', part);
          must('nor has what is not there', await author.request('GET', missing), match.status(404, 405));
        }
        must('the object is as it was', await writer.get('doc'), match.body(live));
      });
    },
  );
}

for (const [prefix, name] of [
  ['authorization', 'selfsubjectaccessreviews'],
  ['authentication', 'tokenreviews'],
]) {
  check(
    `DISCOVERY-CLAIM-02.2/${name}`,
    `the author uses verbs that discovery does not list for ${name} → 404 or 405`,
    ['DISCOVERY-CLAIM-02'],
    async ({ author, dialect }) => {
      const version = `${prefix}.${dialect.apiDomain}/v1`;
      const verbs = must('discovery names it', await listedVerbs(author, version, name ?? ''), match.anArray);
      for (const path of [`/apis/${version}/${name}`, `/apis/${version}/${name}/some-name`]) {
        await tryUnlisted(author, verbs ?? [], path, { metadata: { name: 'some-name' } });
      }
    },
  );
}
