import { protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import { CHANGES, STATUS_TYPES } from '../../../fixtures/ledger/index.ts';
import {
  apiVersionOf,
  check,
  clause,
  clausesOf,
  type JsonObject,
  load,
  match,
  must,
  named,
  objectIn,
  PATCH_TYPES,
} from '../../harness/index.ts';
import { entriesIn, isFields } from '../server-side-apply-rules/owned.ts';
import { changeStatus, STATUS } from '../statusTypes.ts';

const YAML = 'application/yaml';

for (const type of STATUS_TYPES) {
  check(
    `YAML-REQUEST-01.3/${type}`,
    `the author writes the status of ${type} in YAML and by every patch → as the object itself, with whole records`,
    [
      `YAML-REQUEST-01/status/${type}`,
      `YAML-RESPONSE-01/status/${type}`,
      `META-MANAGED-02/status/${type}`,
      `PATCH-TYPE-02/status/${type}`,
      ...clausesOf('DRYRUN-EFFECT-01', `${type}-status`),
      ...clausesOf('FIELDS-STRICT-01', `${type}-status`),
      ...clausesOf('FIELDS-STRICT-02', `${type}-status`),
      'URL-SUBRESOURCE-01',
      ...(type === 'custom' ? [] : (['PROTOBUF-RESPONSE-01'] as const)),
    ],
    type === 'custom' ? ['custom-types'] : [],
    async ({ author, dialect }) => {
      const { kind: kindOf, status } = STATUS[type];
      const kind = await kindOf(author);
      const live = await author.given(kind, named('doc'));
      const path = await author.pathOf(kind, 'doc', 'status');
      const send = (method: string, body: unknown, headers: Readonly<Record<string, string>>) =>
        author.request(method, path, { headers, body: body as object });
      for (const write of CHANGES) {
        if (write === 'strategic' && type === 'custom') continue;
        await clause(`DRYRUN-EFFECT-01/${write}/${type}-status`, async () => {
          const changed = status(`Tried${write}`);
          const { answer, before } = await changeStatus(author, kind, write, changed, { query: 'dryRun=All' });
          must('a dry run is answered', answer, match.success);
          must('with what it would store', answer.text.includes(`Tried${write}`), match.equal(true));
          must('and stores nothing', await author.get(kind, 'doc'), match.body(before));
        });
        if (write === 'apply') continue;
        await clause(
          `${write === 'put' ? 'FIELDS-STRICT-01' : 'FIELDS-STRICT-02'}/${write}/${type}-status`,
          async () => {
            const odd = { ...status(`Odd${write}`), unheardOf: 'yes' };
            const { answer, before } = await changeStatus(author, kind, write, odd, {
              query: 'fieldValidation=Strict',
            });
            must('nobody knows the field', answer, match.status(400));
            must('nothing is stored', await author.get(kind, 'doc'), match.body(before));
          },
        );
      }
      await clause(`YAML-REQUEST-01/status/${type}`, async () => {
        // JSON is YAML.
        const put = await send('PUT', { ...live, status: status('Yaml') }, { 'content-type': YAML });
        must('it is taken', put, match.status(200), match.mediaType('application/json'));
        // Beside what was written may stand what is filled in.
        const { status: stored } = objectIn(await author.get(kind, 'doc'));
        must('it is stored', JSON.stringify(stored).includes('Yaml'), match.equal(true));
      });
      await clause(`YAML-RESPONSE-01/status/${type}`, async () => {
        const read = await author.request('GET', path, { headers: { accept: YAML } });
        must('it is YAML', read, match.status(200), match.mediaType(YAML));
        const stored = objectIn(await author.get(kind, 'doc'));
        must('it says the same', load(read.text) as never, match.equal(stored as never));
        const headers = { 'content-type': PATCH_TYPES.merge, accept: YAML };
        const patched = await send('PATCH', { status: status('Merge') }, headers);
        must('so does a patch', patched, match.status(200), match.mediaType(YAML));
      });
      if (type !== 'custom') {
        const protobuf = protobufMediaType(dialect);
        const bytes = await author.request('GET', path, { headers: { accept: protobuf } });
        must('in Protobuf it is that', bytes, match.status(200), match.mediaType(protobuf));
      }
      const { spec } = objectIn(await author.get(kind, 'doc'));
      const sneaked = type === 'namespaces' ? { finalizers: ['touchstone.example/sneaked'] } : { sneaked: 'in' };
      for (const [patch, contentType] of Object.entries(PATCH_TYPES)) {
        if (patch === 'strategic' && type === 'custom') continue;
        const body = { spec: type === 'services' ? { selector: sneaked } : sneaked, status: status(patch) };
        const steps = Object.entries(body).map(([name, value]) => ({ op: 'add', path: `/${name}`, value }));
        const whole = {
          apiVersion: apiVersionOf(kind, dialect),
          kind: kind.kind,
          metadata: { name: live.metadata.name },
        };
        await author.request('PATCH', `${path}${patch === 'apply' ? '?fieldManager=sneak&force=true' : ''}`, {
          headers: { 'content-type': contentType },
          body: patch === 'json' ? steps : patch === 'apply' ? { ...whole, ...body } : body,
        });
        const seen = objectIn(await author.get(kind, 'doc'));
        must(`${patch} of the status leaves the rest as it is`, seen.spec ?? {}, match.equal((spec ?? {}) as never));
      }
      await clause(`PATCH-TYPE-02/status/${type}`, async () => {
        const missing = await author.pathOf(kind, 'missing', 'status');
        for (const patch of ['json', 'merge', ...(type === 'custom' ? [] : (['strategic'] as const))] as const) {
          const body =
            patch === 'json' ? [{ op: 'add', path: '/status', value: status(patch) }] : { status: status(patch) };
          const asked = await author.request('PATCH', missing, {
            headers: { 'content-type': PATCH_TYPES[patch] },
            body,
          });
          must(`there is no status for ${patch}`, asked, match.status(404));
        }
        must('nothing is created', await author.get(kind, 'missing'), match.status(404));
      });
      await clause(`META-MANAGED-02/status/${type}`, async () => {
        const entry = match.including({
          manager: match.aString,
          operation: match.oneOf('Apply', 'Update'),
          apiVersion: apiVersionOf(kind, dialect),
          time: match.aTimestamp,
          fieldsType: 'FieldsV1',
          fieldsV1: match.anObject,
        });
        const whole = { apiVersion: apiVersionOf(kind, dialect), kind: kind.kind };
        const applied = await author.request('PATCH', `${path}?fieldManager=applier&force=true`, {
          headers: { 'content-type': PATCH_TYPES.apply },
          body: { ...whole, metadata: { name: live.metadata.name }, status: status('Apply') },
        });
        must('an apply is taken', applied, match.success);
        const entries = entriesIn(applied.json);
        must('there are some', entries, match.not([]));
        must('each is whole', entries, match.every(entry));
        const fields = entries.map(({ fieldsV1 }) => fieldsV1);
        must('down to its leaves, which are empty maps', fields.every(isFields), match.equal(true));
      });
    },
  );

  check(
    `UPDATE-VERSION-05.3/${type}`,
    `the author writes the status of ${type} in every way at a version that has passed → 409, and at the stored one and at none it is taken`,
    [
      ...clausesOf('UPDATE-VERSION-02', type === 'services' ? 'status' : `${type}-status`),
      ...clausesOf('UPDATE-VERSION-05', `${type}-status`),
      ...clausesOf('APPLY-BODY-04', `${type}-status`),
      ...(type === 'namespaces' ? [] : clausesOf('UPDATE-VERSION-06', `${type}-status`)),
    ],
    type === 'custom' ? ['custom-types'] : [],
    async ({ author }) => {
      const { kind: kindOf, status } = STATUS[type];
      const kind = await kindOf(author);
      await author.given(kind, named('doc'));
      const writes = CHANGES.filter((write) => write !== 'strategic' || type !== 'custom');
      for (const write of writes) {
        const send = async (word: string, metadata: JsonObject = {}) =>
          (await changeStatus(author, kind, write, status(word), { metadata })).answer;
        await author.prepare(() => send(`Old${write}`));
        const { resourceVersion = '' } = objectIn(await author.get(kind, 'doc')).metadata;
        const label = { metadata: { labels: { since: write } } };
        await author.prepare((each) => each.patch(kind, 'doc', 'merge', label));
        const conditional =
          write !== 'put'
            ? clausesOf(write === 'apply' ? 'APPLY-BODY-04' : 'UPDATE-VERSION-05', write, `${type}-status`)
            : clausesOf('UPDATE-VERSION-02', type === 'services' ? 'status' : `${type}-status`);
        await clause(conditional, async () => {
          const live = objectIn(await author.get(kind, 'doc'));
          must('it came too late', await send(`Late${write}`, { resourceVersion }), match.status(409));
          must('so does what would change nothing', await send(`Old${write}`, { resourceVersion }), match.status(409));
          must('nothing changes', await author.get(kind, 'doc'), match.body(live));
          const version = { resourceVersion: live.metadata.resourceVersion ?? '' };
          must('at the stored version it is taken', await send(`New${write}`, version), match.status(200));
          if (write === 'put') return;
          const answers = await Promise.all(['A', 'B', 'C'].map((word) => send(`${word}${write}`)));
          for (const answer of answers) must('without a version it is taken', answer, match.status(200));
        });
      }
      if (type === 'namespaces') return;
      const held = await author.given(kind, { metadata: { name: 'held', finalizers: ['touchstone.example/hold'] } });
      await author.prepare((each) => each.delete(kind, 'held'));
      const { resourceVersion = '' } = held.metadata;
      for (const write of writes) {
        if (write === 'apply') continue;
        await clause(clausesOf('UPDATE-VERSION-06', write, `${type}-status`), async () => {
          const sending = { name: 'held', metadata: { resourceVersion } };
          const { answer, before } = await changeStatus(author, kind, write, status('Late'), sending);
          must('it came too late', answer, match.status(409));
          must('nothing changes', await author.get(kind, 'held'), match.body(before));
        });
      }
    },
  );
}
