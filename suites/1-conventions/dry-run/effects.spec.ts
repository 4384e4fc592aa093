import {
  type Actor,
  check,
  clause,
  clausesOf,
  configMaps,
  customResourceDefinitions,
  defineType,
  isRecord,
  match,
  must,
  named,
  namespaces,
  objectIn,
  pods,
  type Query,
  queryText,
  unsupported,
} from '../../harness/index.ts';

/** Writes that change other objects than the one they name, or take it away; each says what has to be as it was. */
const EFFECTS = {
  binding: async (author: Actor, query: Query) => {
    const target = { apiVersion: 'v1', kind: 'Node', name: 'touchstone-none' };
    return toPod(author, 'binding', { apiVersion: 'v1', kind: 'Binding', target }, query);
  },
  eviction: async (author: Actor, query: Query) => {
    const { json } = await author.request('GET', '/api/v1');
    const resources: unknown[] = isRecord(json) && Array.isArray(json.resources) ? json.resources : [];
    const entry = resources.find((each) => isRecord(each) && each.name === 'pods/eviction');
    // Of which version its body is, discovery says: before release 1.22 it is v1beta1.
    const version = isRecord(entry) && typeof entry.version === 'string' ? entry.version : 'v1';
    return toPod(author, 'eviction', { apiVersion: `policy/${version}`, kind: 'Eviction' }, query);
  },
  definition: async (author: Actor, query: Query) => {
    const things = await defineType(author, author.dialect, () => ({ type: 'object' }));
    const live = await author.given(things, named('doc'));
    const definition = `${things.plural}.${things.group}`;
    must('it is answered', await author.delete(customResourceDefinitions, definition, query), match.success);
    must('its objects stay', await author.get(things, 'doc'), match.status(200), match.body(live));
    const none = [{ op: 'replace', path: '/spec/versions/0/served', value: false }];
    const unserved = await author.patch(customResourceDefinitions, definition, 'json', none, query);
    must('so is a change', unserved, match.success);
    must('what is served stays so', await author.create(things, named('other')), match.created);
  },
  namespace: async (author: Actor, query: Query) => {
    const elsewhere = author.elsewhere();
    const live = await elsewhere.given(configMaps, named('doc'));
    const path = `${await author.pathOf(namespaces)}/${await elsewhere.namespace()}`;
    const answer = await author.request('DELETE', path + queryText(query));
    must('it is answered', answer, match.success);
    must('what is in it stays', await elsewhere.get(configMaps, 'doc'), match.status(200), match.body(live));
    must('and more can be made', await elsewhere.create(configMaps, named('other')), match.created);
  },
  owner: async (author: Actor, query: Query) => {
    const owner = await author.given(configMaps, named('owner'));
    const { name, uid } = owner.metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid }];
    const owned = await author.given(configMaps, { metadata: { name: 'owned', ownerReferences } });
    for (const propagationPolicy of ['Foreground', 'Background', 'Orphan'])
      must('it is answered', await author.delete(configMaps, 'owner', { ...query, propagationPolicy }), match.success);
    must('it stays', await author.get(configMaps, 'owner'), match.status(200), match.body(owner));
    must('so does what it owns', await author.get(configMaps, 'owned'), match.status(200), match.body(owned));
  },
} as const;

/** Sends a dry run to a subresource of a pod that nobody schedules, which must leave the pod as it is. */
async function toPod(author: Actor, part: 'binding' | 'eviction', body: object, query: Query): Promise<void> {
  if (!author.target.served.includes(`v1/pods/${part}`)) unsupported(`discovery lists no ${part} of pods`);
  const { spec } = pods.least(author.dialect) as { spec: object };
  await author.given(pods, named(part, { spec: { ...spec, schedulerName: 'touchstone-none' } }));
  const before = objectIn(await author.get(pods, part));
  const path = (await author.pathOf(pods, part, part)) + queryText(query);
  const answer = await author.request('POST', path, { body: { ...body, metadata: { name: part } } });
  must('it is answered', answer, match.success);
  const after = await author.get(pods, part);
  const undisturbed = match.field('metadata.deletionTimestamp', match.absent);
  must('the pod stays', after, match.status(200), undisturbed, match.field('metadata.uid', before.metadata.uid ?? ''));
  must('and is bound to no node', after, match.field('spec.nodeName', match.oneOf(match.absent, '')));
}

check(
  'DRYRUN-EFFECT-03.1',
  'the author tries what binds and evicts a pod, and ends a definition, a namespace and an owner → all that they would change stays',
  clausesOf('DRYRUN-EFFECT-03'),
  ['custom-types'],
  async ({ author }) => {
    for (const [what, look] of Object.entries(EFFECTS))
      await clause(`DRYRUN-EFFECT-03/${what}`, () => look(author, { dryRun: 'All' }));
  },
);
