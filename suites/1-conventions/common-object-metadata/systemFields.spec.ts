import { type ApiObject, check, configMaps, match, must, named, objectIn, PATCH_TYPES } from '../../harness/index.ts';
import { deployments } from '../validatingwebhookconfiguration/otherKinds.ts';

const FORGED = '2001-01-01T00:00:00Z';

check(
  'META-CREATED-01.1',
  'the author creates with a creationTimestamp of their own → the service sets its own',
  ['META-CREATED-01'],
  async ({ author }) => {
    const created = await author.create(configMaps, { metadata: { name: 'now', creationTimestamp: FORGED } });
    const own = match.field('metadata.creationTimestamp', match.aTimestamp);
    must('it carries the time of creation', created, match.created, own);
    must('not the one of the body', created, match.field('metadata.creationTimestamp', match.not(FORGED)));
  },
);

check(
  'META-CREATED-01.2',
  'the author writes another creationTimestamp → it stays',
  ['META-CREATED-01'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('now'));
    await author.patch(configMaps, 'now', 'merge', { metadata: { creationTimestamp: FORGED }, data: { a: '1' } });
    const read = await author.get(configMaps, 'now');
    must(
      'it is still that of creation',
      read,
      match.field('metadata.creationTimestamp', live.metadata.creationTimestamp ?? null),
    );
  },
);

check(
  'META-UID-01.2',
  'the author creates with a uid of their own → the service gives another, unlike any other',
  ['META-UID-01'],
  async ({ author }) => {
    const forged = '00000000-0000-4000-8000-000000000000';
    const first = await author.create(configMaps, { metadata: { name: 'one', uid: forged } });
    must('the uid is from the service', first, match.created, match.field('metadata.uid', match.not(forged)));
    const second = await author.given(configMaps, named('two'));
    const other = match.field('metadata.uid', match.not(second.metadata.uid ?? null));
    must('each object has its own', first, match.field('metadata.uid', match.aString), other);
  },
);

check('META-UID-01.3', 'the author writes another uid → it stays', ['META-UID-01'], async ({ author }) => {
  const live = await author.given(configMaps, named('one'));
  const uid = '00000000-0000-4000-8000-000000000000';
  await author.patch(configMaps, 'one', 'merge', { metadata: { uid } });
  const read = await author.get(configMaps, 'one');
  must('it is still that of creation', read, match.field('metadata.uid', live.metadata.uid ?? null));
});

check(
  'META-VERSION-01.1',
  'the author changes an object → it has a version it did not have before',
  ['META-VERSION-01'],
  async ({ author }) => {
    const first = await author.given(configMaps, named('v'));
    must('it has a version', first, match.at('metadata.resourceVersion', match.aString));
    const changed = await author.update(configMaps, { ...first, data: { a: '1' } });
    const second = match.not(first.metadata.resourceVersion ?? null);
    must('a change gives another', changed, match.status(200), match.field('metadata.resourceVersion', second));
    const again = await author.update(configMaps, { ...objectIn(changed), data: { a: '2' } });
    must('and the next again another', again, match.field('metadata.resourceVersion', second));
    const versionIn = (answer: Parameters<typeof objectIn>[0]) => objectIn(answer).metadata.resourceVersion;
    // What it is changed back into is not what it was: a version stands for a time, not for a content.
    const versions = [first.metadata.resourceVersion, ...[changed, again].map((each) => versionIn(each))];
    for (const data of [undefined, { a: '1' }, { a: '2' }]) {
      const metadata = { name: first.metadata.name, resourceVersion: versions.at(-1) };
      const back = await author.update(configMaps, { ...first, metadata, data });
      must('so has one that is changed back', back, match.success);
      must('none of those before', versions.includes(versionIn(back)), match.equal(false));
      versions.push(versionIn(back));
    }
  },
);

check(
  'META-VERSION-02.1',
  'the author replaces an object with itself → the version stays',
  ['META-VERSION-02'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('same', { data: { a: '1' } }));
    const written = await author.update(configMaps, live);
    const version = match.field('metadata.resourceVersion', live.metadata.resourceVersion ?? null);
    must('nothing was changed', written, match.status(200), version);
    const { apiVersion, kind, metadata, ...rest } = live;
    const turned = await author.update(configMaps, { ...rest, metadata, kind, apiVersion });
    must('nor in another order', turned, match.status(200), version);
    for (const [type, patch] of [
      ['merge', {}],
      ['strategic', {}],
      ['json', []],
      ['json', [{ op: 'test', path: '/data/a', value: '1' }]],
      ['merge', { data: { a: '1', none: null } }],
    ] as const)
      must('nor by a patch', await author.patch(configMaps, 'same', type, patch), match.status(200), version);
  },
);

check(
  'META-DELETION-01.1',
  'the author sets deletionTimestamp by writing → the object stays live',
  ['META-DELETION-01'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('alive'));
    must('a live object has none', live, match.at('metadata.deletionTimestamp', match.absent));
    await author.patch(configMaps, 'alive', 'merge', { metadata: { deletionTimestamp: FORGED } });
    const read = await author.get(configMaps, 'alive');
    must('it cannot be written', read, match.status(200), match.field('metadata.deletionTimestamp', match.absent));
  },
);

check(
  'META-DELETION-01.2',
  'the author removes deletionTimestamp from a deleting object → it stays deleting',
  ['META-DELETION-01'],
  async ({ author }) => {
    await author.given(configMaps, { metadata: { name: 'held', finalizers: ['touchstone.example/hold'] } });
    await author.prepare((actor) => actor.delete(configMaps, 'held'));
    await author.patch(configMaps, 'held', 'merge', { metadata: { deletionTimestamp: null } });
    const read = await author.get(configMaps, 'held');
    must('nothing makes it live again', read, match.field('metadata.deletionTimestamp', match.aTimestamp));
  },
);

check(
  'META-DELETION-01.3',
  'the author writes the status and the scale of a deleting object with no word of its deletion and with null → it stays deleting',
  ['META-DELETION-01'],
  async ({ author }) => {
    await author.given(deployments, { metadata: { name: 'held', finalizers: ['touchstone.example/hold'] } });
    await author.prepare((actor) => actor.delete(deployments, 'held'));
    const { json } = await author.prepare((actor) => actor.get(deployments, 'held'));
    const { metadata, ...live } = json as ApiObject;
    const deleting = match.field('metadata.deletionTimestamp', metadata.deletionTimestamp ?? '');
    const { deletionTimestamp: _, resourceVersion: __, ...rest } = metadata;
    const headers = { 'content-type': PATCH_TYPES.merge };
    const status = await author.pathOf(deployments, 'held', 'status');
    const scale = await author.pathOf(deployments, 'held', 'scale');
    const undeleting = { metadata: { deletionTimestamp: null } };
    for (const [what, write] of [
      ['a PUT of the status', () => author.request('PUT', status, { body: { ...live, metadata: rest } })],
      ['a patch of the status', () => author.request('PATCH', status, { headers, body: undeleting })],
      [
        'a patch of the scale',
        () => author.request('PATCH', scale, { headers, body: { ...undeleting, spec: { replicas: 0 } } }),
      ],
    ] as const) {
      must(`${what} is refused or overlooked`, await write(), match.either(match.refusal, match.success));
      must('nothing makes it live again', await author.get(deployments, 'held'), match.status(200), deleting);
    }
  },
);
