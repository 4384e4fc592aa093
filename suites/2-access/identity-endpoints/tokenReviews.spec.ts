import { type Actor, check, match, must } from '../../harness/index.ts';
import { accountWithToken } from '../accountTokens.ts';

/** The actor asks whose token this is. */
function review(actor: Actor, token: string, audiences?: readonly string[]) {
  const apiVersion = `authentication.${actor.dialect.apiDomain}/v1`;
  return actor.request('POST', `/apis/${apiVersion}/tokenreviews`, {
    words: `${actor.name} asks whose token this is`,
    body: { apiVersion, kind: 'TokenReview', spec: { token, audiences } },
  });
}
const authenticated = match.field('status.authenticated', true);
const unknown = match.field('status.authenticated', match.empty);

check(
  'the admin posts reviews of a token that is good and of one that nobody knows → as whom, and that it is nobody',
  ['TOKENREVIEW-SERVED-01'],
  ['service-account-tokens'],
  async ({ admin }) => {
    const token = await accountWithToken(admin, 'robot');
    const user = match.field('status.user.username', `system:serviceaccount:${await admin.namespace()}:robot`);
    must('it is known', await review(admin, token), match.status(201), authenticated, user);
    const other = await review(admin, 'a-token-that-no-method-knows');
    must('another is not', other, match.status(201), unknown, match.field('status.user.username', match.empty));
  },
);

check(
  'the admin posts reviews for audiences → the token is good for those that it was made for',
  ['TOKENREVIEW-SERVED-01'],
  ['service-account-tokens'],
  async ({ admin }) => {
    const token = await accountWithToken(admin, 'robot', { audiences: ['vault', 'bank'] });
    const both = await review(admin, token, ['shop', 'vault']);
    must('of two one is shared', both, authenticated, match.field('status.audiences', ['vault']));
    must('for others it is not good', await review(admin, token, ['shop']), unknown);
    must('nor for the service itself', await review(admin, token), unknown);
  },
);
