import { admissionWebhook, answerTo, type Behaviour, check } from '../harness/index.ts';
import { DENIED, UNANSWERED } from '../sequences/areas/hooked.ts';
import { judgeDrawn } from './drawnRequests.ts';

/** What users with rights write and read; watches and the surface of a server have checks of their own. */
const AREAS = ['objects', 'collections', 'escalation', 'access', 'impersonation', 'aggregation'];

check(
  'REQUEST-SEQUENCE-01.1',
  'users with different rights ask anything as chance has it → each answer and each object is as in the reference',
  ['REQUEST-SEQUENCE-01'],
  ({ admin, nobody, space, dialect, seed, output }) =>
    judgeDrawn({ admin, nobody, space, dialect, seed, output }, { areas: AREAS, sequences: 12 }),
);

/** Denies by the name of the object, and gives some names no answer that counts. */
const byName: Behaviour = (review) => {
  const name = String(review.request.name);
  if (name.endsWith(UNANSWERED)) return { status: 500, body: 'broken' };
  return answerTo(review, { allowed: !name.endsWith(DENIED) });
};

check(
  'REQUEST-SEQUENCE-02.1',
  'webhooks are registered as chance has it, and all is written before, under and after them → what is allowed, and each object, is as in the reference',
  ['REQUEST-SEQUENCE-02'],
  async ({ admin, nobody, space, dialect, seed, output, services }) => {
    const server = await services.get(admissionWebhook);
    const hook = server.hook().does(byName);
    await judgeDrawn(
      { admin, nobody, space, dialect, seed, output },
      {
        areas: ['hooked'],
        sequences: 3,
        webhook: { hook: hook.url, ca: Buffer.from(server.ca).toString('base64') },
        // By which code a refusal is told is for checks of its own.
        counts: ({ path, first, second }) => path !== 'status' || Number(first) < 300 !== Number(second) < 300,
      },
    );
  },
);
