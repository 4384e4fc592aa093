import { check, configMaps, match, must } from '../../harness/index.ts';

const A = 'touchstone.example/a';
const B = 'touchstone.example/b';

check(
  'DELETE-ORDER-01.1',
  'readers look while finalizers are taken off one by one → nobody sees it gone before the last was',
  ['DELETE-ORDER-01'],
  async ({ author, rival, watcher }) => {
    await author.given(configMaps, { metadata: { name: 'held', finalizers: [A, B] } });
    const stream = await watcher.watch(configMaps, { fieldSelector: 'metadata.name=held' });
    await author.prepare((actor) => actor.delete(configMaps, 'held'));
    const take = (finalizers: readonly string[]) =>
      author.patch(configMaps, 'held', 'merge', { metadata: { finalizers } });
    const [first, ...reads] = await Promise.all([take([B]), ...[1, 2, 3].map(() => rival.get(configMaps, 'held'))]);
    must('the first may be taken off', first, match.status(200));
    for (const read of [...reads, await rival.get(configMaps, 'held')]) {
      must('it is there for every reader', read, match.status(200));
    }
    must('the last may be taken off', await take([]), match.success);
    const events = must('only then it goes', await stream.upTo(match.removal('held')));
    const left = events.flatMap(({ type, object }) => (type === 'MODIFIED' ? [JSON.stringify(object)] : []));
    must('a watcher sees it with one left', left.filter((text) => text.includes(B)).length > 0, match.equal(true));
  },
);
