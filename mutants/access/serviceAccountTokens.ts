import { clausesOf, GOING, POD_MANNERS } from '../../fixtures/ledger/index.ts';
import { isObject } from '../../reference/api/json.ts';
import type { Authenticated } from '../../reference/contracts/authenticator.ts';
import type { Seams } from '../../reference/seams.ts';
import { onVerbs } from '../alter.ts';
import { onJson } from '../asking.ts';
import type { Mutant } from '../mutant.ts';
import {
  called,
  claimsOf,
  jwtPart,
  onIdentity,
  onOptions,
  onRefusal,
  onUser,
  rememberingFor,
  tokenOf,
} from '../onAuthentication.ts';

const ACCOUNTS = 'system:serviceaccounts';

/** Tokens that were taken are taken on, once what they stand by goes in a way. */
function livingOn(going: (typeof GOING)[number]): Seams {
  const [what = '', how] = going.split('/');
  const gone: Record<string, boolean> = {};
  const taken = new Map<string, Authenticated>();
  return {
    ...onVerbs(how === 'namespace' ? ['delete'] : ['deletecollection'], (call, serve) => {
      const { resource } = call.endpoint.type;
      const { namespace, name } = call.exchange.info;
      if (how === 'namespace' && resource === 'namespaces') gone[name] = true;
      if (how === 'collection' && resource === WHAT_TOKENS_STAND_BY[what]) gone[namespace] = true;
      return serve(call);
    }),
    ...onIdentity((answer, request) => {
      const [token, { sub = '', ...claims }] = [tokenOf(request), claimsOf(request)];
      const bound = ['secret', 'pod'].find((each) => JSON.stringify(claims).includes(`"${each}":`)) ?? 'account';
      if (bound !== what || !String(sub).startsWith('system:serviceaccount:')) return answer;
      if (answer && 'user' in answer) taken.set(token, answer);
      return gone[String(sub).split(':')[2] ?? ''] ? (taken.get(token) ?? answer) : answer;
    }),
  };
}
const WHAT_TOKENS_STAND_BY: Readonly<Record<string, string>> = {
  account: 'serviceaccounts',
  secret: 'secrets',
  pod: 'pods',
};

