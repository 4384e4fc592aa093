import { NAMESPACED_TYPES } from '../../../fixtures/ledger/index.ts';
import {
  check,
  clusterRoles,
  configMaps,
  match,
  must,
  named,
  namespaces,
  PATCH_TYPES,
  should,
} from '../../harness/index.ts';
import { tested } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';

/** What is in a namespace goes in the background, which a server may come back to after a while. */
const WAITING = { within: 50_000 };

check(
  'NAME-SCOPE-01.1',
  'the author creates without saying the namespace in the body → the object carries that of the path',
  ['NAME-SCOPE-01'],
  async ({ author }) => {
    const namespace = await author.namespace();
    const created = await author.create(configMaps, { metadata: { name: 'here', namespace: undefined } });
    must('it carries the namespace of its path', created, match.created, match.field('metadata.namespace', namespace));
  },
);

check(
  'NAME-SCOPE-01.2',
  'the author creates a cluster-scoped object → it carries no namespace',
  ['NAME-SCOPE-01'],
  async ({ author }) => {
    const created = await author.create(clusterRoles, named('wide'));
    must('it carries no namespace', created, match.created, match.field('metadata.namespace', match.empty));
  },
);

check(
  'NAME-SCOPE-02.1',
  'the author creates with a namespace in the body that is not that of the path → 4xx, and nothing is created',
  ['NAME-SCOPE-02'],
  async ({ author }) => {
    const elsewhere = author.elsewhere();
    const namespace = await elsewhere.namespace();
    const created = await author.create(configMaps, { metadata: { name: 'astray', namespace } });
    must('the contradiction is refused', created, match.refusal);
    const unnamed = await author.create(configMaps, { metadata: { generateName: 'astray-', namespace } });
    must('whether it is named or not', unnamed, match.refusal);
    must('nothing is in the namespace of the path', await author.get(configMaps, 'astray'), match.status(404));
    must('nothing is in that of the body', await elsewhere.get(configMaps, 'astray'), match.status(404));
  },
);

for (const type of NAMESPACED_TYPES)
  check(
    `NAME-SCOPE-02.4/${type}`,
    `the author writes ${type} with another namespace in the body than in the path → 4xx, and nothing is created or changed`,
    ['NAME-SCOPE-02'],
    tested(type).needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      const live = await writer.given('doc');
      const elsewhere = author.elsewhere();
      const metadata = { namespace: await elsewhere.namespace() };
      for (const write of ['post', 'put', 'apply'] as const)
        for (const query of [{ dryRun: 'All' }, {}]) {
          must(`${write} is refused`, await writer.send(write, { metadata, query }), match.refusal);
        }
      must('what was there stays', await writer.get('doc'), match.body(live));
      must('nothing is in the namespace of the path', await writer.get('made'), match.status(404));
      for (const name of ['made', 'doc'])
        must('nothing is in that of the body', await elsewhere.get(writer.kind, name), match.status(404));
    },
  );

check(
  'NAME-SCOPE-03.1',
  'the author creates in a namespace that does not exist → 4xx',
  ['NAME-SCOPE-03'],
  async ({ author, space }) => {
    const path = `/api/v1/namespaces/${space.prefix}-missing/configmaps`;
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'lost' } };
    must('there is nowhere to put it', await author.request('POST', path, { body }), match.refusal);
    const headers = { 'content-type': PATCH_TYPES.apply };
    const applied = await author.request('PATCH', `${path}/lost?fieldManager=me`, { headers, body });
    must('by an apply neither', applied, match.refusal);
    must('nor by a PUT', await author.request('PUT', `${path}/lost`, { body }), match.refusal);
    must('nothing is there', await author.request('GET', `${path}/lost`), match.status(404));
  },
);

check(
  'NAME-SCOPE-03.2',
  'the admin deletes a namespace that an object keeps from going → nothing can be created in it',
  ['NAME-SCOPE-03'],
  ['controllers'],
  async ({ author, admin }) => {
    await author.given(configMaps, { metadata: { name: 'anchor', finalizers: ['touchstone.example/anchor'] } });
    const namespace = await author.namespace();
    await admin.prepare((actor) => actor.delete(namespaces, namespace));
    const deleting = match.field('metadata.deletionTimestamp', match.present);
    must('the namespace is being deleted', await should(() => admin.get(namespaces, namespace), deleting));
    must('it takes nothing new', await author.create(configMaps, named('late')), match.refusal);
    must('by an apply neither', await author.apply(configMaps, named('late')), match.refusal);
    const put = await author.request('PUT', await author.pathOf(configMaps, 'late'), {
      body: { apiVersion: 'v1', kind: 'ConfigMap', ...named('late') },
    });
    must('nor by a PUT', put, match.refusal);
    must('nothing is there', await author.get(configMaps, 'late'), match.status(404));
    const free = { metadata: { finalizers: null } };
    await author.prepare((actor) => actor.patch(configMaps, 'anchor', 'merge', free));
  },
);

check(
  'NAME-NAMESPACE-01.1',
  'the admin deletes a namespace → its objects go, and those of another namespace stay',
  ['NAME-NAMESPACE-01'],
  async ({ author, admin }) => {
    await author.given(configMaps, named('inside'));
    const kept = await author.elsewhere().given(configMaps, named('outside'));
    const namespace = await author.namespace();
    must('it is taken', await admin.delete(namespaces, namespace), match.status(200, 202));
    const look = () => author.get(configMaps, 'inside');
    must('what was inside goes', await should(look, match.status(404), WAITING));
    const gone = await should(() => admin.get(namespaces, namespace), match.status(404), WAITING);
    must('the namespace goes', gone);
    must('what was outside stays', await author.elsewhere().get(configMaps, 'outside'), match.body(kept));
  },
);
