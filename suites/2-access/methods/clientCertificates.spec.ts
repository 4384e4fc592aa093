import { authority, check, match, must, type SetupOf } from '../../harness/vocabulary.ts';
import { whoAmI } from '../whoAmI.ts';

const twoAuthorities: SetupOf = async (services) => {
  const [first, second] = [await services.get(authority), await services.get(authority, 'second')];
  return { flags: ['--client-ca-file={ca.crt}'], files: { 'ca.crt': `${first.pem}\n${second.pem}` } };
};

for (const name of ['one', 'second']) {
  check(
    `somebody shows a certificate of authority "${name}" of two in the file → it is believed`,
    ['CERT-TRUST-02'],
    { setup: twoAuthorities },
    async ({ someone, services }) => {
      const signer = await services.get(authority, name);
      const ada = someone('ada', await signer.client('ada'));
      must('ada is known', await whoAmI(ada), match.status(201), match.field('status.userInfo.username', 'ada'));
    },
  );
}
