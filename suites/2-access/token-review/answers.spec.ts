import { UNKNOWN_TOKENS } from '../../../fixtures/ledger/index.ts';
import type { ScriptedAnswer } from '../../harness/index.ts';
import { check, clause, clausesOf, match, must, tokenWebhook } from '../../harness/index.ts';
import { calls, inGroups, known, knownBefore, refused } from '../known.ts';
import { asV1, byDefault } from '../webhook-token-flags/setups.ts';
import { whoAmI } from '../whoAmI.ts';

const user = {
  username: 'ada',
  uid: 'ada-7',
  groups: ['staff', 'operators'],
  extra: { 'example.com/tenant': ['acme'] },
};
/** A part of a JWT. */
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const ADA: ScriptedAnswer = { status: { authenticated: true, user } };

/** Tokens that no other method knows, whatever they look like. */
const UNKNOWN: Readonly<Record<(typeof UNKNOWN_TOKENS)[number], string>> = {
  opaque: 'opaque-token-that-is-posted',
  jwt: `${part({ alg: 'RS256', kid: 'none' })}.${part({ iss: 'https://touchstone.invalid', sub: 'ada' })}.c2lnbmF0dXJl`,
  'of-two-parts': 'abcdef.0123456789abcdef',
  'of-three-parts': 'one.two.three',
  escaped: 'opaque%41%2Ftoken+with&amp;"\\u0041"',
  padded: 'b3BhcXVlLXRva2Vu+/==',
};

check(
  'TOKENREVIEW-REQUEST-01.1',
  'ada shows tokens that no other method knows → each is posted for review, with the audiences of the service',
  clausesOf('TOKENREVIEW-REQUEST-01'),
  { setup: byDefault },
  async ({ someone, services }) => {
    const webhook = await services.get(tokenWebhook);
    const judged = UNKNOWN_TOKENS.map((form) =>
      clause(`TOKENREVIEW-REQUEST-01/${form}`, async () => {
        const token = UNKNOWN[form];
        webhook.answer(token, ADA);
        must('ada is known', await known(someone('ada', { token }), calls('ada')));
        const [review] = webhook.asked(token);
        must('it is posted', review, match.at('method', 'POST'));
        must('as spec.token', review, match.at('spec.token', match.equal(token)));
        // They are optional; what they are called is the server's own affair.
        must(
          'audiences are texts',
          review,
          match.at('spec.audiences', match.oneOf(match.empty, match.every(match.aString))),
        );
      }),
    );
    await Promise.all(judged);
  },
);

for (const [version, setup] of [
  ['v1beta1', byDefault],
  ['v1', asV1],
] as const) {
  check(
    `TOKENREVIEW-ANSWER-01.2/${version}`,
    `the webhook knows the token, asked in ${version} → the user of its answer is the user of the request`,
    [`TOKENREVIEW-ANSWER-01/${version}`],
    { setup },
    async ({ someone, services }) => {
      const token = 'opaque-token-with-everything';
      (await services.get(tokenWebhook)).answer(token, ADA);
      const extra = match.field(['status', 'userInfo', 'extra', 'example.com/tenant'], ['acme']);
      const uid = match.field('status.userInfo.uid', 'ada-7');
      const whole = [calls('ada'), uid, inGroups('staff', 'operators'), extra];
      const ada = someone('ada', { token });
      must('all of it', await known(ada, ...whole));
      must('all of it once more', await whoAmI(ada), match.created, ...whole);
      // Each member of a user may stand there without the others.
      for (const [member, seen] of [
        ['uid', uid],
        ['groups', inGroups('staff', 'operators')],
        ['extra', extra],
      ] as const) {
        const part = `${token}-only-${member}`;
        const status = { authenticated: true, user: { username: user.username, [member]: user[member] } };
        (await services.get(tokenWebhook)).answer(part, { status });
        must(`${member} alone`, await known(someone('ada', { token: part }), calls('ada'), seen));
      }
      // A value may be empty, alone and among others, or stand there twice.
      const blank = {
        'example.com/alone': [''],
        'example.com/among': ['', 'acme', ''],
        'example.com/twice': ['a', 'a'],
      };
      const empty = `${token}-with-empty-values`;
      (await services.get(tokenWebhook)).answer(empty, {
        status: { authenticated: true, user: { ...user, extra: blank } },
      });
      const kept = match.field('status.userInfo.extra', match.including(blank));
      must('values that say nothing', await known(someone('ada', { token: empty }), kept));
      // What begins as names of the service do is as opaque as any other.
      const sam = { username: 'system:touchstone', uid: 'system:7', groups: ['system:monitoring', 'system:nodes'] };
      const own = `${token}-as-of-the-service`;
      (await services.get(tokenWebhook)).answer(own, { status: { authenticated: true, user: sam } });
      const same = [calls(sam.username), match.field('status.userInfo.uid', sam.uid), inGroups(...sam.groups)];
      must('one as of the service', await known(someone('sam', { token: own }), ...same));
    },
  );
}

