import type { Actor, Exchange } from '../../harness/index.ts';
import {
  apiVersionOf,
  check,
  clusterRoleBindings,
  customResourceDefinitions,
  defineType,
  isRecord,
  listsSubresources,
  match,
  must,
  namespaces,
  roles,
  rootOfVersion,
  should,
  typesServed,
  unsupported,
  webhookConfigurations,
} from '../../harness/index.ts';
import { deployments } from '../validatingwebhookconfiguration/otherKinds.ts';

const EACH = [namespaces, roles, clusterRoleBindings, webhookConfigurations];

for (const kind of EACH) {
  check(
    `DISCOVERY-RESOURCE-01.1/${kind.plural}`,
    `the author reads discovery of ${kind.plural} → name, kind, scope and verbs`,
    ['DISCOVERY-RESOURCE-01', 'DISCOVERY-NAME-01', 'DISCOVERY-SCOPE-01'],
    async ({ author, dialect }) => {
      const document = await author.request('GET', rootOfVersion(apiVersionOf(kind, dialect)));
      const entry = match.including({
        name: kind.plural,
        kind: kind.kind,
        namespaced: kind.namespaced,
        verbs: match.both(match.containing('get'), match.containing('list'), match.containing('create')),
      });
      must('it is named', document, match.status(200), match.field('resources', match.containing(entry)));
    },
  );
}

check(
  'DISCOVERY-RESOURCE-01.9',
  'the author reads discovery, defines a type, reads it again and removes the type → what is served by then is named, and no other verbs',
  ['DISCOVERY-RESOURCE-01', 'DISCOVERY-NAME-01', 'DISCOVERY-SCOPE-01', 'DISCOVERY-CLAIM-01'],
  ['custom-types'],
  async ({ author, dialect }) => {
    const type = await defineType(author, dialect, () => ({ type: 'object' }), false);
    const root = rootOfVersion(apiVersionOf(type, dialect));
    const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
    const entry = { name: type.plural, kind: type.kind, namespaced: false, verbs: match.sameItems(verbs) };
    const named = match.field('resources', match.containing(match.including(entry)));
    const read = () => author.request('GET', root);
    // What a definition says may take a moment to be told.
    must('it is named', await should(read, match.both(match.status(200), named)));
    await author.prepare((actor) => actor.delete(customResourceDefinitions, `${type.plural}.${type.group}`));
    must('it is not served any more', await should(() => author.list(type), match.status(404)));
    // Without any other type in the group there may be no document.
    const names = async () => {
      const { json } = await read();
      const resources = isRecord(json) && Array.isArray(json.resources) ? json.resources : [];
      return resources.map((each) => (isRecord(each) ? each.name : undefined));
    };
    must('nor named', await should(names, match.not(match.containing(type.plural))));
  },
);

