import { compactVerify } from 'jose';
import { SIGNED_TEXTS } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  check,
  clause,
  clausesOf,
  configMaps,
  match,
  must,
  named,
  on,
  roleBindings,
  roles,
  SECOND,
  type Sighting,
  secrets,
  should,
  unsupported,
} from '../../harness/index.ts';
import {
  type BootstrapToken,
  CLUSTER_INFO,
  dataIn,
  given,
  inSeconds,
  NOT_TRUE,
  newToken,
  publish,
  readInfo,
  removed,
  signatureKey,
} from './bootstrapTokens.ts';

const OF_ITS_OWN = `the target publishes a ${CLUSTER_INFO} of its own, which is left as it is; --launch starts one without`;
const SIGNING = { 'usage-bootstrap-signing': 'true' };
const kubeconfig = (server: string) =>
  `apiVersion: v1\nkind: Config\nclusters:\n- {name: "", cluster: {server: "${server}"}}\n`;

/** Whether the signature of a token in cluster-info is there, and by the whole token over the text beside it. */
const verdict = (admin: Actor, token: BootstrapToken): Promise<string> => verdictBy(admin, token, [token.text]);
/** The same where it is not judged whether the key is the whole token, or the secret of it alone. */
const signed = (admin: Actor, token: BootstrapToken): Promise<string> =>
  verdictBy(admin, token, [token.text, token.secret]);

async function verdictBy(admin: Actor, token: BootstrapToken, keys: readonly string[]): Promise<string> {
  const info = await readInfo(admin);
  const signature = dataIn(info, signatureKey(token));
  const text = dataIn(info, 'kubeconfig');
  if (typeof signature !== 'string' || typeof text !== 'string') return 'no signature';
  const [header, payload, mac] = signature.split('.');
  if (payload !== '') return 'a signature that is not detached';
  const whole = [header, Buffer.from(text).toString('base64url'), mac].join('.');
  for (const key of keys) if (await verifies(whole, key)) return 'good';
  return 'a signature that the token does not verify';
}
async function verifies(whole: string, key: string): Promise<boolean> {
  try {
    await compactVerify(whole, Buffer.from(key), { algorithms: ['HS256'] });
    return true;
  } catch {
    return false;
  }
}
const good = match.equal('good');
const absent = match.equal('no signature');

/** What no flag of the server switches on, whoever started it may have left off. */
async function firstVerdict(admin: Actor, token: BootstrapToken, look = verdict): Promise<Sighting<string>> {
  const seen = await should(() => look(admin, token), good);
  if (admin.target.mode !== 'embedded' && seen.subject === 'no signature')
    unsupported(
      'a token that may sign has not signed: the signer is off, or nothing is published; a command that starts the target may start controllers with it on',
    );
  return seen;
}

check(
  'BOOTSTRAP-SIGNER-01.1',
  'the admin stores tokens that may sign, and changes the secret of one → cluster-info has a detached JWS by each, which the whole token verifies',
  ['BOOTSTRAP-SIGNER-01'],
  { shares: CLUSTER_INFO },
  async ({ admin }) => {
    const [first, second, signer] = [newToken(), newToken(), newToken()];
    // As long as that its payload would end with = signs, which are not part of it.
    const text = kubeconfig('https://one.example').trimEnd();
    await publish(admin, `${text}${'\n'.repeat(1 + ((3 - ((text.length + 2) % 3)) % 3))}`);
    for (const token of [first, second]) await given(admin, token, { data: SIGNING });
    await given(admin, signer, { data: { ...SIGNING, 'usage-bootstrap-authentication': undefined } });
    must('the first has signed', await firstVerdict(admin, first));
    must('so has the second', await should(() => verdict(admin, second), good));
    must('so has one that may do nothing else', await should(() => verdict(admin, signer), good));
    // The text that is signed stays, and the token is another.
    const other = newToken(first.id);
    const changed = { stringData: { 'token-secret': other.secret } };
    await admin.prepare((actor) =>
      actor.in(actor.dialect.systemNamespace).patch(secrets, first.name, 'merge', changed),
    );
    must('one whose secret is another signs anew', await should(() => verdict(admin, other), good));
    must('the others stay as they are', await verdict(admin, second), good);
  },
);

/**
 * Texts that are other bytes for who decodes, trims or cuts them. Three signs in a row give `-`, and three others `_`,
 * wherever they stand: these are the letters in which the Base64 of JWS is another than that of texts.
 */
const TEXTS: Readonly<Record<(typeof SIGNED_TEXTS)[number], string>> = {
  base64: `${kubeconfig('https://signs.example')}# >>>>>> ??????\n`,
  letters: `${kubeconfig('https://letters.example')}# caf\u00e9 cafe\u0301 \u{1f600} \ufb01\n`,
  blanks: `\n\n  \n${kubeconfig('https://blanks.example')}\n  \n\n`,
  'line-ends': kubeconfig('https://ends.example').replaceAll('\n', '\r\n'),
  long: `${kubeconfig('https://long.example')}# ${'x'.repeat(70_000)}\n`,
};

