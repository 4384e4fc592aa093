import { CHANGES, EVERY_TYPE, type Write } from '../../../fixtures/ledger/index.ts';
import type { ApiObject } from '../../harness/index.ts';
import { check, clause, clausesOf, match, must, objectIn } from '../../harness/index.ts';
import { tested } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';

for (const type of EVERY_TYPE) {
  check(
    `WATCH-MODIFIED-01.3/${type}`,
    `the author changes and deletes ${type} by every write → each is told as MODIFIED, with the object as it is then`,
    [
      ...clausesOf('WATCH-MODIFIED-01', CHANGES, type),
      ...(type === 'namespaces'
        ? []
        : [...clausesOf('WATCH-DELETED-02', 'held', type), ...clausesOf('WATCH-MODIFIED-01', 'freed', type)]),
    ],
    tested(type).needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const held = type !== 'namespaces';
      const fieldSelector = `metadata.name=${author.space.nameOf(kind, 'doc')}`;
      const finalizers = held ? ['touchstone.example/a', 'touchstone.example/b'] : [];
      const { resourceVersion } = (await writer.given('doc', 'old', { finalizers })).metadata;
      const stream = await author.watch(kind, { fieldSelector, resourceVersion });
      const writes = writer.writes.filter((each) => (CHANGES as readonly Write[]).includes(each));
      const after = new Map<string, ApiObject>();
      for (const write of writes) {
        const sending = { word: `by-${write}`, metadata: { annotations: { by: write } } };
        after.set(write, objectIn(await author.prepare(() => writer.send(write, sending))));
      }
      if (held) {
        await author.prepare(() => writer.send('delete'));
        after.set('held', objectIn(await writer.get('doc')));
        const freed = { word: 'by-apply', metadata: { finalizers: finalizers.slice(1) } };
        after.set('freed', objectIn(await author.prepare(() => writer.send('merge', freed))));
      }
      const last = [...after.values()].at(-1)?.metadata.resourceVersion ?? '';
      const told = (await stream.upTo(match.eventField('metadata.resourceVersion', last))).subject;
      const isTold = (of: string) => {
        const object = after.get(of);
        const event = told.find((each) => each.object.metadata.resourceVersion === object?.metadata.resourceVersion);
        must('the change is told', event?.type ?? 'no event', match.equal('MODIFIED'));
        must('in full', event?.object ?? null, match.equal(object as never));
      };
      for (const write of writes) await clause(clausesOf('WATCH-MODIFIED-01', write, type), async () => isTold(write));
      if (!held) return;
      await clause(clausesOf('WATCH-DELETED-02', 'held', type), async () => isTold('held'));
      await clause(clausesOf('WATCH-MODIFIED-01', 'freed', type), async () => isTold('freed'));
    },
  );
}
