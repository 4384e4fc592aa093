import { check, configMaps, match, must, named } from '../../harness/index.ts';

const FORGED = {
  uid: '00000000-0000-4000-8000-000000000000',
  creationTimestamp: '2001-01-01T00:00:00Z',
  name: 'other',
  namespace: 'default',
};

for (const type of ['json', 'merge', 'strategic'] as const) {
  for (const [member, value] of Object.entries(FORGED)) {
    check(
      `PATCH-RESULT-02.1/${member}/${type}`,
      `the author writes another ${member} by a ${type} patch → refused or without effect`,
      ['PATCH-RESULT-02'],
      async ({ author }) => {
        const live = await author.given(configMaps, named('doc'));
        const json = [{ op: 'replace', path: `/metadata/${member}`, value }];
        const patch = type === 'json' ? json : { metadata: { [member]: value } };
        const patched = await author.patch(configMaps, 'doc', type, patch);
        const kept = match.field(['metadata', member], live.metadata[member] as string);
        must('it is refused or left alone', patched, match.either(match.refusal, match.both(match.success, kept)));
        must('the object is what it was', await author.get(configMaps, 'doc'), match.status(200), kept);
      },
    );
  }
}
