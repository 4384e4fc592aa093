import {
  type Actor,
  type ApiObject,
  atRelease,
  type ClauseName,
  check,
  clause,
  clausesOf,
  type Exchange,
  isRecord,
  type Kind,
  match,
  must,
  named,
  objectIn,
  PATCH_TYPES,
  type Query,
  queryText,
} from '../../harness/index.ts';
import { makeNothing, putBack, putPart, YAML } from './everyWrite.ts';
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
  ['an empty signer', { signerName: '' }],
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
  ['a condition twice with another between', [approved, { ...approved, type: 'Other' }, approved]],
  ['a condition without status', [{ ...approved, status: undefined }]],
  ['a condition with an empty status', [{ ...approved, status: '' }]],
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

check(
  'CHANGED-SIGNING-02.4',
  'the admin gives a request a chain of certificates → all of it is stored',
  ['CHANGED-SIGNING-02'],
  async ({ admin }) => {
    await given(admin);
    const chain = `${CERTIFICATE}${CERTIFICATE}`;
    must('it is taken', await sign(admin, chain), match.status(200));
    must('so it is stored', await admin.get(signingRequests, 'csr'), match.field('status.certificate', base64(chain)));
  },
);

/** The certificate in a block of another type. */
const called = (type: string) => CERTIFICATE.replaceAll('CERTIFICATE', type);
/** Types of blocks that have a certificate too, or nearly that name. */
const NEARLY = ['X509 CERTIFICATE', 'TRUSTED CERTIFICATE', 'CERTIFICATES', 'certificate'];

