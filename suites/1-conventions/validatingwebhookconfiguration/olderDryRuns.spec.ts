import { atRelease, check, configMaps, match, must, named, webhookConfigurations } from '../../harness/index.ts';
import { installAs, READY } from './installed.ts';

const older = { ...webhookConfigurations, version: 'v1beta1' };
/** The dry runs that find out whether the configuration is in force pass it by. */
const objectSelector = { matchExpressions: [{ key: READY, operator: 'DoesNotExist' }] };

for (const sideEffects of ['Some', 'Unknown']) {
  check(
    `WEBHOOK-DRYRUN-02.1/${sideEffects}`,
    `the author makes a dry run that a webhook of ${sideEffects} matches → it fails, and the webhook is not called`,
    ['WEBHOOK-DRYRUN-02'],
    { setup: atRelease('1.21') },
    async ({ admin, author, services }) => {
      const [hook] = await installAs(older, admin, services, { sideEffects, objectSelector, failurePolicy: 'Fail' });
      must('it fails', await author.create(configMaps, named('a'), { dryRun: 'All' }), match.error);
      must('nothing reached the webhook', hook?.reviews, match.size(0));
      must('the real one passes', await author.create(configMaps, named('a')), match.created);
      must('it did reach it', hook?.reviews, match.size(1));
    },
  );
}
