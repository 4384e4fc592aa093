import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import type { QUESTIONS_ABOUT_ONESELF } from '../../fixtures/ledger/index.ts';
import { type Actor, type Exchange, selfReview } from '../harness/index.ts';

/** The actor asks something about themselves, which takes a right as anything else does. */
export function asksAboutThemselves(
  actor: Actor,
  question: (typeof QUESTIONS_ABOUT_ONESELF)[number],
  dialect: Dialect,
): Promise<Exchange> {
  const apiVersion = `${groupName(dialect, 'authorization')}/v1`;
  const resourceAttributes = { verb: 'list', resource: 'configmaps', namespace: 'default' };
  const review = (kind: string, spec: object) => ({
    path: `/apis/${apiVersion}/${kind.toLowerCase()}s`,
    body: { apiVersion, kind, spec },
  });
  const { path, body } = {
    who: selfReview(dialect),
    access: review('SelfSubjectAccessReview', { resourceAttributes }),
    rules: review('SelfSubjectRulesReview', { namespace: 'default' }),
  }[question];
  return actor.request('POST', path, { body });
}
