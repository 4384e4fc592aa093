import { clausesOf } from '../../../fixtures/ledger/index.ts';
import {
  authority,
  check,
  clause,
  type Identity,
  issuer,
  match,
  must,
  type SetupOf,
  tokenWebhook,
} from '../../harness/index.ts';
import { givenAccount } from '../account.ts';
import { given, newToken } from '../bootstrap-token-secret/bootstrapTokens.ts';
import { ADA } from '../idTokens.ts';
import { known } from '../known.ts';
import { defaults } from '../oidc-flags/setups.ts';
import { byDefault } from '../webhook-token-flags/setups.ts';

const ADMIN: Identity = { token: 'admin-of-every-method' };
/** Groups that somebody is in beside that of everybody. */
const STAFF = ['staff', 'operators', 'readers', 'writers'];
const ROW: Identity = { token: 'ada-of-every-method' };

/** A server that knows people by every method. */
const everyMethod: SetupOf = async (services, dialect) => {
  const parts = [await defaults(services, dialect), await byDefault(services, dialect)];
  const rows = `${ADMIN.token},admin,admin-uid,system:masters\n${ROW.token},ada,ada-uid,"${STAFF.join(',')}"\n`;
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

check(
  'IDENTITY-ATTRIBUTES-02.1',
  'somebody is known by each method, to a server that has them all → always in the group of the authenticated, once, and never in that of the others',
  clausesOf('IDENTITY-ATTRIBUTES-02'),
  { setup: everyMethod, needs: ['service-account-tokens'] },
  async ({ admin, someone, services }) => {
    const opaque = { token: 'opaque-token-of-every-method' };
    const user = { username: 'ada', groups: STAFF };
    (await services.get(tokenWebhook)).answer(opaque.token, { status: { authenticated: true, user } });
    const bootstrap = newToken();
    const extra = STAFF.map((group) => `system:bootstrappers:${group}`).join(',');
    await given(admin, bootstrap, { data: { 'auth-extra-groups': extra } });
    const identities: Readonly<Record<string, Identity>> = {
      'token-file': ROW,
      oidc: { token: await (await services.get(issuer)).token({ claims: ADA }) },
      webhook: opaque,
      certificate: await (await services.get(authority)).client('ada', STAFF),
      account: await givenAccount(admin, 'robot'),
      bootstrap: { token: bootstrap.text },
    };
    const judged = clausesOf('IDENTITY-ATTRIBUTES-02').map((name) =>
      clause(name, async () => {
        const method = name.slice(name.indexOf('/') + 1);
        const seen = must('they are known', await known(someone(method, identities[method] ?? {})));
        const all =
          (seen.json as { status: { userInfo: { groups?: readonly string[] } } }).status.userInfo.groups ?? [];
        const count = all.filter((group) => group === 'system:authenticated').length;
        must('they are in the group of the authenticated', count, match.equal(1));
        must('and in no other', all.includes('system:unauthenticated'), match.equal(false));
      }),
    );
    await Promise.all(judged);
  },
);
