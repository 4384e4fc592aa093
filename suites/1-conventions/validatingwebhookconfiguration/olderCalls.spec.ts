import {
  atRelease,
  check,
  clause,
  clausesOf,
  configMaps,
  deny,
  type Kind,
  match,
  must,
  webhookConfigurations,
} from '../../harness/index.ts';
import { installAs } from './installed.ts';

const mutatingConfigurations: Kind = {
  ...webhookConfigurations,
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
};

check(
  'CHANGED-WEBHOOK-01.2',
  'the admin configures webhooks that deny in v1beta1, and changes them there → each denies what it is asked about',
  clausesOf('CHANGED-WEBHOOK-01', 'called'),
  { setup: atRelease('1.21') },
  async ({ admin, services }) => {
    for (const [word, kind] of [
      ['validating', webhookConfigurations],
      ['mutating', mutatingConfigurations],
    ] as const) {
      await clause(`CHANGED-WEBHOOK-01/called/${word}`, async () => {
        const older = { ...kind, version: 'v1beta1' };
        const labels = { 'touchstone.example/asked': word };
        const [hook] = await installAs(older, admin, services, { objectSelector: { matchLabels: labels } });
        hook?.does(deny);
        const ask = (name: string) => admin.create(configMaps, { metadata: { name, labels } });
        must('it is denied', await ask('first'), match.refusal);
        const relabelled = { metadata: { labels: { 'touchstone.example/changed': 'yes' } } };
        must('it is changed', await admin.patch(older, 'config', 'merge', relabelled), match.success);
        must('it is denied still', await ask('second'), match.refusal);
        await admin.prepare(() => admin.delete(older, 'config'));
      });
    }
  },
);

/** What either version of a configuration does by default with a request through a version that no rule lists, and where the webhook fails. */
const BY_DEFAULT = [
  ['v1beta1', { asks: false, fails: false }],
  ['v1', { asks: true, fails: true }],
] as const;
/** A type of two versions at that release. */
const budgets: Kind = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  prefix: 'policy',
  namespaced: true,
  specified: true,
  least: () => ({ spec: { minAvailable: 1 } }),
};

check(
  'CHANGED-WEBHOOK-01.3',
  'the admin configures webhooks in v1beta1 and v1 that do not say what they match nor how they fail → each does as its version shows',
  clausesOf('CHANGED-WEBHOOK-01', 'by-default'),
  { setup: atRelease('1.21') },
  async ({ admin, services }) => {
    const rules = [{ apiGroups: ['policy'], apiVersions: ['v1'], operations: ['CREATE'], resources: [budgets.plural] }];
    for (const [word, kind] of [
      ['validating', webhookConfigurations],
      ['mutating', mutatingConfigurations],
    ] as const) {
      for (const [version, { asks, fails }] of BY_DEFAULT) {
        await clause(`CHANGED-WEBHOOK-01/by-default/${word}/${version}`, async () => {
          const configured = { ...kind, version };
          // What was configured before may be heeded a moment longer.
          const labels = { 'touchstone.example/asked': `${word}-${version}` };
          const [hook] = await installAs(configured, admin, services, {
            rules,
            objectSelector: { matchLabels: labels },
          });
          hook?.does(deny);
          const through = (at: string, name: string) =>
            admin.create({ ...budgets, version: at }, { metadata: { name: `${name}-${word}-${version}`, labels } });
          must('it denies what its rule lists', await through('v1', 'listed'), match.refusal);
          const other = await through('v1beta1', 'other');
          must('another version is another matter only under Exact', other, asks ? match.refusal : match.created);
          hook?.does(() => ({ status: 500, body: 'no review' }));
          const failing = await through('v1', 'failing');
          must('where it fails, its failurePolicy decides', failing, fails ? match.error : match.created);
          await admin.prepare(() => admin.delete(configured, 'config'));
        });
      }
    }
  },
);