/** Whom tokens of service accounts make, and how long (2/methods). */
export const SERVICE_ACCOUNT_TOKENS: readonly Mutant[] = [
  {
    id: 'account-is-for-plain-pods',
    breaks: clausesOf('SATOKEN-POD-02', POD_MANNERS),
    sentence: 'A pod gets the default account when it is posted in JSON, under a name and without that field.',
    defect: () =>
      onJson((body) => {
        if (body.kind === 'Pod' && isObject(body.spec) && body.spec.serviceAccountName === 'default')
          delete body.spec.serviceAccountName;
      }),
  },
  {
    id: 'every-pod-is-of-the-default-account',
    breaks: clausesOf('SATOKEN-POD-02', 'named'),
    sentence: 'A pod that names an account gets the default one.',
    defect: () =>
      onJson((body) => {
        if (body.kind === 'Pod' && isObject(body.spec)) body.spec.serviceAccountName = 'default';
      }),
  },
  {
    id: 'account-groups-dropped',
    breaks: clausesOf('SATOKEN-IDENTITY-01'),
    sentence: 'Service accounts are not in the group of those of their namespace.',
    defect: () =>
      onUser((user) => ({ ...user, groups: user.groups.filter((group) => !group.startsWith(`${ACCOUNTS}:`)) })),
  },
  {
    id: 'account-names-end-at-a-dot',
    breaks: ['SATOKEN-IDENTITY-01/of-any-name'],
    sentence: 'A service account whose name has a dot is called by what stands before that.',
    defect: () =>
      onUser((user) => ({ ...user, username: user.username.replace(/^(system:serviceaccount:[^.]+)\..*/, '$1') })),
  },
  {
    id: 'account-token-read-unverified',
    breaks: ['SATOKEN-SIGNATURE-01'],
    sentence: 'What an altered token of a service account says is believed.',
    defect: () =>
      onRefusal((request) => {
        const { sub } = claimsOf(request);
        return String(sub).startsWith('system:serviceaccount:') ? called(String(sub), [ACCOUNTS]) : undefined;
      }),
  },
  {
    id: 'first-account-key-only',
    breaks: ['SATOKEN-SIGNATURE-02'],
    sentence: 'Of several key files of service account tokens only the first verifies.',
    defect: () => ({
      start: onOptions((options) => ({
        ...options,
        serviceAccounts: { ...options.serviceAccounts, keys: options.serviceAccounts.keys.slice(0, 1) },
      })),
    }),
  },
  {
    id: 'serving-key-verifies-nothing',
    breaks: ['SATOKEN-SIGNATURE-03'],
    sentence: 'The key of the serving certificate does not verify tokens of service accounts.',
    defect: () => ({
      start: onOptions((options) => ({ ...options, serviceAccounts: { ...options.serviceAccounts, keys: [] } })),
    }),
  },
  {
    id: 'tokens-of-deleted-accounts-live-on',
    breaks: ['SATOKEN-REVOKE-01'],
    sentence: 'A token of a service account that was taken once is taken when the account has gone.',
    defect: () => rememberingFor(({ user }) => user.groups.includes(ACCOUNTS)),
  },
  ...GOING.map(
    (going): Mutant => ({
      id: `tokens-live-on-${going.replace('/', '-by-')}`,
      breaks: [`SATOKEN-REVOKE-01/${going}`],
      sentence: `A token of an account that was taken is taken on where what it stands by went so: ${going}.`,
      defect: () => livingOn(going),
    }),
  ),
  {
    id: 'account-tokens-never-end',
    breaks: ['SATOKEN-EXPIRY-01'],
    sentence: 'A token of a service account that was taken once is taken for ever.',
    defect: () =>
      rememberingFor(({ user }, request) => user.groups.includes(ACCOUNTS) && claimsOf(request).exp !== undefined),
  },
  {
    id: 'account-tokens-by-any-issuer',
    breaks: ['SATOKEN-EXPIRY-01'],
    sentence: 'Nobody looks at the issuer of a token of a service account.',
    defect: () =>
      onRefusal((request) => {
        const { iss, sub } = claimsOf(request);
        const alien = iss === 'https://touchstone.invalid' && String(sub).startsWith('system:serviceaccount:');
        return alien ? called(String(sub), [ACCOUNTS]) : undefined;
      }),
  },
  {
    id: 'account-tokens-for-others-are-taken',
    breaks: ['SATOKEN-CREATE-01'],
    sentence: 'A token of a service account is taken whomever it was made for.',
    defect: () =>
      onRefusal((request) => {
        const { aud, sub } = claimsOf(request);
        return Array.isArray(aud) && aud.includes('vault') ? called(String(sub), [ACCOUNTS]) : undefined;
      }),
  },
  {
    id: 'tokens-of-deleted-secrets-live-on',
    breaks: ['SATOKEN-SECRET-01'],
    sentence: 'The token of a secret is taken when the secret is gone.',
    defect: () =>
      rememberingFor(({ user }, request) => user.groups.includes(ACCOUNTS) && claimsOf(request).exp === undefined),
  },
  {
    id: 'account-tokens-by-the-published-key',
    breaks: ['SATOKEN-SIGNATURE-01'],
    sentence: 'A token of a service account may be signed by HMAC with what the server publishes.',
    defect: () =>
      onRefusal((request) => {
        const [{ alg }, { sub }] = [jwtPart(request, 0), claimsOf(request)];
        return String(alg).startsWith('HS') && String(sub).startsWith('system:serviceaccount:')
          ? called(String(sub), [ACCOUNTS])
          : undefined;
      }),
  },
  {
    id: 'requested-tokens-are-cut',
    breaks: ['SATOKEN-CREATE-01'],
    sentence: 'The token subresource answers tokens that nobody takes.',
    defect: () =>
      onJson((body, { path }) => {
        if (path.endsWith('/token') && isObject(body.status))
          body.status.token = String(body.status.token).slice(0, -20);
      }),
  },
  {
    id: 'pod-without-account',
    breaks: ['SATOKEN-POD-01'],
    sentence: 'A pod that names no account has none.',
    defect: () =>
      onJson((body) => {
        if (body.kind === 'Pod' && isObject(body.spec)) delete body.spec.serviceAccountName;
      }),
  },
];
