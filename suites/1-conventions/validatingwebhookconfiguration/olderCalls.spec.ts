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
