import { authority, check, must, type SetupOf, unsupported } from '../../harness/index.ts';
import { givenAccount } from '../account.ts';
import { calls, known } from '../known.ts';
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
