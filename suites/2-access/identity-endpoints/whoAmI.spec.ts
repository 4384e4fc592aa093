import { type Actor, check, match, must } from '../../harness/vocabulary.ts';

const review = (actor: Actor, domain: string) => {
  const apiVersion = `authentication.${domain}/v1`;
  const body = { apiVersion, kind: 'SelfSubjectReview' };
  return actor.request('POST', `/apis/${apiVersion}/selfsubjectreviews`, { body });
};

check(
  'the stranger asks who they are → their name and groups',
  ['IDENTITY-ATTRIBUTES-01', 'IDENTITY-ATTRIBUTES-02'],
  async ({ stranger, dialect }) => {
    const answer = await review(stranger, dialect.apiDomain);
    const name = match.field('status.userInfo.username', stranger.user);
    must('it is answered', answer, match.status(201), match.field('kind', 'SelfSubjectReview'), name);
    must(
      'they are authenticated',
      answer,
      match.field('status.userInfo.groups', match.containing('system:authenticated')),
    );
  },
);

check(
  'the stranger reads a review back → it is not there',
  ['VIRTUAL-TYPE-01'],
  ['plain-identity'],
  async ({ stranger, admin, dialect }) => {
    const path = `/apis/authentication.${dialect.apiDomain}/v1/selfsubjectreviews`;
    must('it is answered once', await review(stranger, dialect.apiDomain), match.status(201));
    must('and again', await review(stranger, dialect.apiDomain), match.status(201));
    must('and never kept', await admin.request('GET', path), match.status(404, 405));
  },
);

for (const [title, authorization] of [
  ['an empty token', 'Bearer '],
  ['another scheme', 'Token touchstone'],
] as const) {
  check(`nobody sends ${title} → they are nobody`, ['IDENTITY-BEARER-01'], async ({ nobody, dialect }) => {
    const apiVersion = `authentication.${dialect.apiDomain}/v1`;
    const options = { headers: { authorization }, body: { apiVersion, kind: 'SelfSubjectReview' } };
    const answer = await nobody.request('POST', `/apis/${apiVersion}/selfsubjectreviews`, options);
    // Refused, or taken as anonymous: who is anonymous may be let ask or be forbidden to.
    must(
      'no user is made of it',
      answer,
      match.either(match.status(401, 403), match.field('status.userInfo.username', 'system:anonymous')),
    );
  });
}