check(
  'BOOTSTRAP-SIGNER-01.2',
  'the admin publishes texts with signs, letters, blanks and line ends of all kinds, one after another → each is signed byte by byte',
  [...clausesOf('BOOTSTRAP-SIGNER-01'), 'BOOTSTRAP-SIGNER-03'],
  { shares: CLUSTER_INFO },
  async ({ admin }) => {
    const token = newToken();
    await publish(admin, kubeconfig('https://before.example'));
    await given(admin, token, { data: SIGNING });
    must('a plain text is signed', await firstVerdict(admin, token, signed));
    for (const kind of SIGNED_TEXTS) {
      await clause(`BOOTSTRAP-SIGNER-01/${kind}`, async () => {
        if (!(await publish(admin, TEXTS[kind]))) unsupported(OF_ITS_OWN);
        must('the text is stored as it is', dataIn(await readInfo(admin), 'kubeconfig'), match.equal(TEXTS[kind]));
        must('it is signed', await should(() => signed(admin, token), good));
      });
    }
  },
);

check(
  'BOOTSTRAP-SIGNER-02.1',
  'the admin stores tokens that may not sign, expire or go → none of them has a signature',
  ['BOOTSTRAP-SIGNER-02'],
  { shares: CLUSTER_INFO },
  async ({ admin }) => {
    await publish(admin, kubeconfig('https://two.example'));
    const [mute, muted, gone, short, last] = [newToken(), newToken(), newToken(), newToken(), newToken()];
    const held = newToken();
    await given(admin, mute);
    await given(admin, gone, { data: SIGNING });
    await given(admin, muted, { data: SIGNING });
    await given(admin, short, { data: { ...SIGNING, expiration: inSeconds(3) } });
    // A token cleaner cannot remove the secrets of these.
    await given(admin, held, { data: { ...SIGNING, expiration: inSeconds(3) }, held: true });
    const parted = newToken();
    await given(admin, parted, { data: { ...SIGNING, expiration: inSeconds(3).replace('Z', '.25Z') }, held: true });
    must('a token that may sign has', await firstVerdict(admin, gone, signed));
    await removed(admin, gone);
    must('another one that may has', await should(() => signed(admin, muted), good));
    const almost = NOT_TRUE.map((usage) => ({ usage, token: newToken() }));
    for (const { usage, token } of almost) await given(admin, token, { data: { 'usage-bootstrap-signing': usage } });
    const off = { stringData: { 'usage-bootstrap-signing': 'false' } };
    await admin.prepare((actor) => actor.in(actor.dialect.systemNamespace).patch(secrets, muted.name, 'merge', off));
    must('when it may no longer its signature goes', await should(() => signed(admin, muted), absent));
    must('when it is gone its signature goes', await should(() => signed(admin, gone), absent));
    // A signer need not look again by itself when a token expires.
    for (const token of [short, held, parted]) await should(() => signed(admin, token), absent, { within: 5 * SECOND });
    // It has looked at all of them once more when it has signed by the last.
    await given(admin, last, { data: SIGNING });
    must('a later token has signed', await should(() => signed(admin, last), good));
    for (const token of [mute, muted, gone, short, held, parted])
      must('the others have not', await signed(admin, token), absent);
    for (const { usage, token } of almost)
      must(`nor has one of usage ${JSON.stringify(usage)}`, await signed(admin, token), absent);
  },
);

check(
  'BOOTSTRAP-SIGNER-03.1',
  'the admin changes the kubeconfig of cluster-info → it is signed anew',
  ['BOOTSTRAP-SIGNER-03'],
  { shares: CLUSTER_INFO },
  async ({ admin }) => {
    const token = newToken();
    if (!(await publish(admin, kubeconfig('https://three.example')))) unsupported(OF_ITS_OWN);
    await given(admin, token, { data: SIGNING });
    must('the first text is signed', await firstVerdict(admin, token, signed));
    const before = dataIn(await readInfo(admin), signatureKey(token));
    await publish(admin, kubeconfig('https://four.example'));
    const signature = async () => dataIn(await readInfo(admin), signatureKey(token));
    must('the signature is another', await should(signature, match.both(match.aString, match.not(before as string))));
    must('of the text that is there now', await should(() => signed(admin, token), good));
  },
);

check(
  'BOOTSTRAP-INFO-01.1',
  'a role for cluster-info is bound to anonymous users → nobody reads it',
  ['BOOTSTRAP-INFO-01'],
  { needs: ['rbac'], shares: CLUSTER_INFO },
  async ({ admin, nobody, dialect }) => {
    await publish(admin, kubeconfig('https://five.example'));
    const at = admin.in(dialect.publicNamespace);
    const name = 'touchstone-cluster-info';
    const apiGroup = `rbac.authorization.${dialect.apiDomain}`;
    await at.given(
      roles,
      named(name, { rules: [{ ...on(configMaps, dialect, 'get'), resourceNames: [CLUSTER_INFO] }] }),
    );
    await at.given(roleBindings, {
      metadata: { name },
      roleRef: { apiGroup, kind: 'Role', name },
      subjects: [{ kind: 'User', name: 'system:anonymous', apiGroup }],
    });
    const read = await should(
      () => readInfo(nobody),
      match.both(match.status(200), match.field('data.kubeconfig', match.aString)),
    );
    must('without credentials', read);
  },
);
