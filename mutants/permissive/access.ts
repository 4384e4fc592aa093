import { isObject, type JsonObject } from '../../reference/api/json.ts';
import { readJson } from '../../reference/codecs/json.ts';
import { stringify } from '../../reference/codecs/jsonText.ts';
import type { Seams } from '../../reference/seams.ts';
import { onReplies } from '../alter.ts';
import { onJson, onMetrics } from '../asking.ts';
import type { Twin } from './twin.ts';

const REVIEWS = '2/access-review-objects/p1';

/** Identity, reviews, rights that are seen a moment later, and what only people read. */
export const ACCESS: readonly Twin[] = [
  {
    id: 'users-have-more-extra',
    by: ['2/identity-attributes/p1'],
    sentence: 'Every user of a client certificate has an extra attribute that names it.',
    side: 'a',
    choice: () => ({
      authenticator: (authenticator) => ({
        name: authenticator.name,
        authenticate: async (request) => {
          const found = await authenticator.authenticate(request);
          if (!found || 'rejected' in found || !request.peerCertificate) return found;
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
    id: 'webhooks-are-told-less',
    by: ['1/events/p3'],
    sentence: 'Reviews of admission hold neither the options of the request nor the type that it named.',
    side: 'a',
    choice: () => ({
      hookReviews: (put) => (text, hook, signal) => {
        const { request, ...review } = readJson(text).value as JsonObject;
        const { options, requestKind, requestResource, requestSubResource, ...rest } = request as JsonObject;
        return put(stringify({ ...review, request: rest }), hook, signal);
      },
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