check(
  'DISCOVERY-RESOURCE-01.10',
  'the author and the rival read discovery of a group whenever a type, a subresource or a version of it comes or goes → what is served by then',
  ['DISCOVERY-RESOURCE-01', 'DISCOVERY-NAME-01', 'DISCOVERY-SCOPE-01'],
  ['custom-types'],
  async ({ author, rival, space, target }) => {
    const group = `${space.prefix}.touchstone.example`;
    const version = (name: string, storage: boolean, more: object = {}) => ({
      name,
      storage,
      served: true,
      schema: { openAPIV3Schema: { type: 'object', properties: { status: { type: 'object' } } } },
      ...more,
    });
    const define = (word: 'first' | 'second', scope: 'Namespaced' | 'Cluster') =>
      author.given(customResourceDefinitions, {
        metadata: { name: definitionOf(word) },
        spec: {
          group,
          scope,
          names: { plural: pluralOf(word), singular: word, kind: kindOf(word), listKind: `${kindOf(word)}List` },
          versions: [version('v1', true)],
        },
      });
    const pluralOf = (word: string) => `${space.prefix}-${word}`;
    const definitionOf = (word: string) => `${pluralOf(word)}.${group}`;
    const kindOf = (word: string) =>
      `${word === 'first' ? 'First' : 'Second'}${space.prefix.replace(/[^a-z0-9]/g, '')}`;
    const reversion = (...versions: readonly object[]) =>
      author.prepare(() =>
        author.patch(customResourceDefinitions, definitionOf('first'), 'merge', { spec: { versions } }),
      );
    /** That a version has these types and subresources, and no other; without any there may be no document. */
    const told = async (name: string, resources: Readonly<Record<string, readonly [kind: string, boolean]>>) => {
      const named = Object.entries(resources).filter(([at]) => !at.includes('/') || listsSubresources(target.served));
      const entries = named.map(([at, [kind, namespaced]]) =>
        match.containing(match.including({ name: at, kind, namespaced })),
      );
      const size = match.size(entries.length);
      for (const reader of [author, rival]) {
        const read = async () => {
          const { json } = await reader.request('GET', `/apis/${group}/${name}`);
          return isRecord(json) && Array.isArray(json.resources) ? json.resources : [];
        };
        must(`${name} has what is served`, await should(read, match.both(size, ...entries)));
      }
    };
    const first = { [pluralOf('first')]: [kindOf('first'), true] } as const;
    const second = { [pluralOf('second')]: [kindOf('second'), false] } as const;
    await define('first', 'Namespaced');
    await told('v1', first);
    await define('second', 'Cluster');
    await told('v1', { ...first, ...second });
    const status = { [`${pluralOf('first')}/status`]: [kindOf('first'), true] } as const;
    await reversion(version('v1', true, { subresources: { status: {} } }));
    await told('v1', { ...first, ...status, ...second });
    await reversion(version('v1', true), version('v2', false));
    await told('v1', { ...first, ...second });
    await told('v2', first);
    await reversion(version('v1', true), version('v2', false, { subresources: { status: {} } }));
    await told('v1', { ...first, ...second });
    await told('v2', { ...first, ...status });
    await reversion(version('v1', true, { served: false }), version('v2', false));
    await told('v1', second);
    await author.prepare(() => author.delete(customResourceDefinitions, definitionOf('first')));
    await told('v2', {});
    await told('v1', second);
    await define('first', 'Namespaced');
    await told('v1', { ...first, ...second });
  },
);

check(
  'DISCOVERY-NAME-01.9',
  'the author reads discovery of the scale of deployments → of the kind that it carries',
  ['DISCOVERY-NAME-01'],
  async ({ author, dialect, target }) => {
    if (!listsSubresources(target.served)) unsupported('discovery lists no subresources');
    await author.given(deployments, { metadata: { name: 'doc' } });
    const scale = await author.request('GET', await author.pathOf(deployments, 'doc', 'scale'));
    const kind = isRecord(scale.json) ? scale.json.kind : undefined;
    const document = await author.request('GET', rootOfVersion(apiVersionOf(deployments, dialect)));
    const entry = match.including({ name: 'deployments/scale', kind: String(kind) });
    must('it is named so', document, match.status(200), match.field('resources', match.containing(entry)));
  },
);

check(
  'DISCOVERY-CLAIM-01.1',
  'the author lists every type that discovery says can be listed → none is answered 404 or 405',
  ['DISCOVERY-CLAIM-01'],
  async ({ author, target }) => {
    for (const { root, name } of await listedTypes(author, target.served)) {
      const list = await author.request('GET', `${root}/${name}?limit=1`);
      must(`${name} at ${root} is listed`, list.status, match.not(match.oneOf(404, 405)));
    }
  },
);

check(
  'DIALECT-NAME-01.1',
  'the author looks at the names of groups → one domain ends those of the service',
  ['DIALECT-NAME-01'],
  async ({ author, dialect }) => {
    const groups = await author.request('GET', '/apis');
    const group = (prefix: string) =>
      match.field('groups', match.containing(match.including({ name: `${prefix}.${dialect.apiDomain}` })));
    must('they share a domain', groups, match.status(200), group('rbac.authorization'), group('admissionregistration'));
  },
);

