import { clausesOf } from '../../../fixtures/ledger/index.ts';
import {
  authority,
  check,
  clause,
  givenAccount,
  must,
  type SetupOf,
  tokenWebhook,
  unsupported,
} from '../../harness/index.ts';
import { everyMethod, type Likeness, lookAlikes, TOKEN_BY } from '../everyMethod.ts';
import { calls, known, knownBefore } from '../known.ts';
import { whoAmI } from '../whoAmI.ts';

const setup: SetupOf = async (services) => ({
  flags: ['--client-ca-file={ca.crt}'],
  files: { 'ca.crt': (await services.get(authority)).pem },
});

check(
  'IDENTITY-SEVERAL-01.1',
  'somebody shows a good certificate and a token that nobody knows → the certificate decides',
  ['IDENTITY-SEVERAL-01'],
  { setup },
  async ({ someone, services }) => {
    const certificate = await (await services.get(authority)).client('ada');
    const both = someone('ada', { ...certificate, token: 'a-token-that-no-method-knows' });
    must('one success is enough', await known(both, calls('ada')));
  },
);

check(
  'IDENTITY-SEVERAL-01.2',
  'somebody shows a good token and a certificate of an unknown authority → the token decides',
  ['IDENTITY-SEVERAL-01'],
  { setup, orElse: [], needs: ['service-account-tokens'] },
  async ({ someone, services, target, admin }) => {
    const certificate = await (await services.get(authority, 'unknown')).client('eve');
    const robot = await givenAccount(admin, 'robot');
    const both = someone('robot-and-eve', { ...certificate, token: robot.token });
    const { status } = await whoAmI(both);
    if (target.mode === 'url' && status === 0)
      unsupported('the target ends connections by certificates it does not know');
    must('one success is enough', await known(both, calls(robot.user ?? '')));
  },
);

check(
  'IDENTITY-SEVERAL-01.3',
  'somebody shows tokens of the file and of the webhook that look as an ID token, a bootstrap token and one of an account which are refused → they are taken',
  clausesOf(
    'IDENTITY-SEVERAL-01',
    ['token-file', 'webhook'],
    ['id-token', 'expired-id-token', 'bootstrap-token', 'account-token'],
  ),
  { setup: everyMethod, needs: ['service-account-tokens'] },
  async ({ admin, someone, services }) => {
    const webhook = await services.get(tokenWebhook);
    const { token: account = '' } = await givenAccount(admin, 'robot');
    await knownBefore(someone('robot', { token: account }));
    const taken = (name: string, token: string) => async () => {
      must(`${name} is known`, await known(someone(name, { token }), calls(name)));
    };
    const hooked = {
      ...(await services.get(lookAlikes, 'webhook')),
      'account-token': `${account.slice(0, -8)}AAAAAAAA`,
    };
    for (const [form, token] of Object.entries(hooked))
      webhook.answer(token, { status: { authenticated: true, user: { username: form } } });
    // A server may need a while until it knows an issuer, so all wait together.
    await Promise.all([
      ...Object.entries(await services.get(lookAlikes)).map(([form, token]) =>
        clause(`IDENTITY-SEVERAL-01/token-file/${form as Likeness}`, taken(form, token)),
      ),
      ...Object.entries(hooked).map(([form, token]) =>
        clause(`IDENTITY-SEVERAL-01/webhook/${form as keyof typeof hooked}`, taken(form, token)),
      ),
    ]);
  },
);

/** Methods by which a token is known without the webhook. */
const WITHOUT_WEBHOOK = ['token-file', 'oidc', 'account', 'bootstrap'] as const;

check(
  'IDENTITY-SEVERAL-01.4',
  'somebody shows tokens of the other methods, for which the webhook fails → they are taken',
  clausesOf('IDENTITY-SEVERAL-01', 'webhook-fails'),
  { setup: everyMethod, needs: ['service-account-tokens'] },
  async ({ admin, someone, services }) => {
    const webhook = await services.get(tokenWebhook);
    const judged = WITHOUT_WEBHOOK.map((method) =>
      clause(`IDENTITY-SEVERAL-01/webhook-fails/${method}`, async () => {
        const identity = await TOKEN_BY[method](admin, services);
        webhook.answer(identity.token ?? '', { instead: { status: 500, body: 'broken' } });
        must('they are known', await known(someone(method, identity)));
      }),
    );
    await Promise.all(judged);
  },
);
