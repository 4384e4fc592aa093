import { type Actor, check, isRecord, match, must, serviceAccounts, should } from '../../harness/index.ts';
import { accountWithToken } from '../accountTokens.ts';
import { whoAmI } from '../whoAmI.ts';

/** The actor asks whose token this is. */
function review(actor: Actor, token: string, audiences?: readonly string[]) {
  const apiVersion = `authentication.${actor.dialect.apiDomain}/v1`;
  return actor.request('POST', `/apis/${apiVersion}/tokenreviews`, {
    words: `${actor.name} asks whose token this is`,
    body: { apiVersion, kind: 'TokenReview', spec: { token, audiences } },
  });
}
/** The user in the status of an answer. */
function userIn(answer: unknown, member: string): Record<string, unknown> {
  const status = isRecord(answer) ? answer.status : undefined;
  const user = isRecord(status) ? status[member] : undefined;
  return isRecord(user) ? user : {};
}
const authenticated = match.field('status.authenticated', true);
const unknown = match.field('status.authenticated', match.empty);

check(
  'TOKENREVIEW-SERVED-01.1',
  'the admin posts reviews of a token that is good, of one that is not any longer and of one that nobody knows → as whom, and that it is nobody',
  ['TOKENREVIEW-SERVED-01'],
  ['service-account-tokens'],
  async ({ admin, someone }) => {
    const token = await accountWithToken(admin, 'robot');
    const user = match.field('status.user.username', `system:serviceaccount:${await admin.namespace()}:robot`);
    must('it is known', await review(admin, token), match.created, authenticated, user);
    const themselves = await whoAmI(someone('robot', { token }));
    must('they know themselves', themselves, match.created);
    const { username, uid, groups, extra } = userIn(themselves.json, 'userInfo');
    const answer = await review(admin, token);
    must('the name is that of the user', answer, match.field('status.user.username', username as string));
    must('so is the uid', answer, match.field('status.user.uid', match.alike(uid)));
    const items = (groups ?? []) as readonly string[];
    must('so are the groups', answer, match.field('status.user.groups', match.sameItems(items)));
    must('so is the extra', answer, match.field('status.user.extra', match.alike(extra)));
    await admin.prepare((actor) => actor.delete(serviceAccounts, 'robot'));
    const gone = match.both(unknown, match.field('status.user.username', match.empty));
    must('when its account is gone it is not', await should(() => review(admin, token), gone));
    const other = await review(admin, 'a-token-that-no-method-knows');
    must('another is not', other, match.created, unknown, match.field('status.user.username', match.empty));
  },
);

check(
  'TOKENREVIEW-SERVED-01.2',
  'the admin posts reviews for audiences → the token is good for those that it was made for',
  ['TOKENREVIEW-SERVED-01'],
  ['service-account-tokens'],
  async ({ admin }) => {
    const token = await accountWithToken(admin, 'robot', { audiences: ['vault', 'bank'] });
    const both = await review(admin, token, ['shop', 'vault']);
    must('of two one is shared', both, authenticated, match.field('status.audiences', ['vault']));
    const all = await review(admin, token, ['bank', 'shop', 'vault']);
    must('of three two are', all, authenticated, match.field('status.audiences', match.sameItems(['bank', 'vault'])));
    must('for others it is not good', await review(admin, token, ['shop']), unknown);
    must('nor for the service itself', await review(admin, token), unknown);
  },
);
