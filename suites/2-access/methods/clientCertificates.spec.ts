import type { Exchange, Identity } from '../../harness/index.ts';
import {
  type Actor,
  authority,
  bundleOfAuthorities,
  certificateRequest,
  check,
  configMaps,
  difference,
  isRecord,
  type Kind,
  type Matcher,
  match,
  must,
  named,
  namespaces,
  on,
  roleBindings,
  roles,
  type SetupOf,
  should,
  unsupported,
} from '../../harness/index.ts';
import { calls, inGroups, known, knownBefore } from '../known.ts';
import { canBeTold, sendsSelfReview } from '../whoAmI.ts';

const twoAuthorities: SetupOf = async (services) => {
  const [first, second] = [await services.get(authority), await services.get(authority, 'second')];
  return { flags: ['--client-ca-file={ca.crt}'], files: { 'ca.crt': `${first.pem}\n${second.pem}` } };
};

/** Several authorities of one subject, as there are after changes of keys and a renewal, and one of another. */
const renewedAuthorities: SetupOf = async (services) => ({
  flags: ['--client-ca-file={ca.crt}'],
  files: { 'ca.crt': await bundleOfAuthorities(services) },
});

const signingRequests: Kind = {
  ...namespaces,
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  prefix: 'certificates',
  specified: false,
};

/** A certificate that the target itself signs; the check is unsupported where it does not. */
async function signedByTarget(admin: Actor, user: string, groups: readonly string[]): Promise<Identity> {
  const { request, key } = await certificateRequest(user, groups);
  const { labelDomain, componentPrefix } = admin.dialect;
  const spec = {
    request: Buffer.from(request).toString('base64'),
    signerName: `${labelDomain}/${componentPrefix}apiserver-client`,
    expirationSeconds: 3_600,
    usages: ['client auth', 'digital signature'],
  };
  const name = `of-${user}`;
  await admin.given(signingRequests, named(name, { spec }));
  const condition = { type: 'Approved', status: 'True', reason: 'Touchstone', message: 'for a check' };
  await admin.prepare(async (actor) =>
    actor.request('PATCH', await actor.pathOf(signingRequests, name, 'approval'), {
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { status: { conditions: [condition] } },
    }),
  );
  const signed = match.field('status.certificate', match.aString);
  const { subject, differences } = await should(() => admin.get(signingRequests, name), signed);
  if (differences.length > 0)
    unsupported('the target signs no certificates of clients; --restart-command or --launch lets us name an authority');
  const status = isRecord(subject.json) && isRecord(subject.json.status) ? subject.json.status : {};
  return { certificate: Buffer.from(String(status.certificate), 'base64').toString(), key };
}

/** Lets one user, or everybody in one group, read the config map of this name. */
async function readableBy(admin: Actor, name: string, subject: Readonly<Record<string, string>>): Promise<void> {
  const apiGroup = `rbac.authorization.${admin.dialect.apiDomain}`;
  const rules = [{ ...on(configMaps, admin.dialect, 'get'), resourceNames: [name] }];
  await admin.given(configMaps, named(name));
  await admin.given(roles, named(name, { rules }));
  await admin.given(roleBindings, {
    metadata: { name },
    roleRef: { apiGroup, kind: 'Role', name },
    subjects: Object.entries(subject).map(([kind, called]) => ({ kind, name: called, apiGroup })),
  });
}

check(
  'CERT-SUBJECT-01.1',
  'ada shows a certificate with two organizations → its common name is her name, they are her groups',
  ['CERT-SUBJECT-01'],
  { setup: twoAuthorities, orElse: ['client-certificate'] },
  async ({ someone, services, target, admin }) => {
    const groups = ['touchstone-staff', 'touchstone-operators'];
    const name = 'touchstone-ada';
    const credentials =
      target.mode === 'url'
        ? await signedByTarget(admin, name, groups)
        : await (await services.get(authority)).client(name, groups);
    const ada = someone('ada', credentials);
    if (canBeTold(ada)) {
      must('she is called so and in both', await known(ada, calls(name), inGroups(...groups, 'system:authenticated')));
      return;
    }
    // Where nobody can ask who they are, what she may tells it, as each of those that she is to be.
    const subjects = [{ User: name }, ...[...groups, 'system:authenticated'].map((group) => ({ Group: group }))];
    for (const [number, subject] of subjects.entries()) {
      await readableBy(admin, `for-${number}`, subject);
      const read = await should(() => ada.get(configMaps, `for-${number}`), match.status(200));
      must(`she has the rights of ${JSON.stringify(subject)}`, read);
    }
    await readableBy(admin, 'for-another', { User: 'touchstone-operators' });
    must('and none of anybody else', await ada.get(configMaps, 'for-another'), match.status(403));
  },
);

