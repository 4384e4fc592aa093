import { STATUS_TYPES } from '../../../fixtures/ledger/index.ts';
import type { Exchange, Query } from '../../harness/index.ts';
import {
  type Actor,
  apiVersionOf,
  check,
  clause,
  match,
  must,
  named,
  objectIn,
  PATCH_TYPES,
  queryText,
} from '../../harness/index.ts';
import { changeStatus, STATUS } from '../statusTypes.ts';
import { ownersIn } from './owned.ts';

for (const type of STATUS_TYPES) {
  check(
    `APPLY-CONFLICT-01.3/${type}`,
    `the author applies a status of ${type} without name, with records and against the rival → refused, and with what is there → shared`,
    [
      `APPLY-MANAGER-01/status/${type}`,
      `APPLY-BODY-03/status/${type}`,
      `APPLY-CONFLICT-01/status/${type}`,
      `APPLY-RESOLVE-02/status/${type}`,
    ],
    type === 'custom' ? ['custom-types'] : [],
    async ({ author, rival }) => {
      const { kind: kindOf, status } = STATUS[type];
      const kind = await kindOf(author);
      const { metadata } = await author.given(kind, named('doc'));
      const path = await author.pathOf(kind, 'doc', 'status');
      const apply = (actor: Actor, word: string, query: Query, more: object = {}) => {
        const whole = { apiVersion: apiVersionOf(kind, actor.dialect), kind: kind.kind };
        const body = { ...whole, metadata: { name: metadata.name, ...more }, status: status(word) };
        return actor.request('PATCH', path + queryText(query), {
          headers: { 'content-type': PATCH_TYPES.apply },
          body,
        });
      };
      await author.prepare(() => apply(rival, 'Rival', { fieldManager: 'rival' }));
      const live = objectIn(await author.get(kind, 'doc'));
      const ways = [{ dryRun: 'All' }, {}, { force: true }];
      await clause(`APPLY-MANAGER-01/status/${type}`, async () => {
        for (const way of ways) must('an apply has to have a name', await apply(author, 'Rival', way), match.refusal);
        must('nothing changes', await author.get(kind, 'doc'), match.body(live));
      });
      await clause(`APPLY-BODY-03/status/${type}`, async () => {
        const managedFields = [{ manager: 'me', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' }];
        for (const way of ways) {
          const query = { fieldManager: 'mine', ...way };
          must('the service keeps them', await apply(author, 'Rival', query, { managedFields }), match.refusal);
        }
        must('nothing changes', await author.get(kind, 'doc'), match.body(live));
      });
      await clause(`APPLY-CONFLICT-01/status/${type}`, async () => {
        for (const way of [{ dryRun: 'All' }, {}, { force: false }])
          must('it is of another', await apply(author, 'Mine', { fieldManager: 'mine', ...way }), match.refusal);
        must('nothing changes', await author.get(kind, 'doc'), match.body(live));
        must('by force it is taken', await apply(author, 'Mine', { fieldManager: 'mine', force: true }), match.success);
        const { status: stored } = objectIn(await author.get(kind, 'doc'));
        must('and stored', JSON.stringify(stored).includes('Mine'), match.equal(true));
        must('the rival now conflicts', await apply(rival, 'Rival', { fieldManager: 'rival' }), match.refusal);
      });
      await clause(`APPLY-RESOLVE-02/status/${type}`, async () => {
        // In a list of conditions the rival may share more than what is written here.
        const owners = ({ json }: Exchange) => ownersIn(json, type === 'custom' ? 'status.phase' : 'status.conditions');
        const mine = match.containing('mine Apply status');
        await author.prepare(() => apply(rival, 'Applied', { fieldManager: 'rival', force: true }));
        const shared = must(
          'it is no conflict',
          await apply(author, 'Applied', { fieldManager: 'mine' }),
          match.status(200),
        );
        must('both own it', owners(shared), match.both(match.containing('rival Apply status'), mine));
        const query = 'fieldManager=writer';
        await author.prepare(
          async () => (await changeStatus(author, kind, 'merge', status('Merged'), { query })).answer,
        );
        const written = must(
          'nor is what a patch wrote',
          await apply(author, 'Merged', { fieldManager: 'mine' }),
          match.status(200),
        );
        must('both own that', owners(written), match.both(match.containing('writer Update status'), mine));
      });
    },
  );
}
