import type { LONG_TOKEN_METHODS, METHODS_OF_TOKENS } from '../../fixtures/ledger/index.ts';
import type { Services } from '../harness/index.ts';
import {
  type Actor,
  authority,
  givenAccount,
  type Identity,
  issuer,
  type ServiceKind,
  type SetupOf,
  secondsFromNow,
  tokenWebhook,
} from '../harness/index.ts';
import { given, newToken } from './bootstrap-token-secret/bootstrapTokens.ts';
import { ADA } from './idTokens.ts';
import { defaults } from './oidc-flags/setups.ts';
import { byDefault } from './webhook-token-flags/setups.ts';

const ADMIN: Identity = { token: 'admin-of-every-method' };
/** Groups that somebody is in beside that of everybody. */
export const STAFF = ['staff', 'operators', 'readers', 'writers'];
const ROW: Identity = { token: 'ada-of-every-method' };
/** Tokens of four thousand characters, by what knows them. */
export const LONG: Readonly<Record<(typeof LONG_TOKEN_METHODS)[number], Identity>> = {
  'token-file': { token: 'row'.padEnd(4_000, 'of-the-file-') },
  webhook: { token: 'opaque'.padEnd(4_000, 'of-the-webhook-') },
};

/** What a token may look as that another method refuses. */
export type Likeness = 'id-token' | 'expired-id-token' | 'bootstrap-token';
/**
 * Tokens that look as those of a method which refuses them: an ID token by a key of somebody else, one that has
 * expired, and one of the form of bootstrap tokens. Another name, such as `webhook`, has others.
 */
export const lookAlikes: ServiceKind<Readonly<Record<Likeness, string>>> = async (services) => {
  const [from, stranger] = [await services.get(issuer), await services.get(issuer, 'stranger')];
  const claims = { ...ADA, iss: from.url };
  const expired = { ...claims, iat: secondsFromNow(-7_200), exp: secondsFromNow(-3_600) };
  return {
    'id-token': await stranger.token({ claims }),
    'expired-id-token': await from.token({ claims: expired }),
    'bootstrap-token': newToken().text,
  };
};

/** A server that knows people by every method, and such tokens by its file. */
export const everyMethod: SetupOf = async (services, dialect) => {
  const parts = [await defaults(services, dialect), await byDefault(services, dialect)];
  const rows = [
    `${ADMIN.token},admin,admin-uid,system:masters`,
    `${ROW.token},ada,ada-uid,"${STAFF.join(',')}"`,
    `${LONG['token-file'].token},long,long-uid,"${STAFF.join(',')}"`,
    ...Object.entries(await services.get(lookAlikes)).map(([form, token]) => `${token},${form},${form}-uid`),
    '',
  ].join('\n');
  const { pem } = await services.get(authority);
  return {
    flags: [
      '--token-auth-file={tokens.csv}',
      '--client-ca-file={ca.crt}',
      '--enable-bootstrap-token-auth=true',
      ...parts.flatMap(({ flags = [] }) => flags),
    ],
    files: Object.assign({ 'tokens.csv': rows, 'ca.crt': pem }, ...parts.map(({ files }) => files)),
    identities: { admin: ADMIN },
  };
};

export type TokenMethod = (typeof METHODS_OF_TOKENS)[number];

/** Makes a token of each method that knows tokens, for somebody in several groups where the method takes any. */
export const TOKEN_BY: Readonly<Record<TokenMethod, (admin: Actor, services: Services) => Promise<Identity>>> = {
  'token-file': async () => ROW,
  oidc: async (_, services) => ({ token: await (await services.get(issuer)).token({ claims: ADA }) }),
  webhook: async (_, services) => {
    const opaque = { token: 'opaque-token-of-every-method' };
    const user = { username: 'ada', uid: 'ada-7', groups: STAFF, extra: { 'example.com/tenant': ['acme', 'corp'] } };
    (await services.get(tokenWebhook)).answer(opaque.token, { status: { authenticated: true, user } });
    return opaque;
  },
  account: (admin) => givenAccount(admin, 'robot'),
  bootstrap: async (admin) => {
    const token = newToken();
    const groups = STAFF.map((group) => `system:bootstrappers:${group}`).join(',');
    await given(admin, token, { data: { 'auth-extra-groups': groups } });
    return { token: token.text };
  },
};
