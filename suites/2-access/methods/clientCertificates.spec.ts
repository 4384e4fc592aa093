import { authority, check, must, type SetupOf } from '../../harness/index.ts';
import { calls, inGroups, known, knownBefore, refused } from '../known.ts';
import { whoAmI } from '../whoAmI.ts';

const twoAuthorities: SetupOf = async (services) => {
  const [first, second] = [await services.get(authority), await services.get(authority, 'second')];
  return { flags: ['--client-ca-file={ca.crt}'], files: { 'ca.crt': `${first.pem}\n${second.pem}` } };
};

check(
  'ada shows a certificate with two organizations → its common name is her name, they are her groups',
  ['CERT-SUBJECT-01'],
  { setup: twoAuthorities },
  async ({ someone, services }) => {
    const signer = await services.get(authority);
    const ada = someone('ada', await signer.client('ada', ['staff', 'operators']));
    must('she is called so and in both', await known(ada, calls('ada'), inGroups('staff', 'operators')));
  },
);

for (const name of ['one', 'second']) {
  check(
    `somebody shows a certificate of authority "${name}" of two in the file → it is believed`,
    ['CERT-TRUST-02'],
    { setup: twoAuthorities },
    async ({ someone, services }) => {
      const signer = await services.get(authority, name);
      must('ada is known', await known(someone('ada', await signer.client('ada')), calls('ada')));
    },
  );
}

const HOUR = 60 * 60 * 1000;

for (const [what, signer, until] of [
  ['of an authority that the file does not hold', 'unknown', Date.now() + HOUR],
  ['that has expired', 'one', Date.now() - HOUR],
] as const) {
  check(
    `somebody shows a certificate ${what} → they are nobody`,
    ['CERT-TRUST-01'],
    { setup: twoAuthorities },
    async ({ someone, services }) => {
      await knownBefore(someone('ada', await (await services.get(authority)).client('ada')));
      const faulty = await (await services.get(authority, signer)).client('eve', [], { until });
      must('it authenticates nobody', await whoAmI(someone('eve', faulty)), refused);
    },
  );
}
