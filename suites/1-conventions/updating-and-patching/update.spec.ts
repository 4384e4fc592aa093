import { check, configMaps, match, must, named, objectIn } from '../../harness/index.ts';

check(
  'UPDATE-VERSION-01.2',
  'the author replaces at the stored version → the object with a new version',
  ['UPDATE-VERSION-01'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('doc', { data: { a: '1' } }));
    const written = await author.update(configMaps, { ...live, data: { a: '2' } });
    const newer = match.field('metadata.resourceVersion', match.not(live.metadata.resourceVersion ?? null));
    must('it is replaced', written, match.status(200), match.field('data', { a: '2' }), newer);
  },
);

check(
  'UPDATE-VERSION-02.3',
  'the rival replaces at a version that has passed → 409, and nothing changes',
  ['UPDATE-VERSION-02'],
  async ({ author, rival }) => {
    const old = await author.given(configMaps, named('doc', { data: { a: '1' } }));
    const live = objectIn(await author.prepare((actor) => actor.update(configMaps, { ...old, data: { a: '2' } })));
    must('it came too late', await rival.update(configMaps, { ...old, data: { a: '3' } }), match.status(409));
    must('nothing changed', await author.get(configMaps, 'doc'), match.body(live));
  },
);

check(
  'UPDATE-VERSION-03.1',
  'the rival replaces without a version → the whole object, or a refusal that changes nothing',
  ['UPDATE-VERSION-03'],
  async ({ author, rival }) => {
    // The specification asks for the version; a server may refuse without, or take it as an unconditional update.
    const live = await author.given(configMaps, named('doc', { data: { a: '1' } }));
    const written = await rival.update(configMaps, named('doc', { data: { b: '2' } }));
    must('it is refused or replaces', written, match.either(match.refusal, match.status(200)));
    const after = await author.get(configMaps, 'doc');
    must(
      'it is done whole or not at all',
      after,
      written.succeeded ? match.field('data', { b: '2' }) : match.body(live),
    );
  },
);

check(
  'UPDATE-VERSION-04.1',
  'several clients write over one version at the same time → exactly one succeeds',
  ['UPDATE-VERSION-04'],
  async ({ author, rival, watcher }) => {
    const live = await author.given(configMaps, named('doc'));
    const writers = [author, rival, watcher, author, rival, watcher];
    const write = (writer: typeof author, index: number) =>
      writer.update(configMaps, { ...live, data: { by: `${index}` } });
    const answers = await Promise.all(writers.map(write));
    for (const answer of answers) must('a write succeeds or conflicts', answer, match.status(200, 409));
    must('exactly one succeeds', answers.filter((answer) => answer.succeeded).length, match.equal(1));
  },
);

check(
  'UPDATE-VERSION-04.2',
  'clients count up with retries on conflict → no update is lost',
  ['UPDATE-VERSION-04'],
  async ({ author, rival }) => {
    await author.given(configMaps, named('counter', { data: { n: '0' } }));
    const raise = async (actor: typeof author) => {
      // Of two clients one always gets on, so that neither is in vain more often than the other is done.
      for (let done = 0, tries = 0; done < 5; tries += 1) {
        must('somebody gets on', tries < 50, match.equal(true));
        const live = objectIn(await actor.get(configMaps, 'counter'));
        const n = Number((live.data as { n: string }).n) + 1;
        const written = await actor.update(configMaps, { ...live, data: { n: `${n}` } });
        must('a write succeeds or conflicts', written, match.status(200, 409));
        if (written.succeeded) done += 1;
      }
    };
    await Promise.all([raise(author), raise(rival)]);
    must('every update counts', await author.get(configMaps, 'counter'), match.field('data.n', '10'));
  },
);

check(
  'UPDATE-VERSION-05.2',
  'the rival patches with a version that has passed → 409, and nothing changes',
  ['UPDATE-VERSION-05'],
  async ({ author, rival }) => {
    const old = await author.given(configMaps, named('doc', { data: { a: '1' } }));
    const live = objectIn(await author.prepare((actor) => actor.update(configMaps, { ...old, data: { a: '2' } })));
    const { resourceVersion } = old.metadata;
    const patched = await rival.patch(configMaps, 'doc', 'merge', { metadata: { resourceVersion }, data: { a: '3' } });
    must('it came too late', patched, match.status(409));
    must('nothing changed', await author.get(configMaps, 'doc'), match.body(live));
  },
);

check(
  'UPDATE-REPLACE-01.1',
  'the author replaces without labels, annotations and data → they are gone',
  ['UPDATE-REPLACE-01'],
  async ({ author }) => {
    const { apiVersion, kind, metadata: owner } = await author.given(configMaps, named('owner'));
    const ownerReferences = [{ apiVersion, kind, name: owner.name, uid: owner.uid ?? '' }];
    const metadata = { name: 'doc', labels: { a: '1' }, annotations: { b: '2' }, ownerReferences };
    const live = await author.given(configMaps, { metadata, data: { c: '3' }, binaryData: { d: 'NA==' } });
    const { resourceVersion } = live.metadata;
    const written = await author.update(configMaps, { metadata: { name: 'doc', resourceVersion } });
    const gone = ['metadata.labels', 'metadata.annotations', 'metadata.ownerReferences', 'data', 'binaryData'].map(
      (path) => match.field(path, match.empty),
    );
    must('what is left out is gone', written, match.status(200), ...gone);
  },
);

check(
  'UPDATE-INVALID-01.1',
  'the author replaces with an invalid object → 4xx, and object and version stay',
  ['UPDATE-INVALID-01'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('doc', { data: { a: '1' } }));
    for (const invalid of [
      { data: { a: 1 } },
      { data: { 'a/b': '1' } },
      { metadata: { ...live.metadata, labels: { 'a b': '1' } } },
      { binaryData: { a: 'MQ==' } },
    ] as readonly object[]) {
      must('it is refused', await author.update(configMaps, { ...live, ...invalid }), match.refusal);
      must('nothing changed', await author.get(configMaps, 'doc'), match.body(live));
    }
  },
);

check(
  'UPDATE-MISSING-01.1',
  'the rival replaces an object that was deleted meanwhile → refused, or another object',
  ['UPDATE-MISSING-01'],
  async ({ author, rival }) => {
    const old = await author.given(configMaps, named('doc', { data: { a: '1' } }));
    await author.prepare((actor) => actor.delete(configMaps, 'doc'));
    const written = await rival.update(configMaps, { ...old, data: { a: '2' } });
    // Some types may be created by PUT; then the object is a new one.
    const another = match.both(
      match.created,
      match.field('metadata.uid', match.not(match.oneOf(old.metadata.uid ?? null, match.absent))),
    );
    must('the old one does not come back', written, match.either(match.refusal, another));
    const there = written.succeeded ? match.status(200) : match.status(404);
    must('what was said is so', await author.get(configMaps, 'doc'), there);
  },
);
