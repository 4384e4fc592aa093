import { clausesOf, type OPERATIONS, REFUSING_TYPES } from '../../fixtures/ledger/index.ts';
import { ANONYMOUS } from '../../reference/api/identity.ts';
import { onReplies } from '../alter.ts';
import { coding } from '../asking.ts';
import type { Mutant } from '../mutant.ts';
import { allowed, onChain } from '../onAuthorizers.ts';

/** The operations that each verb is asked for. */
const GRANTED: Readonly<Record<string, readonly (typeof OPERATIONS)[number][]>> = {
  get: ['get'],
  list: ['list'],
  watch: ['watch'],
  create: ['post'],
  update: ['put'],
  patch: ['json', 'merge', 'strategic', 'apply'],
  delete: ['delete'],
  deletecollection: ['deletecollection'],
};

/** Refusals that are not given, or not in the form that they should have. */
export const ERRORS: readonly Mutant[] = [
  {
    id: 'no-opinion-allows',
    breaks: [...clausesOf('ERROR-FORBIDDEN-01'), 'AUTHZ-DEFAULT-01'],
    sentence: 'A request that no authorizer has an opinion on is allowed.',
    defect: () => ({
      authorizer: (authorizer) => ({
        name: authorizer.name,
        authorize: async (attributes) => {
          const verdict = await authorizer.authorize(attributes);
          return verdict.decision === 'noOpinion' ? { ...verdict, decision: 'allow' } : verdict;
        },
      }),
    }),
  },
  {
    id: 'wrong-token-is-anonymous',
    breaks: [
      ...clausesOf('ERROR-UNAUTHENTICATED-01'),
      'REQUEST-STAGES-01',
      ...clausesOf('REQUEST-STAGES-01', 'unauthenticated'),
      'IDENTITY-ANONYMOUS-02',
    ],
    sentence: 'A request with a token that nobody knows is served as anonymous.',
    defect: () => ({
      authenticator: (authenticator) => ({
        name: authenticator.name,
        authenticate: async (request) => {
          const answer = await authenticator.authenticate(request);
          return answer && 'rejected' in answer ? { user: ANONYMOUS } : answer;
        },
      }),
    }),
  },
  ...Object.entries(GRANTED).map(
    ([verb, operations]): Mutant => ({
      id: `everybody-may-${verb}`,
      breaks: clausesOf(
        'ERROR-FORBIDDEN-01',
        'denied',
        operations,
        // What would give more than its writer has is refused by another rule.
        ['create', 'update', 'patch'].includes(verb) ? ['configmaps', 'custom'] : REFUSING_TYPES,
      ),
      sentence: `Whoever has no rights may ${verb} objects all the same.`,
      defect: () =>
        onChain((asked, ask) =>
          asked.isResource && asked.verb === verb ? Promise.resolve(allowed('nobody')) : ask(asked),
        ),
    }),
  ),
  {
    id: 'preflights-come-before-credentials',
    breaks: [
      ...clausesOf('ERROR-UNAUTHENTICATED-01', ['unknown', 'revoked', 'expired'], 'options'),
      ...clausesOf('ERROR-FORBIDDEN-01', ['denied', 'nobody'], 'options'),
      ...clausesOf('IDENTITY-ANONYMOUS-03'),
      'IDENTITY-ANONYMOUS-02',
    ],
    sentence: 'Each OPTIONS request is answered 200, whoever sends it.',
    defect: () => coding(({ code }, { method }) => (method === 'OPTIONS' ? 200 : code)),
  },
  {
    id: 'errors-without-status',
    breaks: ['ERROR-STATUS-01', ...clausesOf('ERROR-STATUS-01')],
    sentence: 'Errors are answered with plain text instead of a Status.',
    defect: () =>
      onReplies((reply) =>
        reply.code < 400
          ? reply
          : { ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' }, body: Buffer.from('no\n') },
      ),
  },
];
