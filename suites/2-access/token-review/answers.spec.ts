import type { ScriptedAnswer } from '../../harness/index.ts';
import { check, match, must, tokenWebhook } from '../../harness/index.ts';
import { calls, inGroups, known, knownBefore, refused } from '../known.ts';
import { byDefault } from '../webhook-token-flags/setups.ts';
import { whoAmI } from '../whoAmI.ts';

const user = {
  username: 'ada',
  uid: 'ada-7',
  groups: ['staff', 'operators'],
  extra: { 'example.com/tenant': ['acme'] },
};
const ADA: ScriptedAnswer = { status: { authenticated: true, user } };

check(
  'ada shows a token that no other method knows → it is posted for review, with the audiences of the service',
  ['TOKENREVIEW-REQUEST-01'],
  { setup: byDefault },
  async ({ someone, services }) => {
    const webhook = await services.get(tokenWebhook);
    const token = 'opaque-token-that-is-posted';
    webhook.answer(token, ADA);
    must('ada is known', await known(someone('ada', { token }), calls('ada')));
    const [review] = webhook.asked(token);
    must('it is posted', review, match.at('method', 'POST'));
    must('as spec.token', review, match.at('spec.token', match.equal(token)));
    must('with audiences', review, match.at('spec.audiences', match.both(match.not([]), match.every(match.aString))));
  },
);

check(
  'the webhook knows the token → the user of its answer is the user of the request',
  ['TOKENREVIEW-ANSWER-01'],
  { setup: byDefault },
  async ({ someone, services }) => {
    const token = 'opaque-token-with-everything';
    (await services.get(tokenWebhook)).answer(token, ADA);
    const extra = match.field(['status', 'userInfo', 'extra', 'example.com/tenant'], ['acme']);
    const uid = match.field('status.userInfo.uid', 'ada-7');
    must('all of it', await known(someone('ada', { token }), calls('ada'), uid, inGroups('staff', 'operators'), extra));
  },
);

const FAULTY: Readonly<Record<string, ScriptedAnswer>> = {
  'is not authenticated': { status: { authenticated: false, user } },
  'is not authenticated, for a reason': { status: { authenticated: false, error: 'no such token' } },
  'does not say that it is authenticated': { status: { user } },
  'has no status': { instead: { body: '{}' } },
  'is a refusal': { instead: { status: 403, body: { authenticated: true } } },
  'is a failure': { instead: { status: 500, body: 'broken' } },
  'cannot be read': { instead: { body: '{"status": {"authenticated": true, "user":' } },
  'never comes, for the connection breaks': { instead: 'hang-up' },
};

check(
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
    { status: { authenticated: true, user: { ...user, username: undefined } } },
  ],
  [
    'an authenticated answer is for audiences that are none of the service',
    'TOKENREVIEW-ANSWER-05',
    { status: { authenticated: true, user, audiences: ['somebody-else'] } },
  ],
] as const) {
  check(`${title} → it authenticates nobody`, [id], { setup: byDefault }, async ({ someone, services }) => {
    const webhook = await services.get(tokenWebhook);
    const [sound, token] = [`opaque-token-beside-${id}`, `opaque-token-of-${id}`];
    webhook.answer(sound, ADA);
    webhook.answer(token, faulty);
    await knownBefore(someone('ada', { token: sound }));
    must('the token is refused', await whoAmI(someone('eve', { token })), refused);
  });
}

check(
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