check('URL-CORE-01.1', 'the author reads the core versions → v1 is named', ['URL-CORE-01'], async ({ author }) => {
  const versions = await author.request('GET', '/api');
  must('the core group is v1', versions, match.status(200), match.field('versions', match.containing('v1')));
});

const wholeTypes = async (author: Actor, served: readonly string[]) =>
  (await typesServed(author, served)).filter(({ name }) => !name.includes('/'));
const listedTypes = async (author: Actor, served: readonly string[]) =>
  (await wholeTypes(author, served)).filter(({ verbs }) => verbs.includes('list'));

check(
  'DISCOVERY-CLAIM-01.2',
  'the author sends every verb that discovery lists of every type → none is answered 405',
  ['DISCOVERY-CLAIM-01'],
  async ({ author, target }) => {
    const namespace = await author.namespace();
    const merge = { headers: { 'content-type': 'application/merge-patch+json' }, body: {} };
    for (const { root, name, namespaced, verbs } of await wholeTypes(author, target.served)) {
      const collection = `${root}/${namespaced ? `namespaces/${namespace}/` : ''}${name}`;
      // What only stands for an operation may not find what it is to be done to.
      const stored = verbs.includes('list');
      const item = `${collection}/touchstone-none?dryRun=All`;
      // Nothing is there by that name or with that label, so that nothing is changed by what is taken.
      const requests: Readonly<Record<string, () => Promise<Exchange>>> = {
        get: () => author.request('GET', `${collection}/touchstone-none`),
        list: () => author.request('GET', `${collection}?limit=1`),
        watch: () => author.request('GET', `${collection}?watch=true&timeoutSeconds=1&labelSelector=touchstone/none=x`),
        update: () => author.request('PUT', item, { body: {} }),
        patch: () => author.request('PATCH', item, merge),
        delete: () => author.request('DELETE', item),
        deletecollection: () => author.request('DELETE', `${collection}?dryRun=All&labelSelector=touchstone/none=x`),
        create: () => author.request('POST', `${collection}?dryRun=All`, { body: {} }),
      };
      const asked = Object.entries(requests).filter(([verb]) => verb !== 'watch' && verbs.includes(verb));
      for (const [verb, answer] of await Promise.all(
        asked.map(async ([verb, send]) => [verb, await send()] as const),
      )) {
        must(`${name} has the verb ${verb}`, answer.status, match.not(match.equal(405)));
        const collective = ['list', 'create', 'deletecollection'].includes(verb);
        if (collective && stored) must(`${name} is there for ${verb}`, answer.status, match.not(match.equal(404)));
      }
    }
  },
);

check(
  'DISCOVERY-SCOPE-01.1',
  'the author reads and writes cluster-scoped types below a namespace → none is served there',
  ['DISCOVERY-SCOPE-01'],
  async ({ author, target }) => {
    const namespace = await author.namespace();
    const nowhere = match.status(404, 405);
    for (const { root, name, namespaced, verbs } of await listedTypes(author, target.served)) {
      if (namespaced || !verbs.includes('list')) continue;
      const collection = `${root}/namespaces/${namespace}/${name}`;
      const answers = await Promise.all([
        author.request('GET', collection),
        author.request('GET', `${collection}/touchstone-none`),
        author.request('POST', `${collection}?dryRun=All`, { body: {} }),
        author.request('DELETE', `${collection}/touchstone-none?dryRun=All`),
      ]);
      for (const answer of answers) must(`${name} is not namespaced`, answer, nowhere);
    }
    const other = await author.request('GET', `/api/v1/namespaces/${namespace}/namespaces/${namespace}`);
    must('not even a namespace', other, nowhere);
  },
);
