import { clausesOf, METHODS_OF_TOKENS } from '../../fixtures/ledger/index.ts';
import { isObject, type JsonObject } from '../../reference/api/json.ts';
import type { Authenticated } from '../../reference/contracts/authenticator.ts';
import type { TokenWebhookOptions } from '../../reference/contracts/serverOptions.ts';
import type { Reviews } from '../../reference/remote/reviewClient.ts';
import type { Seams } from '../../reference/seams.ts';
import { onJson } from '../asking.ts';
import type { Mutant, Start } from '../mutant.ts';
import { called, onIdentity, onOptions, onRefusal, onUser, part, tokenOf } from '../onAuthentication.ts';

/** Puts something between the service and its webhook. */
const onReviews = (ask: (review: JsonObject, reviews: Reviews) => Promise<JsonObject>): Seams => ({
  reviews: (reviews) => ({ ask: (review) => ask(review, reviews) }),
});

const onWebhook = (change: (webhook: TokenWebhookOptions) => TokenWebhookOptions): Start =>
  onOptions((options) => ({ ...options, webhook: options.webhook && change(options.webhook) }));

const TWO_MINUTES = 120_000;

const YEAR = 365 * 24 * 3_600_000;

const VERSION = '--authentication-token-webhook-version=';

function withContext(config: JsonObject): JsonObject {
  const [first] = Array.isArray(config.contexts) ? config.contexts : [];
  return { ...config, 'current-context': isObject(first) ? (first.name ?? '') : '' };
}

/** By which method somebody of this name is known by this token. */
function methodOf(token: string, name: string): (typeof METHODS_OF_TOKENS)[number] {
  if (name.startsWith('system:serviceaccount:')) return 'account';
  if (name.startsWith('system:bootstrap:')) return 'bootstrap';
  if (token.startsWith('opaque-')) return 'webhook';
  return token.split('.').length === 3 ? 'oidc' : 'token-file';
}

