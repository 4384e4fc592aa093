import { EVERY_TYPE } from '../../../fixtures/ledger/index.ts';
import { check, clausesOf, match, must, objectIn, PATCH_TYPES } from '../../harness/index.ts';
import { tested } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';

/** Names that are almost this one, in what a search that is too kind overlooks. */
function almost(name: string): string[] {
  const less = name.slice(0, -1);
  const names = [
    name.toUpperCase(),
    less + name.slice(-1).toUpperCase(),
    less,
    `${name}s`,
    `${name}.`,
    `${less}_`,
    `${less}*`,
    ` ${name}`,
    `${name} `,
    `${name}.json`,
    `${name}.yaml`,
    `${name};v=1`,
  ];
  // One may end in a digit.
  return names.filter((each) => each !== name);
}

for (const type of EVERY_TYPE) {
  check(
    `GET-MISSING-01.2/${type}`,
    `the author asks for ${type} by what is almost the name of one, and in almost its namespace → nothing is there, and the one stays`,
    clausesOf('GET-MISSING-01', 'almost', type),
    tested(type).needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const live = await writer.given('doc', 'old', { labels: { part: 'one' } });
      const { name } = live.metadata;
      const collection = await author.pathOf(kind);
      const none = match.either(match.names([]), match.refusal);
      for (const other of almost(name)) {
        const path = `${collection}/${encodeURIComponent(other)}`;
        const words = `that is not ${JSON.stringify(other)}`;
        must(words, await author.request('GET', path), match.status(404));
        must(words, await author.request('DELETE', path), match.refusal);
        const body = { metadata: { labels: { part: 'other' } } };
        const headers = { 'content-type': PATCH_TYPES.merge };
        must(words, await author.request('PATCH', path, { headers, body }), match.refusal);
        must(words, await author.list(kind, { fieldSelector: `metadata.name=${other}` }), none);
      }
      if (kind.namespaced)
        for (const other of almost(await author.namespace()).slice(0, 4)) {
          const path = `${collection.replace(/\/namespaces\/[^/]+/, `/namespaces/${other}`)}/${name}`;
          must('nor is it in another namespace', await author.request('GET', path), match.status(404));
        }
      must('it stays as it was', await writer.get('doc'), match.body(live));
      // Which names are legal is for each type to say.
      const second = await writer.send('post', { name: 'DOC', word: 'second' });
      must('another may have the name, or nothing', second, match.either(match.created, match.refusal));
      must('the first one stays', await writer.get('doc'), match.body(live));
      if (!second.succeeded) return;
      must('beside the second', await writer.get('DOC'), match.asCreated(objectIn(second)));
      await author.prepare(() => writer.send('delete', { name: 'DOC' }));
      must('and without it', await writer.get('doc'), match.body(live));
    },
  );
}
