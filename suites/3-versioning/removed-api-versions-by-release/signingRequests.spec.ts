import { type Actor, check, match, must, named } from '../../harness/index.ts';
import { signingRequests } from './kinds.ts';
import { CERTIFICATE, REQUEST } from './pem.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
/** Nobody signs for that signer. */
const spec = { request: base64(REQUEST), signerName: 'touchstone.example/nobody', usages: ['client auth'] };
const given = (author: Actor) => author.given(signingRequests, { ...named('csr'), spec });

check(
  'CHANGED-SIGNING-01.1',
  'the author creates a request with signer and usages → it is taken',
  ['CHANGED-SIGNING-01'],
  async ({ author }) => {
    const created = await author.create(signingRequests, { ...named('csr'), spec });
    must('it is legal', created, match.created, match.field('spec.usages', spec.usages));
  },
);

for (const [what, change] of [
  ['no signer', { signerName: undefined }],
  ['no usages', { usages: undefined }],
  ['no usage in its usages', { usages: [] }],
  ['a usage twice', { usages: ['client auth', 'client auth'] }],
  ['an unknown usage', { usages: ['tea'] }],
] as const) {
  check(
    `CHANGED-SIGNING-01.2/${what}`,
    `the author creates a request with ${what} → refused`,
    ['CHANGED-SIGNING-01'],
    async ({ author }) => {
      const created = await author.create(signingRequests, { ...named('csr'), spec: { ...spec, ...change } });
      must('v1 does not take it', created, match.refusal);
    },
  );
}

check(
  'CHANGED-SIGNING-01.3',
  'the author creates a request for the legacy-unknown signer → refused',
  ['CHANGED-SIGNING-01'],
  async ({ author, dialect }) => {
    const signerName = `${dialect.labelDomain}/legacy-unknown`;
    const created = await author.create(signingRequests, { ...named('csr'), spec: { ...spec, signerName } });
    must('nothing can be asked of it', created, match.refusal);
  },
);

const approved = { type: 'Approved', status: 'True', reason: 'Checked', message: 'by hand' };
for (const [what, conditions] of [
  ['a condition twice', [approved, approved]],
  ['a condition without status', [{ ...approved, status: undefined }]],
] as const) {
  check(
    `CHANGED-SIGNING-02.1/${what}`,
    `the admin approves a request with ${what} → refused`,
    ['CHANGED-SIGNING-02'],
    async ({ admin }) => {
      const request = await given(admin);
      const path = await admin.pathOf(signingRequests, 'csr', 'approval');
      const approval = await admin.request('PUT', path, { body: { ...request, status: { conditions } } });
      must('v1 does not take it', approval, match.refusal);
    },
  );
}

check(
  'CHANGED-SIGNING-02.2',
  'the admin approves a request and gives a certificate → both are taken',
  ['CHANGED-SIGNING-02'],
  async ({ admin }) => {
    const request = await given(admin);
    const path = await admin.pathOf(signingRequests, 'csr', 'approval');
    const approval = await admin.request('PUT', path, { body: { ...request, status: { conditions: [approved] } } });
    must('the condition is legal', approval, match.status(200));
    const signed = await sign(admin, CERTIFICATE);
    must('so is the certificate', signed, match.status(200), match.field('status.certificate', base64(CERTIFICATE)));
  },
);

for (const [what, certificate] of [
  ['what is no PEM', 'a certificate'],
  ['a block of another type', CERTIFICATE.replaceAll('CERTIFICATE', 'PRIVATE KEY')],
  ['another block behind it', `${CERTIFICATE}${REQUEST}`],
] as const) {
  check(
    `CHANGED-SIGNING-02.3/${what}`,
    `the admin gives a request ${what} as certificate → refused`,
    ['CHANGED-SIGNING-02'],
    async ({ admin }) => {
      await given(admin);
      must('v1 does not take it', await sign(admin, certificate), match.refusal);
    },
  );
}

async function sign(admin: Actor, certificate: string) {
  const path = await admin.pathOf(signingRequests, 'csr', 'status');
  const headers = { 'content-type': 'application/merge-patch+json' };
  return admin.request('PATCH', path, { headers, body: { status: { certificate: base64(certificate) } } });
}
