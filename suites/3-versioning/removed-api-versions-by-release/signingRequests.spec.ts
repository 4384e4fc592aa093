import { type Actor, check, clause, clausesOf, match, must, named, PATCH_TYPES } from '../../harness/index.ts';
import { makeNothing } from './everyWrite.ts';
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

/** What v1 refuses of a new request. */
const REFUSED = [
  ['no signer', { signerName: undefined }],
  ['no usages', { usages: undefined }],
  ['no usage in its usages', { usages: [] }],
  ['a usage twice', { usages: ['client auth', 'client auth'] }],
  ['a usage twice with another between', { usages: ['client auth', 'digital signature', 'client auth'] }],
  ['an unknown usage', { usages: ['tea'] }],
  ['an unknown usage behind others', { usages: ['client auth', 'digital signature', 'tea'] }],
] as const;
for (const [what, change] of REFUSED) {
  check(
    `CHANGED-SIGNING-01.2/${what}`,
    `the author makes a request with ${what} in every way → refused, and nothing is stored`,
    ['CHANGED-SIGNING-01'],
    async ({ author }) => {
      await makeNothing(author, signingRequests, [[what, { spec: { ...spec, ...change } }]]);
    },
  );
}

check(
  'CHANGED-SIGNING-01.3',
  'the author makes a request for the legacy-unknown signer in every way → refused, and nothing is stored',
  ['CHANGED-SIGNING-01'],
  async ({ author, dialect }) => {
    const signerName = `${dialect.labelDomain}/legacy-unknown`;
    await makeNothing(author, signingRequests, [['that signer', { spec: { ...spec, signerName } }]]);
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

/** What a subresource does not take, by clause; of a status the approval changes the conditions alone, and no other subresource changes that condition. */
const FAULTY = {
  twice: (condition: object) => ({ conditions: [condition, condition] }),
  'without-status': (condition: object) => ({ conditions: [{ ...condition, status: undefined }] }),
  certificate: () => ({ certificate: base64(`${CERTIFICATE}${REQUEST}`) }),
};

check(
  'CHANGED-SIGNING-03.1',
  'the admin writes a status that is faulty in every way to both subresources → refused, and nothing changes',
  clausesOf('CHANGED-SIGNING-03', ['put', 'json', 'merge']),
  async ({ admin }) => {
    const request = await given(admin);
    for (const [what, faulty] of Object.entries(FAULTY)) {
      for (const write of ['put', 'json', 'merge'] as const) {
        await clause(`CHANGED-SIGNING-03/${what as keyof typeof FAULTY}/${write}`, async () => {
          for (const subresource of what === 'certificate' ? ['status'] : ['approval', 'status']) {
            const path = await admin.pathOf(signingRequests, 'csr', subresource);
            const status = faulty({ ...approved, type: subresource === 'approval' ? 'Approved' : 'Failed' });
            const body = { ...request, metadata: { ...request.metadata, resourceVersion: undefined }, status };
            const answer = await admin.request(write === 'put' ? 'PUT' : 'PATCH', path, {
              body:
                write === 'put'
                  ? body
                  : write === 'merge'
                    ? { status }
                    : [{ op: 'add', path: '/status', value: status }],
              headers: { 'content-type': write === 'put' ? 'application/json' : PATCH_TYPES[write] },
            });
            must(`${subresource} does not take it`, answer, match.refusal);
          }
          const seen = await admin.get(signingRequests, 'csr');
          must('nothing changes', seen, match.field('status.conditions', match.absent));
          must('there is no certificate', seen, match.field('status.certificate', match.absent));
        });
      }
    }
  },
);

check(
  'CHANGED-SIGNING-03.2',
  'the author applies requests that are not there and that v1 refuses → refused, and nothing is stored',
  clausesOf('CHANGED-SIGNING-03', 'create'),
  async ({ author }) => {
    for (const [what, change] of REFUSED) {
      const applied = await author.apply(signingRequests, { ...named('csr'), spec: { ...spec, ...change } });
      must(`${what} is refused`, applied, match.refusal);
      must('nothing is stored', await author.get(signingRequests, 'csr'), match.status(404));
    }
  },
);

async function sign(admin: Actor, certificate: string) {
  const path = await admin.pathOf(signingRequests, 'csr', 'status');
  const headers = { 'content-type': 'application/merge-patch+json' };
  return admin.request('PATCH', path, { headers, body: { status: { certificate: base64(certificate) } } });
}