check(
  'CERT-SUBJECT-01.2',
  'ada shows certificates with one organization and with none → she is in just these groups',
  ['CERT-SUBJECT-01'],
  { setup: twoAuthorities },
  async ({ someone, services }) => {
    const signer = await services.get(authority);
    for (const groups of [
      [],
      ['staff'],
      ['staff', 'operators', 'a group, with a comma'],
      // Groups of the system are given by organizations as others are.
      ['system:monitoring', 'system:touchstone-staff', 'system:serviceaccounts:touchstone'],
    ]) {
      const ada = someone('ada', await signer.client('ada: of all', groups));
      const all = match.field('status.userInfo.groups', match.sameItems([...groups, 'system:authenticated']));
      must(`of ${groups.length}`, await known(ada, calls('ada: of all'), all));
    }
    const sam = someone('sam', await signer.client('system:touchstone'));
    must('a name as of the service', await known(sam, calls('system:touchstone')));
  },
);

/** Signs that are escaped where a subject is written as a text, and what would end an attribute there. */
const SIGNED = [
  '#1',
  'a+b',
  'a,b',
  'a=b',
  'a;b',
  '<a>',
  '"a"',
  'a\\b',
  'a/CN=b',
  'a,CN=b',
  'a\nCN=b',
  '%41',
  '\\2C',
  ' a ',
];

check(
  'CERT-SUBJECT-01.3',
  'ada shows certificates whose common name and organizations have signs, and whose subject says other things too → her name and groups are just these',
  ['CERT-SUBJECT-01'],
  { setup: twoAuthorities },
  async ({ someone, services }) => {
    const signer = await services.get(authority);
    const just = (name: string, groups: readonly string[]) => [
      calls(name),
      match.field('status.userInfo.groups', match.sameItems([...groups, 'system:authenticated'])),
    ];
    const name = 'ada #+,=;<>"\\/CN=eve';
    const signs = someone('ada', await signer.client(name, SIGNED));
    must('signs belong to them', await known(signs, ...just(name, SIGNED)));
    const beside = [{ OU: ['unit'] }, { C: ['DE'] }, { L: ['town'] }, { O: ['last'] }];
    const more = someone('ada', await signer.client('ada', ['staff'], { beside, hosts: ['eve', '127.0.0.1'] }));
    must('neither unit, country nor host counts', await known(more, ...just('ada', ['staff', 'last'])));
    const together = someone('ada', await signer.client('ada', [], { beside: [{ O: ['one', 'two'] }] }));
    must('two organizations may stand together', await known(together, ...just('ada', ['one', 'two'])));
  },
);

for (const name of ['one', 'second']) {
  check(
    `CERT-TRUST-02.1/${name}`,
    `somebody shows a certificate of authority "${name}" of two in the file → it is believed`,
    ['CERT-TRUST-02'],
    { setup: twoAuthorities },
    async ({ someone, services }) => {
      const signer = await services.get(authority, name);
      must('ada is known', await known(someone('ada', await signer.client('ada')), calls('ada')));
    },
  );
}

check(
  'CERT-TRUST-02.2',
  'the file holds authorities of one subject, and what one of them had before → certificates of each are believed',
  ['CERT-TRUST-02'],
  { setup: renewedAuthorities },
  async ({ someone, services }) => {
    for (const name of ['one#old', 'one', 'one#new', 'another']) {
      const signer = await services.get(authority, name);
      must(`one of ${name} is`, await known(someone('ada', await signer.client('ada')), calls('ada')));
    }
  },
);

const HOUR = 60 * 60 * 1000;

/** Who shows it is refused, or does not even come to speak: a server may end the handshake. */
const nobody: Matcher<Exchange> = match.either<Exchange>(match.status(401), {
  allows: 'no connection',
  differences: ({ received, status }) => (received ? [difference('status', 'no connection', status)] : []),
});

check(
  'CERT-TRUST-01.1',
  'somebody shows certificates that are not to be believed → each authenticates nobody',
  ['CERT-TRUST-01'],
  { setup: twoAuthorities },
  async ({ someone, services }) => {
    const [signer, unknown] = [await services.get(authority), await services.get(authority, 'unknown')];
    await knownBefore(someone('ada', await signer.client('ada')));
    for (const [what, faulty] of Object.entries({
      'of an authority that the file does not hold': unknown.client('eve', ['system:masters']),
      'that has expired': signer.client('eve', [], { until: Date.now() - HOUR }),
      'that is not valid yet': signer.client('eve', [], { from: Date.now() + HOUR }),
      'for a server alone': signer.client('eve', [], { usage: 'server' }),
      'that somebody signed who is no authority': (await signer.leaf()).client('eve', ['system:masters']),
    })) {
      const seen = await sendsSelfReview(someone('eve', await faulty));
      must(`one ${what} authenticates nobody`, seen, nobody);
    }
  },
);

check(
  'CERT-TRUST-01.2',
  'somebody shows a certificate of an authority that nobody has named to the target → they are nobody',
  ['CERT-TRUST-01'],
  async ({ someone, services }) => {
    const unknown = await services.get(authority, 'unknown');
    const eve = someone('eve', await unknown.client('eve', ['system:masters']));
    // A server that trusts no authority at all may pass a certificate over.
    const anonymous = match.field('status.userInfo.username', 'system:anonymous');
    must('it authenticates nobody', await sendsSelfReview(eve), match.either(nobody, match.status(403), anonymous));
  },
);
