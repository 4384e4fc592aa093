import type { ClaimSource, JwtOptions } from '../../reference/contracts/serverOptions.ts';
import { ALL_ALGORITHMS } from '../../reference/options/oidcFlags.ts';
import type { Mutant } from '../mutant.ts';
import {
  called,
  claimsOf,
  jwtPart,
  onIssuers,
  onOptions,
  onRefusal,
  rememberingFor,
  withIssuers,
} from '../onAuthentication.ts';

const isAmong = (configured: readonly JwtOptions[], issuer: unknown): boolean =>
  configured.some(({ issuer: { url } }) => url === issuer);

const claimSource = (source: JwtOptions['username'], change: (source: ClaimSource) => ClaimSource) =>
  'claim' in source ? change(source) : source;

/** ID tokens that are believed too much, and users that are made of them wrongly (2/oidc-flags). */
export const OIDC: readonly Mutant[] = [
  {
    id: 'issuers-not-known',
    breaks: ['OIDC-ISSUER-01'],
    sentence: 'No token of an issuer is taken.',
    defect: () => ({ start: onOptions((options) => ({ ...options, jwt: [] })) }),
  },
  {
    id: 'issuer-of-http-taken-for-https',
    breaks: ['OIDC-ISSUER-02'],
    sentence: 'An issuer URL of http is read as one of https.',
    defect: () => ({
      start: {
        flags: (argv) => argv.map((each) => each.replace(/^(--oidc-issuer-url=)(http:)?(\/\/)?(?=\d)/, '$1https://')),
      },
    }),
  },
  {
    id: 'audience-not-looked-at',
    breaks: ['OIDC-CLIENT-01'],
    sentence: 'Tokens for another client are taken.',
    defect: () => ({
      start: onIssuers((jwt) => {
        const audiences = Object.assign([...jwt.issuer.audiences], { includes: () => true });
        return { ...jwt, issuer: { ...jwt.issuer, audiences } };
      }),
    }),
  },
  {
    id: 'username-always-sub',
    breaks: ['OIDC-USERNAME-01'],
    sentence: 'The name is made of sub, whichever claim the flag names.',
    defect: () => ({
      start: onIssuers((jwt) => ({
        ...jwt,
        username: claimSource(jwt.username, ({ prefix }) => ({ claim: 'sub', prefix })),
      })),
    }),
  },
  {
    id: 'issuer-prefix-dropped',
    breaks: ['OIDC-USERNAME-02'],
    sentence: 'Without a prefix flag names have no prefix, whichever claim they come from.',
    defect: () => ({
      start: onIssuers((jwt) => ({
        ...jwt,
        username: claimSource(jwt.username, ({ claim, prefix }) => ({
          claim,
          prefix: prefix === `${jwt.issuer.url}#` ? '' : prefix,
        })),
      })),
    }),
  },
  {
    id: 'email-prefixed-too',
    breaks: ['OIDC-USERNAME-02'],
    sentence: 'Without a prefix flag names from email are prefixed as all others.',
    defect: () => ({
      start: onIssuers((jwt) => ({
        ...jwt,
        username: claimSource(jwt.username, ({ claim, prefix }) => ({
          claim,
          prefix: claim === 'email' && prefix === '' ? `${jwt.issuer.url}#` : prefix,
        })),
      })),
    }),
  },
  {
    id: 'dash-is-a-prefix',
    breaks: ['OIDC-USERNAME-03'],
    sentence: 'The prefix - is put before names.',
    defect: () => ({
      start: { flags: (argv) => argv.map((each) => (each === '--oidc-username-prefix=-' ? `${each}-` : each)) },
    }),
  },
  {
    id: 'groups-claim-forgotten',
    breaks: ['OIDC-GROUPS-01'],
    sentence: 'The claim of groups gives none.',
    defect: () => ({ start: onIssuers((jwt) => ({ ...jwt, groups: undefined })) }),
  },
  {
    id: 'group-as-a-string',
    breaks: ['OIDC-GROUPS-02'],
    sentence: 'A claim of groups that is a string is taken for one group.',
    defect: () => ({ start: { options: (options) => ({ ...options, follow: 'service' }) } }),
  },
  {
    id: 'groups-prefix-dropped',
    breaks: ['OIDC-GROUPS-03'],
    sentence: 'Groups have no prefix.',
    defect: () => ({
      start: onIssuers((jwt) => ({
        ...jwt,
        groups: jwt.groups && claimSource(jwt.groups, ({ claim }) => ({ claim, prefix: '' })),
      })),
    }),
  },
  {
    id: 'first-required-claim-only',
    breaks: ['OIDC-CLAIM-01'],
    sentence: 'Of several required claims only the first is looked at.',
    defect: () => ({ start: onIssuers((jwt) => ({ ...jwt, requiredClaims: jwt.requiredClaims.slice(0, 1) })) }),
  },
  {
    id: 'issuer-out-of-reach-is-believed',
    breaks: ['OIDC-CA-01', 'AUTHNCONF-CA-01'],
    sentence: 'Tokens of an issuer whose keys cannot be had are taken without a look at the signature.',
    defect: () =>
      withIssuers((configured) =>
        onRefusal((request) => {
          const { iss, sub } = claimsOf(request);
          return isAmong(configured, iss) ? called(String(sub)) : undefined;
        }),
      ),
  },
  {
    id: 'every-algorithm-taken',
    breaks: ['OIDC-ALGORITHM-01'],
    sentence: 'Tokens are taken by whichever algorithm they are signed.',
    defect: () => ({ start: onIssuers((jwt) => ({ ...jwt, signingAlgorithms: ALL_ALGORITHMS })) }),
  },
  {
    id: 'unsigned-tokens-taken',
    breaks: ['OIDC-TOKEN-01'],
    sentence: 'A token that says it is not signed is taken.',
    defect: () =>
      onRefusal((request) => {
        if (jwtPart(request, 0).alg !== 'none') return undefined;
        return called(String(claimsOf(request).sub));
      }),
  },
  {
    id: 'id-tokens-live-on',
    breaks: ['OIDC-TOKEN-02'],
    sentence: 'An ID token that was taken once is taken after it has expired.',
    defect: () =>
      withIssuers((configured) => rememberingFor((_, request) => isAmong(configured, claimsOf(request).iss))),
  },
];
