import { type Actor, check, configMaps, match, must, named, should } from '../../harness/index.ts';

/** An owner, and an object that names it as one. */
async function family(author: Actor, owner: string, dependent: string): Promise<void> {
  const { metadata } = await author.given(configMaps, named(owner));
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid: metadata.uid, blockOwnerDeletion: true };
  await author.given(configMaps, { metadata: { name: dependent, ownerReferences: [reference] } });
}
/** Who collects garbage may first have to get to know types that came meanwhile, and wait for those that have just gone. */
const COLLECTED = { within: 50_000 };
const isGone = (author: Actor, name: string) =>
  should(() => author.get(configMaps, name), match.status(404), COLLECTED);

for (const propagationPolicy of ['Foreground', 'Background']) {
  check(
    `DELETE-OPTIONS-02.1/${propagationPolicy}`,
    `the author deletes an owner with ${propagationPolicy} → owner and dependent go`,
    ['DELETE-OPTIONS-02'],
    async ({ author }) => {
      await family(author, 'owner', 'dependent');
      must(
        'the delete is taken',
        await author.delete(configMaps, 'owner', {}, { propagationPolicy }),
        match.status(200, 202),
      );
      must('the dependent goes', await isGone(author, 'dependent'));
      must('the owner goes', await isGone(author, 'owner'));
    },
  );
}

/** The ways in which an option is given. */
const GIVEN = {
  'a body': ['', 'application/json'],
  'a body of YAML': ['', 'application/yaml'],
  'the query': ['?propagationPolicy=Orphan', undefined],
} as const;

for (const [title, [query, contentType]] of Object.entries(GIVEN)) {
  check(
    `DELETE-OPTIONS-02.2/${title}`,
    `the author deletes an owner with Orphan in ${title} → the owner goes, and the dependent stays without it`,
    ['DELETE-OPTIONS-02'],
    async ({ author }) => {
      await family(author, 'owner', 'dependent');
      const path = await author.pathOf(configMaps, 'owner');
      const options =
        contentType === undefined
          ? {}
          : { headers: { 'content-type': contentType }, body: { propagationPolicy: 'Orphan' } };
      const orphan = await author.request('DELETE', path + query, options);
      must('the delete is taken', orphan, match.status(200, 202));
      must('the owner goes', await isGone(author, 'owner'));
      // What is collected is collected in the background: once a later family is gone, its turn would have come.
      await family(author, 'other', 'witness');
      await author.prepare((actor) => actor.delete(configMaps, 'other', {}, { propagationPolicy: 'Background' }));
      must('garbage is collected', await isGone(author, 'witness'));
      const kept = await author.get(configMaps, 'dependent');
      must(
        'it is kept, and owned no more',
        kept,
        match.status(200),
        match.field('metadata.ownerReferences', match.empty),
      );
    },
  );
}
