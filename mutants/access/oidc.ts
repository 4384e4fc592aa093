import { clausesOf, NEARLY_EMAIL } from '../../fixtures/ledger/index.ts';
import type { User } from '../../reference/api/identity.ts';
import type { IncomingRequest } from '../../reference/api/request.ts';
import type { ClaimSource, JwtOptions } from '../../reference/contracts/serverOptions.ts';
import { ALL_ALGORITHMS } from '../../reference/options/oidcFlags.ts';
import type { Mutant } from '../mutant.ts';
import {
  called,
  claimsOf,
  isAmong,
  jwtPart,
  onIdentity,
  onIssuers,
  onOptions,
  onRefusal,
  onUser,
  rememberingFor,
  tokenOf,
  withIssuers,
} from '../onAuthentication.ts';

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
    id: 'prefix-for-sub-and-email-alone',
    breaks: clausesOf('OIDC-USERNAME-04', 'other', ['none-given', 'given']),
    sentence: 'Names from another claim than sub and email have no prefix.',
    defect: () => ({
      start: onIssuers((jwt) => ({
        ...jwt,
        username: claimSource(jwt.username, ({ claim, prefix }) => ({
          claim,
          prefix: claim === 'sub' || claim === 'email' ? prefix : '',
        })),
      })),
    }),
  },
  {
    id: 'claims-like-email-have-no-prefix',
    breaks: clausesOf('OIDC-USERNAME-04', NEARLY_EMAIL),
    sentence: 'Names from a claim that has email in its name have no prefix.',
    defect: () => ({
      start: onIssuers((jwt) => ({
        ...jwt,
        username: claimSource(jwt.username, ({ claim, prefix }) => ({
          claim,
          prefix: /email/i.test(claim) ? '' : prefix,
        })),
      })),
    }),
  },
  {
    id: 'default-prefix-whatever-is-given',
    breaks: clausesOf('OIDC-USERNAME-04', ['sub', 'other'], ['given', 'dash']),
    sentence: 'The prefix of names is that of the issuer, whatever the flag says, but for email.',
    defect: () => ({
      start: onIssuers((jwt) => ({
        ...jwt,
        username: claimSource(jwt.username, ({ claim, prefix }) => ({
          claim,
          prefix: claim === 'email' ? prefix : `${jwt.issuer.url}#`,
        })),
      })),
    }),
  },
  {
    id: 'email-takes-the-issuer-for-its-prefix',
    breaks: clausesOf('OIDC-USERNAME-04', 'email'),
    sentence: 'Names from email are prefixed with the issuer, whatever the flag says.',
    defect: () => ({
      start: onIssuers((jwt) => ({
        ...jwt,
        username: claimSource(jwt.username, ({ claim, prefix }) => ({
          claim,
          prefix: claim === 'email' ? `${jwt.issuer.url}#` : prefix,
        })),
      })),
    }),
  },
  {
    id: 'sub-has-no-prefix',
    breaks: ['OIDC-USERNAME-04/sub/none-given'],
    sentence: 'Names from sub have no prefix.',
    defect: () => ({
      start: onIssuers((jwt) => ({
        ...jwt,
        username: claimSource(jwt.username, ({ claim, prefix }) => ({ claim, prefix: claim === 'sub' ? '' : prefix })),
      })),
    }),
  },
  {
    id: 'required-value-nearly',
    breaks: [...clausesOf('OIDC-CLAIM-02'), ...clausesOf('AUTHNCONF-CLAIMRULE-04')],
    sentence: 'A claim that is almost the required value will do.',
    defect: () => {
      const plain = (value: unknown) => String(value).trim().toLowerCase();
      const within = (claim: unknown): unknown[] =>
        Array.isArray(claim) ? claim : typeof claim === 'object' && claim !== null ? Object.values(claim) : [claim];
      const like = (value: string, claim: unknown) =>
        claim !== undefined &&
        within(claim).some(
          (each) => plain(each).startsWith(plain(value).slice(0, -2)) || plain(value).startsWith(plain(each)),
        );
      return withIssuers((configured) =>
        onRefusal((request) => {
          const claims = claimsOf(request);
          const jwt = configured.find(({ issuer }) => issuer.url === claims.iss);
          const near = (jwt?.requiredClaims ?? []).every(({ claim, value }) => like(value, claims[claim]));
          return jwt && jwt.requiredClaims.length > 0 && near ? called(String(claims.sub)) : undefined;
        }),
      );
    },
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
    id: 'groups-prefix-the-other-way-round',
    breaks: clausesOf('OIDC-GROUPS-03'),
    sentence: 'Groups have a prefix where none is given, and none where one is.',
    defect: () => ({
      start: onIssuers((jwt) => ({
        ...jwt,
        groups:
          jwt.groups &&
          claimSource(jwt.groups, ({ claim, prefix }) => ({ claim, prefix: prefix === '' ? 'any:' : '' })),
      })),
    }),
  },
  {
    id: 'dash-is-no-prefix-of-groups',
    breaks: ['OIDC-GROUPS-03/sub/dash', 'OIDC-GROUPS-03/other/none-given'],
    sentence: 'The prefix - of groups means none.',
    defect: () => ({
      start: onIssuers((jwt) => ({
        ...jwt,
        groups:
          jwt.groups &&
          claimSource(jwt.groups, ({ claim, prefix }) => ({ claim, prefix: prefix === '-' ? '' : prefix })),
      })),
    }),
  },
  {
    id: 'prefix-is-not-put-twice',
    breaks: clausesOf('OIDC-PREFIX-01'),
    sentence: 'A name or a group that begins with the prefix gets none.',
    defect: () => {
      const once = (text: string) => text.replace(/^([a-z]+:)\1/, '$1');
      return onUser((user) => ({ ...user, username: once(user.username), groups: user.groups.map(once) }));
    },
  },
  {
    id: 'prefix-spares-what-is-of-the-system',
    breaks: [...clausesOf('OIDC-PREFIX-01', 'groups'), 'OIDC-PREFIX-01/flags/names', 'OIDC-PREFIX-01/file/names'],
    sentence: 'A name or a group that begins with system: gets no prefix.',
    defect: () => {
      const spared = (text: string) => text.replace(/^(?!system:)[a-z]+:(?=system:)/, '');
      return onUser((user) => ({ ...user, username: spared(user.username), groups: user.groups.map(spared) }));
    },
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
    id: 'default-algorithm-beside-the-named',
    breaks: ['OIDC-ALGORITHM-01'],
    sentence: 'RS256 is taken beside the algorithms that are named.',
    defect: () => ({
      start: onIssuers((jwt) => ({ ...jwt, signingAlgorithms: [...jwt.signingAlgorithms, 'RS256'] })),
    }),
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
    id: 'claims-are-verified-once',
    breaks: ['OIDC-TOKEN-01'],
    sentence: 'What a token said with a good signature is believed with another one.',
    defect: () => {
      const taken = new Map<string, User>();
      const unsigned = (request: IncomingRequest) => tokenOf(request).split('.').slice(0, 2).join('.');
      return onIdentity((answer, request) => {
        const text = unsigned(request);
        if (answer && 'user' in answer && text.includes('.')) taken.set(text, answer.user);
        const user = taken.get(text);
        return user && answer && !('user' in answer) ? { user } : answer;
      });
    },
  },
  {
    id: 'id-tokens-live-on',
    breaks: ['OIDC-TOKEN-02'],
    sentence: 'An ID token that was taken once is taken after it has expired.',
    defect: () =>
      withIssuers((configured) => rememberingFor((_, request) => isAmong(configured, claimsOf(request).iss))),
  },
];