const FAULTY: Readonly<Record<string, ScriptedAnswer>> = {
  'is not authenticated': { status: { authenticated: false, user } },
  'is not authenticated, for a reason': { status: { authenticated: false, error: 'no such token' } },
  'does not say that it is authenticated': { status: { user } },
  'has no status': { instead: { body: '{}' } },
  'is a refusal': { instead: { status: 403, body: { authenticated: true } } },
  'is a failure': { instead: { status: 500, body: 'broken' } },
  'cannot be read': { instead: { body: '{"status": {"authenticated": true, "user":' } },
  'never comes, for the connection breaks': { instead: 'hang-up' },
  'says so by a text': { status: { authenticated: 'true', user } },
  'says so by a number': { status: { authenticated: 1, user } },
  'says so by an object': { status: { authenticated: {}, user } },
  'is of another kind': { status: { authenticated: true, user }, kind: 'SubjectAccessReview' },
  'is of another group': { status: { authenticated: true, user }, apiVersion: 'example.com/v1beta1' },
  'has a status that is a list': { status: [{ authenticated: true, user }] },
  'has a user that is a text': { status: { authenticated: true, user: 'ada' } },
  'has a user that is a list': { status: { authenticated: true, user: [user] } },
  'calls the user by a number': { status: { authenticated: true, user: { ...user, username: 7 } } },
  'is a list of reviews': { instead: { body: [{ status: { authenticated: true, user } }] } },
  'is a page': { instead: { body: '<html>authenticated</html>' } },
  'is empty': { instead: { body: '' } },
};

check(
  'TOKENREVIEW-ANSWER-02.1',
  'the answer of the webhook is not authenticated, or an error → 401',
  ['TOKENREVIEW-ANSWER-02'],
  { setup: byDefault },
  async ({ someone, services }) => {
    const webhook = await services.get(tokenWebhook);
    webhook.answer('opaque-token-that-is-sound', ADA);
    await knownBefore(someone('ada', { token: 'opaque-token-that-is-sound' }));
    // A server may ask again for a while where it got no answer, so all wait together.
    const answers = Object.entries(FAULTY).map(async ([what, answer], index) => {
      const token = `opaque-token-that-fails-${index}`;
      webhook.answer(token, answer);
      return [what, await whoAmI(someone('eve', { token }))] as const;
    });
    for (const [what, seen] of await Promise.all(answers)) must(`an answer that ${what} is a refusal`, seen, refused);
  },
);