/** Token reviews that are asked wrongly, or whose answers are read wrongly (2/token-review, 2/webhook-token-flags). */
export const TOKEN_REVIEW: readonly Mutant[] = [
  {
    id: 'token-decisions-kept-by-the-beginning',
    breaks: ['TOKENREVIEW-CACHE-03'],
    sentence: 'What was decided of a token is used for all that begin like it.',
    defect: () => {
      const kept = new Map<string, Authenticated>();
      return onIdentity((answer, request) => {
        const key = tokenOf(request).slice(0, 20);
        if (answer && 'user' in answer && key.startsWith('opaque-')) kept.set(key, answer);
        return kept.get(key) ?? answer;
      });
    },
  },
  {
    id: 'review-of-another-token',
    breaks: clausesOf('TOKENREVIEW-REQUEST-01'),
    sentence: 'A review is posted with the token cut.',
    defect: () =>
      onReviews((review, reviews) =>
        reviews.ask({
          ...review,
          spec: { ...part(review, 'spec'), token: String(part(review, 'spec').token).slice(1) },
        }),
      ),
  },
  {
    id: 'review-of-a-decoded-token',
    breaks: ['TOKENREVIEW-REQUEST-01/escaped'],
    sentence: 'A review is posted with the token decoded as in a URL.',
    defect: () =>
      onReviews((review, reviews) => {
        const token = String(part(review, 'spec').token).replace(/(%[0-9A-F]{2})+/gi, decodeURIComponent);
        return reviews.ask({ ...review, spec: { ...part(review, 'spec'), token } });
      }),
  },
  {
    id: 'reviewed-user-loses-extra',
    breaks: clausesOf('TOKENREVIEW-ANSWER-01'),
    sentence: 'What a webhook says of a user beside name, uid and groups is lost.',
    defect: () => onUser((user) => ({ ...user, extra: {} })),
  },
  {
    id: 'reviewed-extra-loses-empty-values',
    breaks: clausesOf('TOKENREVIEW-ANSWER-01'),
    sentence: 'Values of extra that are empty are left out.',
    defect: () =>
      onUser((user) => ({
        ...user,
        extra: Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, values.filter(Boolean)])),
      })),
  },
  {
    id: 'failing-webhook-admits',
    breaks: ['TOKENREVIEW-ANSWER-02'],
    sentence: 'Where the webhook fails a token is taken.',
    defect: () => onRefusal((request) => (tokenOf(request).startsWith('opaque') ? called('somebody') : undefined)),
  },
  {
    id: 'nameless-user-by-review',
    breaks: ['TOKENREVIEW-ANSWER-03'],
    sentence: 'An authenticated answer without a user name makes a user without one.',
    defect: () => ({ start: { options: (options) => ({ ...options, follow: 'service' }) } }),
  },
  {
    id: 'answered-spec-believed',
    breaks: ['TOKENREVIEW-ANSWER-04'],
    sentence: 'An answer is taken for another token when its spec holds another.',
    defect: () =>
      onReviews(async (review, reviews) => {
        const answer = await reviews.ask(review);
        const { token } = part(answer, 'spec');
        return token === undefined || token === part(review, 'spec').token ? answer : { ...answer, status: {} };
      }),
  },
  {
    id: 'answered-audiences-ignored',
    breaks: ['TOKENREVIEW-ANSWER-05'],
    sentence: 'An answer is taken whatever audiences it is for.',
    defect: () =>
      onReviews(async (review, reviews) => {
        const answer = await reviews.ask(review);
        const { audiences, ...status } = part(answer, 'status');
        return { ...answer, status };
      }),
  },
  {
    id: 'review-always-v1',
    breaks: ['TOKENREVIEW-VERSION-01'],
    sentence: 'Reviews are sent as v1 where no version is given.',
    defect: () => ({ start: onWebhook((webhook) => ({ ...webhook, version: 'v1' })) }),
  },
  {
    id: 'review-version-guessed',
    breaks: ['TOKENREVIEW-VERSION-02'],
    sentence: 'A version of reviews that does not exist is read as the default.',
    defect: () => ({
      start: { flags: (argv) => argv.filter((each) => !each.startsWith(VERSION) || /[/=]v1(beta1)?$/.test(each)) },
    }),
  },
  {
    id: 'answer-in-any-version',
    breaks: clausesOf('TOKENREVIEW-VERSION-03'),
    sentence: 'An answer in another version than the review is taken.',
    defect: () =>
      onReviews(async (review, reviews) => {
        try {
          return await reviews.ask(review);
        } catch (error) {
          const [group, version] = String(review.apiVersion).split('/');
          const other = await reviews.ask({ ...review, apiVersion: `${group}/${version === 'v1' ? 'v1beta1' : 'v1'}` });
          if (part(other, 'status').authenticated !== true) throw error;
          return other;
        }
      }),
  },
  {
    id: 'reviews-cached-for-ever',
    breaks: ['TOKENREVIEW-CACHE-01'],
    sentence: 'The decision of a webhook is never asked for again.',
    defect: () => ({ start: onWebhook((webhook) => ({ ...webhook, cacheTtl: YEAR })) }),
  },
  {
    id: 'review-cache-flag-ignored',
    breaks: ['TOKENREVIEW-CACHE-02'],
    sentence: 'Decisions of a webhook are cached for two minutes, whatever the flag says.',
    defect: () => ({ start: onWebhook((webhook) => ({ ...webhook, cacheTtl: TWO_MINUTES })) }),
  },
  {
    id: 'review-cache-in-whole-seconds',
    breaks: ['TOKENREVIEW-CACHE-02'],
    sentence: 'How long decisions are cached is rounded up to whole seconds.',
    defect: () => ({
      start: onWebhook((webhook) => ({ ...webhook, cacheTtl: Math.ceil(webhook.cacheTtl / 1000) * 1000 })),
    }),
  },
  {
    id: 'any-webhook-trusted',
    breaks: ['TOKENREVIEW-CONFIG-01'],
    sentence: 'The certificate of the webhook is not verified.',
    defect: () => ({ start: onWebhook((webhook) => ({ ...webhook, remote: { ...webhook.remote, insecure: true } })) }),
  },
  {
    id: 'webhook-context-guessed',
    breaks: ['TOKENREVIEW-CONFIG-02', 'TOKENREVIEW-CONFIG-03'],
    sentence: 'A client configuration is used by its first context, whichever is the current one, or none.',
    defect: () => ({
      start: {
        files: (files) => ({
          read: (path) => {
            const text = files.read(path);
            return text.includes('"current-context"') ? JSON.stringify(withContext(JSON.parse(text))) : text;
          },
        }),
      },
    }),
  },
  {
    id: 'review-answers-no-audiences',
    breaks: ['TOKENREVIEW-SERVED-01'],
    sentence: 'A TokenReview does not say for which of the audiences the token is good.',
    defect: () =>
      onJson((body, { path }) => {
        if (path.endsWith('/tokenreviews') && isObject(body.status)) delete body.status.audiences;
      }),
  },
  ...METHODS_OF_TOKENS.map(
    (method): Mutant => ({
      id: `review-knows-no-${method}-tokens`,
      breaks: [`TOKENREVIEW-SERVED-01/${method}`],
      sentence: `A TokenReview that is posted to the service knows no token by ${method}.`,
      defect: () =>
        onJson((body, { path }) => {
          if (!path.endsWith('/tokenreviews') || !isObject(body.status)) return;
          if (methodOf(String(part(body, 'spec').token), String(part(body.status, 'user').username)) === method)
            body.status = { authenticated: false };
        }),
    }),
  ),
];
