import { check, type Kind, match, must, named } from '../../harness/index.ts';
import { makeNothing, type ObjectWrite } from './everyWrite.ts';
import { bothConfigurations } from './kinds.ts';

/** Without rules it is called for nothing. */
const webhook = (change: object = {}) => ({
  name: 'check.touchstone.example',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { service: { name: 'hook', namespace: 'default' } },
  ...change,
});
const second = (change: object) => webhook({ name: 'second.touchstone.example', ...change });
const configured = (...webhooks: object[]) => ({ ...named('config'), webhooks });

for (const kind of bothConfigurations) {
  check(
    `CHANGED-WEBHOOK-02.1/${kind.kind}`,
    `the author creates a ${kind.kind} without side effects, or none on dry run → it is taken`,
    ['CHANGED-WEBHOOK-02'],
    async ({ author }) => {
      const other = webhook({ name: 'other.touchstone.example', sideEffects: 'NoneOnDryRun' });
      must('both are legal', await author.create(kind, configured(webhook(), other)), match.created);
    },
  );
  refuses(kind, 'without sideEffects', [webhook({ sideEffects: undefined })]);
  refuses(kind, 'with side effects', [webhook({ sideEffects: 'Some' })]);
  refuses(kind, 'with unknown side effects', [webhook({ sideEffects: 'Unknown' })]);
  refuses(kind, 'without admissionReviewVersions', [webhook({ admissionReviewVersions: undefined })]);
  refuses(kind, 'with an empty list of review versions', [webhook({ admissionReviewVersions: [] })]);
  refuses(kind, 'with no review version that is known', [webhook({ admissionReviewVersions: ['v99'] })]);
  refuses(kind, 'without sideEffects in its second', [webhook(), second({ sideEffects: undefined })]);
  refuses(kind, 'without admissionReviewVersions in its second', [webhook(), second({ admissionReviewVersions: [] })]);
  // An apply knows webhooks by their names, and of two by one name it makes what it will.
  refuses(kind, 'with a name in it twice', [webhook(), webhook()], ['post', 'yaml']);
}

function refuses(kind: Kind, what: string, webhooks: readonly object[], writes?: readonly ObjectWrite[]): void {
  check(
    `CHANGED-WEBHOOK-02.2/${kind.kind}/${what}`,
    `the author makes a ${kind.kind} ${what} in every way → refused, and nothing is stored`,
    ['CHANGED-WEBHOOK-02'],
    async ({ author }) => {
      await makeNothing(author, kind, [[what, { webhooks }]], writes);
    },
  );
}
