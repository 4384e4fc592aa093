import type { ClaimSource, JwtOptions } from '../../reference/contracts/serverOptions.ts';
import { ALL_ALGORITHMS } from '../../reference/options/oidcFlags.ts';
import type { Mutant } from '../mutant.ts';
import { called, claimsOf, jwtPart, onIssuers, onOptions, onRefusal, rememberingFor } from '../onAuthentication.ts';

/** The issuers that the server was started with, for what believes them too much. */
const configured: JwtOptions[] = [];

const remembering = onIssuers((jwt) => {
  configured.push(jwt);
  return jwt;
});

const isConfigured = (issuer: unknown): boolean => configured.some(({ issuer: { url } }) => url === issuer);

const claimSource = (source: JwtOptions['username'], change: (source: ClaimSource) => ClaimSource) =>
  'claim' in source ? change(source) : source;

/** ID tokens that are believed too much, and users that are made of them wrongly (2/oidc-flags). */
export const OIDC: readonly Mutant[] = [
  {
    id: 'issuers-not-known',
    breaks: ['OIDC-ISSUER-01'],
    sentence: 'No token of an issuer is taken.',
    seams: {},
    start: onOptions((options) => ({ ...options, jwt: [] })),
  },
  {
    id: 'issuer-of-http-taken-for-https',
    breaks: ['OIDC-ISSUER-02'],
    sentence: 'An issuer URL of http is read as one of https.',
    seams: {},
    start: {
      flags: (argv) => argv.map((each) => each.replace(/^(--oidc-issuer-url=)(http:)?(\/\/)?(?=\d)/, '$1https://')),
    },
  },
  {
    id: 'audience-not-looked-at',
    breaks: ['OIDC-CLIENT-01'],
    sentence: 'Tokens for another client are taken.',
    seams: {},
    start: onIssuers((jwt) => {
      const audiences = Object.assign([...jwt.issuer.audiences], { includes: () => true });
      return { ...jwt, issuer: { ...jwt.issuer, audiences } };
    }),
  },
  {
    id: 'username-always-sub',
    breaks: ['OIDC-USERNAME-01'],
    sentence: 'The name is made of sub, whichever claim the flag names.',
    seams: {},
    start: onIssuers((jwt) => ({
      ...jwt,
      username: claimSource(jwt.username, ({ prefix }) => ({ claim: 'sub', prefix })),
    })),
  },
  {
    id: 'issuer-prefix-dropped',
    breaks: ['OIDC-USERNAME-02'],
    sentence: 'Without a prefix flag names have no prefix, whichever claim they come from.',
    seams: {},
    start: onIssuers((jwt) => ({
      ...jwt,
      username: claimSource(jwt.username, ({ claim, prefix }) => ({
        claim,
        prefix: prefix === `${jwt.issuer.url}#` ? '' : prefix,
      })),
    })),
  },
  {
    id: 'email-prefixed-too',
    breaks: ['OIDC-USERNAME-02'],
    sentence: 'Without a prefix flag names from email are prefixed as all others.',
    seams: {},
    start: onIssuers((jwt) => ({
      ...jwt,
      username: claimSource(jwt.username, ({ claim, prefix }) => ({
        claim,
        prefix: claim === 'email' && prefix === '' ? `${jwt.issuer.url}#` : prefix,
      })),
    })),
  },
  {
    id: 'dash-is-a-prefix',
    breaks: ['OIDC-USERNAME-03'],
    sentence: 'The prefix - is put before names.',
    seams: {},
    start: { flags: (argv) => argv.map((each) => (each === '--oidc-username-prefix=-' ? `${each}-` : each)) },
  },
  {
    id: 'groups-claim-forgotten',
    breaks: ['OIDC-GROUPS-01'],
    sentence: 'The claim of groups gives none.',
    seams: {},
    start: onIssuers((jwt) => ({ ...jwt, groups: undefined })),
  },
  {
    id: 'group-as-a-string',
    breaks: ['OIDC-GROUPS-02'],
    sentence: 'A claim of groups that is a string is taken for one group.',
    seams: {},
    start: { options: (options) => ({ ...options, follow: 'service' }) },
  },
  {
    id: 'groups-prefix-dropped',
    breaks: ['OIDC-GROUPS-03'],
    sentence: 'Groups have no prefix.',
    seams: {},
    start: onIssuers((jwt) => ({
      ...jwt,
      groups: jwt.groups && claimSource(jwt.groups, ({ claim }) => ({ claim, prefix: '' })),
    })),
  },
  {
    id: 'first-required-claim-only',
    breaks: ['OIDC-CLAIM-01'],
    sentence: 'Of several required claims only the first is looked at.',
    seams: {},
    start: onIssuers((jwt) => ({ ...jwt, requiredClaims: jwt.requiredClaims.slice(0, 1) })),
  },
  {
    id: 'issuer-out-of-reach-is-believed',
    breaks: ['OIDC-CA-01', 'AUTHNCONF-CA-01'],
    sentence: 'Tokens of an issuer whose keys cannot be had are taken without a look at the signature.',
    seams: onRefusal((request) => {
      const { iss, sub } = claimsOf(request);
      return isConfigured(iss) ? called(String(sub)) : undefined;
    }),
    start: remembering,
  },
  {
    id: 'every-algorithm-taken',
    breaks: ['OIDC-ALGORITHM-01'],
    sentence: 'Tokens are taken by whichever algorithm they are signed.',
    seams: {},
    start: onIssuers((jwt) => ({ ...jwt, signingAlgorithms: ALL_ALGORITHMS })),
  },
  {
    id: 'unsigned-tokens-taken',
    breaks: ['OIDC-TOKEN-01'],
    sentence: 'A token that says it is not signed is taken.',
    seams: onRefusal((request) => {
      if (jwtPart(request, 0).alg !== 'none') return undefined;
      return called(String(claimsOf(request).sub));
    }),
  },
  {
    id: 'id-tokens-live-on',
    breaks: ['OIDC-TOKEN-02'],
    sentence: 'An ID token that was taken once is taken after it has expired.',
    seams: rememberingFor((_, request) => isConfigured(claimsOf(request).iss)),
    start: remembering,
  },
];