for (const [what, certificate] of [
  ['what is no PEM', 'a certificate'],
  ['a block of another type', called('PRIVATE KEY')],
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
  twice: (condition: object) => [{ conditions: [condition, condition] }],
  'without-status': (condition: object) => [
    { conditions: [{ ...condition, status: undefined }] },
    { conditions: [{ ...condition, status: '' }] },
    { conditions: [condition, { ...condition, type: 'Other', status: undefined }] },
  ],
  certificate: () => [
    { certificate: base64(`${CERTIFICATE}${REQUEST}`) },
    { certificate: base64(called('PRIVATE KEY')) },
    ...NEARLY.map((type) => ({ certificate: base64(called(type)) })),
    { certificate: base64(`${called('TRUSTED CERTIFICATE')}${CERTIFICATE}`) },
    { certificate: base64(`${CERTIFICATE}${called('X509 CERTIFICATE')}${CERTIFICATE}`) },
  ],
};
/** Each write of a status by its method and media type; what merges conditions by their type makes one of two. */
const STATUS_WRITES = {
  put: ['PUT', 'application/json'],
  'put-yaml': ['PUT', YAML.headers['content-type']],
  json: ['PATCH', PATCH_TYPES.json],
  merge: ['PATCH', PATCH_TYPES.merge],
  strategic: ['PATCH', PATCH_TYPES.strategic],
  apply: ['PATCH', PATCH_TYPES.apply],
} as const;
type StatusWrite = keyof typeof STATUS_WRITES;

/** Writes a status to a subresource of the request, really or as a dry run. */
async function writeStatus(
  admin: Actor,
  request: ApiObject,
  write: StatusWrite,
  subresource: string,
  status: object,
  dryRun = false,
): Promise<Exchange> {
  const [method, type] = STATUS_WRITES[write];
  const options = { headers: { 'content-type': type } };
  const query = {
    ...(write === 'apply' ? { fieldManager: 'signer', force: true } : {}),
    ...(dryRun ? { dryRun: 'All' } : {}),
  };
  if (write === 'put' || write === 'put-yaml')
    return putPart(admin, signingRequests, 'csr', subresource, (live) => ({ ...live, status }), query, options);
  const { apiVersion, kind, metadata } = request;
  const body = {
    merge: { status },
    json: [{ op: 'add', path: '/status', value: status }],
    apply: { apiVersion, kind, metadata: { name: metadata.name }, status },
  }[write === 'strategic' ? 'merge' : write];
  const path = (await admin.pathOf(signingRequests, 'csr', subresource)) + queryText(query);
  return admin.request(method, path, { ...options, body });
}

check(
  'CHANGED-SIGNING-03.1',
  'the admin writes a status that is faulty in every way to both subresources → refused, and nothing changes',
  clausesOf('CHANGED-SIGNING-03', ['twice', 'without-status', 'certificate']),
  async ({ admin }) => {
    const request = await given(admin);
    for (const [what, faulty] of Object.entries(FAULTY)) {
      for (const write of ['put', 'put-yaml', 'json', 'merge', 'strategic', 'apply'] as const) {
        if (what === 'twice' && (write === 'strategic' || write === 'apply')) continue;
        await clause(`CHANGED-SIGNING-03/${what}/${write}` as ClauseName, async () => {
          for (const subresource of what === 'certificate' ? ['status'] : ['approval', 'status']) {
            for (const status of faulty({ ...approved, type: subresource === 'approval' ? 'Approved' : 'Failed' })) {
              const tried = await writeStatus(admin, request, write, subresource, status, true);
              must(`${subresource} does not take it as a dry run`, tried, match.refusal);
              const answer = await writeStatus(admin, request, write, subresource, status);
              must(`${subresource} does not take it`, answer, match.refusal);
            }
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

const olderRequests: Kind = { ...signingRequests, version: 'v1beta1', specified: true, least: () => ({}) };
/** What v1 refuses of a new request and an older version takes. */
const OLDER = {
  'legacy-signer': (domain: string) => ({ signerName: `${domain}/legacy-unknown` }),
  'unknown-usage': () => ({ usages: ['client auth', 'tea'] }),
  'usage-twice': () => ({ usages: ['client auth', 'digital signature', 'client auth'] }),
} as const;

check(
  'CHANGED-SIGNING-04.1',
  'the admin changes in v1 requests of v1beta1 that v1 would not take as new ones → they are changed, approved and reported on',
  clausesOf('CHANGED-SIGNING-04'),
  { setup: atRelease('1.21') },
  async ({ admin, dialect }) => {
    for (const what of ['legacy-signer', 'unknown-usage', 'usage-twice'] as const) {
      const change = OLDER[what](dialect.labelDomain);
      await admin.given(olderRequests, { ...named(what), spec: { ...spec, ...change } });
      await clause(`CHANGED-SIGNING-04/${what}/label`, async () => {
        const labels = (write: string) => ({ metadata: { labels: { write } } });
        const merged = await admin.patch(signingRequests, what, 'merge', labels('merge'));
        must('a patch is taken', merged, match.status(200), match.field('metadata.labels.write', 'merge'));
        const put = await putBack(admin, signingRequests, what, ({ metadata, ...rest }) => ({
          ...rest,
          metadata: { ...metadata, labels: { write: 'put' } },
        }));
        must('a PUT is', put, match.status(200), match.field('metadata.labels.write', 'put'));
        must('it says what it said', put, match.field('spec', match.including(change)));
      });
      for (const [subresource, condition] of [
        ['approval', approved],
        ['status', { ...approved, type: 'Seen' }],
      ] as const)
        await clause(`CHANGED-SIGNING-04/${what}/${subresource}`, async () => {
          const put = await putPart(admin, signingRequests, what, subresource, (live) => {
            const status = isRecord(live.status) ? live.status : {};
            const conditions = Array.isArray(status.conditions) ? status.conditions : [];
            return { ...live, status: { ...status, conditions: [...conditions, condition] } };
          });
          const has = match.containing(match.including({ type: condition.type }));
          must('the condition is taken', put, match.status(200), match.field('status.conditions', has));
        });
    }
  },
);

check(
  'UPDATE-VERSION-02.4',
  'the admin puts the approval and the status of a request late → 409, and nothing changes; at the stored version → taken',
  clausesOf('UPDATE-VERSION-02', ['certificatesigningrequests-approval', 'certificatesigningrequests-status']),
  async ({ admin }) => {
    const old = await given(admin);
    await admin.prepare((each) =>
      each.patch(signingRequests, 'csr', 'merge', { metadata: { labels: { since: 'yes' } } }),
    );
    const live = objectIn(await admin.get(signingRequests, 'csr'));
    for (const subresource of ['status', 'approval'] as const)
      await clause(`UPDATE-VERSION-02/put/certificatesigningrequests-${subresource}`, async () => {
        const status = subresource === 'approval' ? { conditions: [approved] } : { certificate: base64(CERTIFICATE) };
        const path = await admin.pathOf(signingRequests, 'csr', subresource);
        const put = (body: object, query: Query = {}) => admin.request('PUT', path + queryText(query), { body });
        must('it came too late', await put({ ...old, status }), match.status(409));
        must('so does what would change nothing', await put(old), match.status(409));
        must('nothing changes', await admin.get(signingRequests, 'csr'), match.body(live));
        must('at the stored version it is taken', await put({ ...live, status }, { dryRun: 'All' }), match.status(200));
      });
  },
);

async function sign(admin: Actor, certificate: string) {
  const path = await admin.pathOf(signingRequests, 'csr', 'status');
  const headers = { 'content-type': 'application/merge-patch+json' };
  return admin.request('PATCH', path, { headers, body: { status: { certificate: base64(certificate) } } });
}