for (const [title, id, faulty] of [
  [
    'an authenticated answer names no user',
    'TOKENREVIEW-ANSWER-03',
    [undefined, { ...user, username: undefined }, { ...user, username: '' }].map((nobody) => ({
      status: { authenticated: true, user: nobody },
    })),
  ],
  [
    'an authenticated answer is for audiences that are none of the service',
    'TOKENREVIEW-ANSWER-05',
    [['somebody-else'], ['somebody-else', 'another']].map((audiences) => ({
      status: { authenticated: true, user, audiences },
    })),
  ],
] as const) {
  check(
    `${id}.1/${title}`,
    `${title} → it authenticates nobody`,
    [id],
    { setup: byDefault },
    async ({ someone, services }) => {
      const webhook = await services.get(tokenWebhook);
      const sound = `opaque-token-beside-${id}`;
      webhook.answer(sound, ADA);
      await knownBefore(someone('ada', { token: sound }));
      for (const [index, answer] of faulty.entries()) {
        const token = `opaque-token-of-${id}-${index}`;
        webhook.answer(token, answer);
        must(`${JSON.stringify(answer)} is a refusal`, await whoAmI(someone('eve', { token })), refused);
      }
    },
  );
}

check(
  'TOKENREVIEW-ANSWER-04.1',
  'the answer holds another token and other audiences in spec → they are ignored',
  ['TOKENREVIEW-ANSWER-04'],
  { setup: byDefault },
  async ({ someone, services }) => {
    const token = 'opaque-token-with-another-in-spec';
    const spec = { token: 'another-token-altogether', audiences: ['somebody-else'] };
    (await services.get(tokenWebhook)).answer(token, { ...ADA, spec });
    must('ada is known all the same', await known(someone('ada', { token }), calls('ada')));
  },
);

check(
  'TOKENREVIEW-ANSWER-02.2',
  'an authenticated answer has groups or extra of a wrong type → refused, or the user is without them',
  ['TOKENREVIEW-ANSWER-02'],
  { setup: byDefault },
  async ({ someone, services }) => {
    const webhook = await services.get(tokenWebhook);
    for (const [index, more] of [
      { groups: 'system:masters' },
      { groups: { 'system:masters': true } },
      { groups: [['system:masters']] },
      { extra: { scopes: 'all' } },
      { extra: ['all'] },
    ].entries()) {
      const token = `opaque-token-of-a-wrong-type-${index}`;
      webhook.answer(token, { status: { authenticated: true, user: { username: 'ada', ...more } } });
      const without = match.field('status.userInfo.groups', match.not(match.containing('system:masters')));
      const noExtra = match.field('status.userInfo.extra.scopes', match.absent);
      const seen = await whoAmI(someone('ada', { token }));
      must(`${JSON.stringify(more)} gives nothing`, seen, match.either(refused, match.both(without, noExtra)));
    }
  },
);

check(
  'TOKENREVIEW-CACHE-03.1',
  'ada has shown her token and eve shows ones that are almost the same → the webhook is asked for each, and they are nobody',
  ['TOKENREVIEW-CACHE-03'],
  { setup: byDefault },
  async ({ someone, services }) => {
    const webhook = await services.get(tokenWebhook);
    const token = 'opaque-token-of-ada-that-is-kept';
    webhook.answer(token, ADA);
    must('ada is known', await known(someone('ada', { token }), calls('ada')));
    for (const near of [`${token}x`, token.slice(0, -1), token.toUpperCase(), token.replace('ada', 'eve')]) {
      must(`${near} is another`, await whoAmI(someone('eve', { token: near })), refused);
      must('the webhook was asked for it', webhook.asked(near).length, match.aPositiveInteger);
    }
    must('ada is known still', await whoAmI(someone('ada', { token })), match.created, calls('ada'));
  },
);

check(
  'TOKENREVIEW-CACHE-03.2',
  'two tokens are of two users → each is who their token says, whoever asked before',
  ['TOKENREVIEW-CACHE-03'],
  { setup: byDefault },
  async ({ someone, services }) => {
    const webhook = await services.get(tokenWebhook);
    for (const name of ['ada', 'bea']) {
      webhook.answer(`opaque-token-of-two-${name}`, {
        status: { authenticated: true, user: { username: name, groups: [`of-${name}`] } },
      });
    }
    for (const name of ['ada', 'bea', 'ada', 'bea']) {
      const seen = await known(someone(name, { token: `opaque-token-of-two-${name}` }), calls(name));
      must(`${name} is in her group`, must('she is known', seen), inGroups(`of-${name}`));
    }
  },
);
