import { SUBJECTS, UPDATES, type Write } from '../../../fixtures/ledger/index.ts';
import type { Exchange } from '../../harness/index.ts';
import { check, clause, clausesOf, match, must } from '../../harness/index.ts';
import { SUBJECT } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';
import { entriesIn } from './owned.ts';

/** Names of all that an object has entries of, with what they did. */
const recorded = (answer: Exchange) =>
  entriesIn(answer.json).map(({ manager, operation }) => `${manager} ${operation}`);

for (const type of SUBJECTS) {
  check(
    `APPLY-MANAGER-01.2/${type}`,
    `the author writes ${type} in every way by a name and by a User-Agent → recorded under that`,
    [
      ...clausesOf('APPLY-MANAGER-01', 'apply', type),
      ...clausesOf('APPLY-MANAGER-02', type),
      ...clausesOf('APPLY-MANAGER-03', type),
      ...clausesOf('APPLY-MANAGER-04', type),
    ],
    SUBJECT[type].needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      const live = await writer.given('doc');
      for (const write of writer.writes.filter((each) => (UPDATES as readonly Write[]).includes(each))) {
        await clause(`APPLY-MANAGER-03/${write}/${type}`, async () => {
          const name = write === 'post' ? 'named' : 'doc';
          const query = { fieldManager: `by-${write}` };
          const written = await writer.send(write, { name, word: `named-${write}`, query });
          must('it is recorded under the name', recorded(written), match.containing(`by-${write} Update`));
          if (write !== 'post' && write !== 'put') return;
          // JSON is YAML.
          const headers = { 'content-type': 'application/yaml' };
          const yaml = { fieldManager: `yaml-${write}` };
          const again = { name: write === 'post' ? 'yaml' : 'doc', word: `yaml-${write}`, query: yaml, headers };
          must('in YAML too', recorded(await writer.send(write, again)), match.containing(`yaml-${write} Update`));
        });
        await clause(`APPLY-MANAGER-04/${write}/${type}`, async () => {
          const name = write === 'post' ? 'agent' : 'doc';
          const headers = { 'user-agent': `agent-${write}/1.2 (linux) x/3` };
          const written = await writer.send(write, { name, word: `agent-${write}`, headers });
          const managers = entriesIn(written.json).map(({ manager }) => String(manager));
          // How much of the header is taken is not said, so only that the name begins as it does.
          const own = managers.filter((manager) => manager.startsWith(`agent-${write}`));
          must('it is recorded under a name from the header', own, match.size(1));
          const nameless = write === 'post' ? 'nameless' : 'doc';
          const silent = await writer.send(write, {
            name: nameless,
            word: `silent-${write}`,
            headers: { 'user-agent': '' },
          });
          must('without a header it is stored too', silent, match.success);
        });
      }
      await clause(clausesOf('APPLY-MANAGER-01', 'apply', type), async () => {
        const query = { fieldManager: undefined };
        must('an apply has to have a name', await writer.send('apply', { name: 'other', query }), match.refusal);
        must('nothing is stored', await writer.get('other'), match.status(404));
        must('nor changed', await writer.send('apply', { query }), match.refusal);
        must('nor tried', await writer.send('apply', { query: { ...query, dryRun: 'All' } }), match.refusal);
      });
      await clause(clausesOf('APPLY-MANAGER-02', type), async () => {
        must('it was there', live, match.at('metadata.name', match.aString));
        const query = { fieldManager: 'by-put' };
        const applied = await writer.send('apply', { word: 'applied', query });
        must('it is recorded as an apply', recorded(applied), match.containing('by-put Apply'));
        const agent = { 'user-agent': 'agent-apply/1' };
        const named = await writer.send('apply', {
          word: 'applied',
          query: { fieldManager: 'second' },
          headers: agent,
        });
        must('under the name, whatever the header', recorded(named), match.containing('second Apply'));
      });
    },
  );
}
