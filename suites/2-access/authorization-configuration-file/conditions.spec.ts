import { authorizationWebhook, check, match, must } from '../../harness/index.ts';
import { allowed, asks, byFile, known, NOWHERE } from '../authorizers.ts';
import { forbidden } from '../decisions.ts';

/** The conditions look at what a request carries; the user's name says which of them are to be false, and which to err. */
const CONDITIONS = [
  "!request.user.contains('false')",
  // Asking for an attribute of a resource errs where the request is about a path.
  "!request.user.contains('error') || request.resourceAttributes.verb == 'get'",
  "has(request.nonResourceAttributes) && request.nonResourceAttributes.verb == 'get' || 'staff' in request.groups",
].map((expression) => ({ expression }));

const conditional = {
  Deny: byFile([asks('conditional', { matchConditions: CONDITIONS, failurePolicy: 'Deny' }), asks('behind')]),
  NoOpinion: byFile([asks('conditional', { matchConditions: CONDITIONS, failurePolicy: 'NoOpinion' }), asks('behind')]),
} as const;

for (const policy of ['Deny', 'NoOpinion'] as const) {
  const setup = conditional[policy];

  check(
    `AUTHZCONF-CONDITION-02.1/${policy}`,
    `all conditions are true, under ${policy} → the webhook is asked and decides`,
    ['AUTHZCONF-CONDITION-02'],
    { setup },
    async ({ someone, services }) => {
      const hook = await services.get(authorizationWebhook, 'conditional');
      const user = `true-${policy}`;
      hook.decide(user, 'allow');
      const ada = await known({ someone, services }, user);
      must('it allows', await ada.request('GET', NOWHERE), allowed);
      must('it was asked', hook.asked(user).length, match.aPositiveInteger);
      const bea = await known({ someone, services }, `${user}-delete`, ['staff']);
      hook.decide(bea.user, 'allow');
      must('another way of being true', await bea.request('DELETE', NOWHERE), allowed);
    },
  );

  for (const [words, user, method] of [
    ['one condition is false', `false-${policy}`, 'GET'],
    ['one condition is false and another errs', `false-error-${policy}`, 'GET'],
    ['the last condition is false', `last-${policy}`, 'DELETE'],
    ['the last condition is false and one before it errs', `error-last-${policy}`, 'DELETE'],
  ] as const) {
    check(
      `AUTHZCONF-CONDITION-02.2/${words}/${policy}`,
      `${words}, under ${policy} → the webhook is skipped and the next one decides`,
      ['AUTHZCONF-CONDITION-02'],
      { setup },
      async ({ someone, services }) => {
        const hook = await services.get(authorizationWebhook, 'conditional');
        hook.decide(user, 'deny');
        (await services.get(authorizationWebhook, 'behind')).decide(user, 'allow');
        const ada = await known({ someone, services }, user);
        must('the next one allows', await ada.request(method, NOWHERE), allowed);
        must('it is not asked', hook.asked(user), match.size(0));
      },
    );
  }

  check(
    `AUTHZCONF-CONDITION-03.1/${policy}`,
    `one condition errs and none is false, under ${policy} → ${policy === 'Deny' ? 'denied' : 'the webhook is skipped'}`,
    ['AUTHZCONF-CONDITION-03'],
    { setup },
    async ({ someone, services }) => {
      const user = `error-${policy}`;
      const hook = await services.get(authorizationWebhook, 'conditional');
      hook.decide(user, policy === 'Deny' ? 'allow' : 'deny');
      (await services.get(authorizationWebhook, 'behind')).decide(user, 'allow');
      const ada = await known({ someone, services }, user);
      const answer = await ada.request('GET', NOWHERE);
      must('the failure policy decides', answer, policy === 'Deny' ? forbidden : allowed);
      must('the webhook is not asked', hook.asked(user), match.size(0));
    },
  );
}
