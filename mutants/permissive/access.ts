import { isObject, type JsonObject } from '../../reference/api/json.ts';
import type { Attributes, AuthorizationResult } from '../../reference/contracts/authorizer.ts';
import type { Seams } from '../../reference/seams.ts';
import type { Clock } from '../../reference/time.ts';
import { onReplies } from '../alter.ts';
import { onJson, onMetrics } from '../asking.ts';
import { onChain } from '../onAuthorizers.ts';
import type { Twin } from './twin.ts';

const REVIEWS = '2/access-review-objects/p1';

/** Identity, reviews, rights that are seen a moment later, and what only people read. */
export const ACCESS: readonly Twin[] = [
  {
    id: 'users-have-more-extra',
    by: ['2/identity-attributes/p1'],
    sentence: 'Every user has an extra attribute that names the credential.',
    side: 'a',
    choice: () => ({
      authenticator: (authenticator) => ({
        name: authenticator.name,
        authenticate: async (request) => {
          const found = await authenticator.authenticate(request);
          if (!found || 'rejected' in found) return found;
          const extra = { ...found.user.extra, 'authentication.twin.example/credential-id': ['X509SHA256=0'] };
          return { ...found, user: { ...found.user, extra } };
        },
      }),
    }),
  },
  {
    id: 'reviews-give-reasons',
    by: [REVIEWS],
    sentence: 'Reviews give a reason and an error of evaluation, whatever they decide.',
    side: 'a',
    choice: () =>
      onReview((status) => {
        status.reason = 'the twin says so';
        status.evaluationError = 'one role could not be looked up';
      }),
  },
  {
    id: 'reviews-give-no-reasons',
    by: [REVIEWS],
    sentence: 'Reviews tell nothing but whether it is allowed, and denied where it is.',
    side: 'b',
    choice: () =>
      onReview((status) => {
        delete status.reason;
        delete status.evaluationError;
      }),
  },
  {
    id: 'reviews-always-say-denied',
    by: [REVIEWS],
    sentence: 'Reviews say that something is not denied where it is not.',
    side: 'a',
    choice: () =>
      onReview((status) => {
        status.denied ??= false;
      }),
  },
  {
    id: 'rules-one-by-one',
    by: [REVIEWS],
    sentence: 'A SelfSubjectRulesReview has a rule for each verb.',
    side: 'b',
    choice: () =>
      onJson(({ kind, status }) => {
        if (kind !== 'SelfSubjectRulesReview' || !isObject(status)) return;
        for (const name of ['resourceRules', 'nonResourceRules']) {
          const rules = status[name];
          if (!Array.isArray(rules)) continue;
          status[name] = rules.flatMap((rule) =>
            isObject(rule) && Array.isArray(rule.verbs)
              ? rule.verbs.map((verb) => ({ ...rule, verbs: [verb] }))
              : [rule],
          );
        }
      }),
  },
  {
    id: 'rules-that-are-incomplete',
    by: [REVIEWS],
    sentence: 'A SelfSubjectRulesReview says that it may be incomplete.',
    side: 'a',
    choice: () =>
      onJson(({ kind, status }) => {
        if (kind === 'SelfSubjectRulesReview' && isObject(status)) {
          status.incomplete = true;
          status.evaluationError = 'one authorizer cannot list its rules';
        }
      }),
  },
  {
    id: 'rights-a-moment-later',
    by: ['2/rbac-behavior/1'],
    sentence: 'What was decided of a question holds for a fifth of a second, whatever is granted meanwhile.',
    side: 'b',
    choice: () => remembering(200),
  },
  {
    id: 'health-in-other-words',
    by: ['2/health/1'],
    sentence: 'A health endpoint that is asked for no details says so in other words.',
    side: 'a',
    choice: () =>
      onReplies((reply, { path, query }) =>
        /^\/(healthz|livez|readyz)$/.test(path) && reply.code === 200 && !query.has('verbose')
          ? { ...reply, body: Buffer.from('all is well\n') }
          : reply,
      ),
  },
  {
    id: 'more-in-the-version',
    by: ['1/intro/p1'],
    sentence: 'The version has further members, and builds of its own.',
    side: 'b',
    choice: () =>
      onJson((body, { path }) => {
        if (!/^\/version\/?$/.test(path)) return;
        body.emulationMajor = body.major ?? '1';
        body.emulationMinor = body.minor ?? '36';
        body.gitCommit = 'twin';
        body.buildDate = '2026-01-01T00:00:00Z';
        body.compiler = 'twin';
      }),
  },
  {
    id: 'more-labels-of-metrics',
    by: ['2/authentication-configuration-file/p2'],
    sentence: 'Each metric has one more label, and there is one more metric.',
    side: 'b',
    choice: () =>
      onMetrics((line) => {
        if (line.startsWith('#') || line === '') return line;
        const [, name = '', labels, value = ''] = /^([A-Za-z0-9_:]+)(?:\{(.*)\})? (.*)$/.exec(line) ?? [];
        return name === '' ? line : `${name}{${labels ? `${labels},` : ''}instance="twin"} ${value}`;
      }),
  },
];

function onReview(change: (status: JsonObject) => void): Seams {
  return onJson(({ kind, status }) => {
    if (typeof kind === 'string' && kind.endsWith('AccessReview') && isObject(status)) change(status);
  });
}

/** Answers what was answered to the same question before, for so many milliseconds. */
function remembering(milliseconds: number): Seams {
  let clock: Clock | undefined;
  const decided = new Map<string, { readonly until: number; readonly result: Promise<AuthorizationResult> }>();
  const chain = onChain((asked: Attributes, ask) => {
    const now = clock?.now() ?? 0;
    const question = JSON.stringify(asked);
    const known = decided.get(question);
    if (known && now < known.until) return known.result;
    const result = ask(asked);
    decided.set(question, { until: now + milliseconds, result });
    return result;
  });
  return {
    ...chain,
    clock: (own) => {
      clock = own;
      return own;
    },
  };
}
