import { OPAQUE_ATTRIBUTES } from '../../../fixtures/ledger/index.ts';
import type { Actor, Exchange } from '../../harness/index.ts';
import {
  authority,
  check,
  clause,
  clausesOf,
  type Identity,
  issuer,
  type Matcher,
  match,
  must,
  type SetupOf,
  tokenWebhook,
} from '../../harness/index.ts';
import { authenticator, configuration, FILE } from '../authentication-configuration-file/configuration.ts';
import { ADA } from '../idTokens.ts';
import { calls, known } from '../known.ts';
import { byDefault } from '../webhook-token-flags/setups.ts';

/** What somebody is called and belongs to, such as nobody would who expects names of objects. */
const NAME = 'Ada Lovelace: of ALL/x@y#z';
const UID = 'UID 7/a:B';
const GROUPS = ['Staff', 'night shift', 'team:Red/x', 'fourth', 'fifth'];
const EXTRA = { 'example.com/scopes': ['Read All', 'write', 'a,b'], 'second.example.com/key': ['K: v'] };

const ADMIN: Identity = { token: 'admin-beside-opaque-names' };
const ROW: Identity = { token: 'ada-with-an-opaque-name' };
const OPAQUE: Identity = { token: 'opaque-token-of-an-opaque-name' };

/** A server that is told the same of ada by a file, a certificate, an ID token and a webhook. */
const setup: SetupOf = async (services, dialect) => {
  const [from, webhook] = [await services.get(issuer), await byDefault(services, dialect)];
  const mapped = authenticator(from, 'opaque', {
    claimMappings: {
      username: { claim: 'sub', prefix: '' },
      uid: { claim: 'id' },
      groups: { claim: 'teams', prefix: '' },
      extra: Object.keys(EXTRA).map((key) => ({ key, valueExpression: `claims.more['${key}']` })),
    },
  });
  return {
    flags: [
      '--token-auth-file={tokens.csv}',
      '--client-ca-file={ca.crt}',
      `--authentication-config={${FILE}}`,
      ...(webhook.flags ?? []),
    ],
    files: {
      'tokens.csv': `${ADMIN.token},admin,admin-uid,system:masters\n${ROW.token},${NAME},${UID},"${GROUPS.join(',')}"\n`,
      'ca.crt': (await services.get(authority)).pem,
      [FILE]: configuration(dialect, [mapped]),
      ...webhook.files,
    },
    identities: { admin: ADMIN },
  };
};

/** What an answer says of each attribute. */
const SAYS: Readonly<Record<string, Matcher<Exchange>>> = {
  name: calls(NAME),
  uid: match.field('status.userInfo.uid', UID),
  groups: match.field('status.userInfo.groups', match.sameItems([...GROUPS, 'system:authenticated'])),
  extra: match.both(
    ...Object.entries(EXTRA).map(([key, values]) =>
      match.field(['status', 'userInfo', 'extra', key], match.sameItems(values)),
    ),
  ),
};

check(
  'IDENTITY-OPAQUE-01.1',
  'methods give names, uids, groups and extra with blanks, signs and letters of both cases → the user has them as they are',
  clausesOf('IDENTITY-OPAQUE-01'),
  { setup },
  async ({ someone, services }) => {
    const user = { username: NAME, uid: UID, groups: GROUPS, extra: EXTRA };
    (await services.get(tokenWebhook)).answer(OPAQUE.token ?? '', { status: { authenticated: true, user } });
    const from = await services.get(issuer);
    const claims = { ...ADA, sub: NAME, id: UID, teams: GROUPS, more: EXTRA, iss: from.tenant('opaque') };
    const actors: Readonly<Record<string, Actor>> = {
      'token-file': someone('ada', ROW),
      certificate: someone('ada', await (await services.get(authority)).client(NAME, GROUPS)),
      'id-token': someone('ada', { token: await from.token({ claims }) }),
      webhook: someone('ada', OPAQUE),
    };
    const seen = new Map(
      await Promise.all(Object.entries(actors).map(async ([method, actor]) => [method, await known(actor)] as const)),
    );
    for (const each of OPAQUE_ATTRIBUTES) {
      await clause(`IDENTITY-OPAQUE-01/${each}`, async () => {
        const [method = '', attribute = ''] = each.split('/');
        const [sighting, says] = [seen.get(method), SAYS[attribute]];
        if (!sighting || !says) throw new Error(`there is no method ${method} or attribute ${attribute}`);
        must(`the ${attribute} by ${method}`, must('she is known', sighting), says);
      });
    }
  },
);
