import { CHANGES, EVERY_TYPE, METADATA_PARTS, type MetadataPart, type Write } from '../../../fixtures/ledger/index.ts';
import type { ApiObject } from '../../harness/index.ts';
import { check, clause, clausesOf, match, must, objectIn } from '../../harness/index.ts';
import { tested } from '../testedTypes.ts';
import { type Sending, writerOf } from '../writing.ts';

/** Who shares what another has applied. */
const sharer = { fieldManager: 'touchstone-sharer' };
/** Writes that change one member of metadata alone of an object that has this content and an annotation `by`. */
function partsOf(owner: ApiObject): Readonly<Record<MetadataPart, readonly (readonly [Write, Sending])[]>> {
  const { apiVersion = '', kind = '', metadata } = owner;
  const ownerReferences = [{ apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '' }];
  return {
    ownership: [
      ['apply', { metadata: { annotations: { by: 'apply' } }, query: sharer }],
      ['apply', { query: sharer }],
      ['merge', { metadata: { managedFields: [{}] } }],
      ['apply', { metadata: { annotations: { by: 'apply' } } }],
    ],
    labels: [['merge', { metadata: { labels: { alone: 'yes' } } }]],
    annotations: [['merge', { metadata: { annotations: { alone: 'yes' } } }]],
    owners: [
      ['merge', { metadata: { ownerReferences } }],
      ['merge', { metadata: { ownerReferences: null } }],
    ],
  };
}

for (const type of EVERY_TYPE) {
  check(
    `WATCH-MODIFIED-01.3/${type}`,
    `the author changes ${type} by every write and in one member of metadata alone, and deletes it → each is told as MODIFIED, with the object as it is then`,
    [
      ...clausesOf('WATCH-MODIFIED-01', [...CHANGES, ...METADATA_PARTS], type),
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
      const owner = await writer.given('owner');
      const stream = await author.watch(kind, { fieldSelector, resourceVersion });
      const writes = writer.writes.filter((each) => (CHANGES as readonly Write[]).includes(each));
      const after = new Map<string, ApiObject>();
      for (const write of writes) {
        const sending = { word: `by-${write}`, metadata: { annotations: { by: write } } };
        after.set(write, objectIn(await author.prepare(() => writer.send(write, sending))));
      }
      const changes = partsOf(owner);
      for (const part of METADATA_PARTS)
        for (const [at, [write, sending]] of changes[part].entries()) {
          const sent = await author.prepare(() => writer.send(write, { ...sending, word: 'by-apply' }));
          after.set(`${part}-${at}`, objectIn(sent));
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
      for (const part of METADATA_PARTS)
        await clause(clausesOf('WATCH-MODIFIED-01', part, type), async () => {
          for (const at of changes[part].keys()) isTold(`${part}-${at}`);
        });
      if (!held) return;
      await clause(clausesOf('WATCH-DELETED-02', 'held', type), async () => isTold('held'));
      await clause(clausesOf('WATCH-MODIFIED-01', 'freed', type), async () => isTold('freed'));
    },
  );
}
