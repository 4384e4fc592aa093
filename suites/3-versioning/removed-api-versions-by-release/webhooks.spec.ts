import { check, type Kind, match, must, named } from '../../harness/index.ts';
import { bothConfigurations } from './kinds.ts';

/** Without rules it is called for nothing. */
const webhook = (change: object = {}) => ({
  name: 'check.touchstone.example',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { service: { name: 'hook', namespace: 'default' } },
  ...change,
});
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
  refuses(kind, 'without sideEffects', webhook({ sideEffects: undefined }));
  refuses(kind, 'with side effects', webhook({ sideEffects: 'Some' }));
  refuses(kind, 'with unknown side effects', webhook({ sideEffects: 'Unknown' }));
  refuses(kind, 'without admissionReviewVersions', webhook({ admissionReviewVersions: undefined }));
  refuses(kind, 'with a name in it twice', webhook(), webhook());
}

function refuses(kind: Kind, what: string, ...webhooks: object[]): void {
  check(
    `CHANGED-WEBHOOK-02.2/${kind.kind}/${what}`,
    `the author creates a ${kind.kind} ${what} → refused`,
    ['CHANGED-WEBHOOK-02'],
    async ({ author }) => {
      must('v1 does not take it', await author.create(kind, configured(...webhooks)), match.refusal);
    },
  );
}
