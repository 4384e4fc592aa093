import { OBJECT_WRITES, REFUSED_WRITES } from '../../../fixtures/ledger/index.ts';
import { check, clause, clausesOf, clusterRoleBindings, type JsonObject, match, must } from '../../harness/index.ts';
import type { Content } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';

const USER = { kind: 'User', name: 'touchstone-nobody' };

/** What each type refuses, by the content that it would take. */
const REFUSED: Readonly<
  Record<'clusterrolebindings' | 'validatingwebhookconfigurations', (content: Content) => Content[]>
> = {
  clusterrolebindings: ({ roleRef }) => [
    { roleRef: { ...(roleRef as object), kind: 'Role' } },
    { roleRef: { ...(roleRef as object), name: '' } },
    { subjects: [{ ...USER, name: '' }] },
    { subjects: [USER, { ...USER, kind: '' }] },
  ],
  validatingwebhookconfigurations: ({ webhooks }) => {
    const [hook] = webhooks as readonly JsonObject[];
    const [rule] = (hook?.rules ?? []) as readonly JsonObject[];
    const service = { name: 'a', namespace: 'b' };
    const changed: JsonObject[] = [
      { timeoutSeconds: 0 },
      { timeoutSeconds: 31 },
      { failurePolicy: 'Perhaps' },
      { matchPolicy: 'Perhaps' },
      { sideEffects: 'Some' },
      { admissionReviewVersions: ['v7'] },
      { clientConfig: { url: 'http://touchstone.invalid/' } },
      { clientConfig: { url: 'https://me@touchstone.invalid/' } },
      { clientConfig: { url: 'https://touchstone.invalid/', service } },
      { clientConfig: { service: { ...service, port: 0 } } },
      { clientConfig: { service: { ...service, port: 65536 } } },
      { rules: [{ ...rule, operations: ['*', 'CREATE'] }] },
      { rules: [{ ...rule, scope: 'Perhaps' }] },
      { namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Perhaps' }] } },
      { matchConditions: [{ name: 'a', expression: '1 +' }] },
    ];
    return changed.map((each) => ({ webhooks: [{ ...hook, ...each }] }));
  },
};

for (const type of ['clusterrolebindings', 'validatingwebhookconfigurations'] as const) {
  check(
    `DRYRUN-STAGES-01.4/${type}`,
    `the author writes ${type} that are refused, as a dry run and really → the same status`,
    clausesOf('DRYRUN-STAGES-01', REFUSED_WRITES, type),
    async ({ author, dialect }) => {
      const writer = await writerOf(author, type);
      const live = await writer.given('doc');
      const own = type === 'clusterrolebindings' ? clusterRoleBindings.least(dialect) : writer.content('new');
      for (const write of OBJECT_WRITES) {
        await clause(`DRYRUN-STAGES-01/refused-${write}/${type}`, async () => {
          for (const content of REFUSED[type](own)) {
            const dry = await writer.send(write, { content, query: { dryRun: 'All' } });
            const real = await writer.send(write, { content });
            // Which of them are refused, and how, others judge.
            must('the dry run is answered as the real one', dry, match.status(real.status));
            if (real.succeeded)
              await author.prepare(() =>
                writer.send(write === 'post' ? 'delete' : 'merge', {
                  name: write === 'post' ? 'made' : 'doc',
                  word: 'old',
                }),
              );
          }
          if (write === 'post') must('nothing is created', await writer.get('made'), match.status(404));
        });
      }
      must('it is there still', await writer.get('doc'), match.field('metadata.uid', live.metadata.uid ?? ''));
    },
  );
}
