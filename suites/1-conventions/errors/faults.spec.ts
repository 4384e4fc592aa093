import { FAULTS, FAULTY_TYPES, type Fault } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  check,
  clause,
  clausesOf,
  type Exchange,
  load,
  match,
  named,
  ought,
  PATCH_TYPES,
} from '../../harness/index.ts';
import { SUBJECT } from '../testedTypes.ts';
import { type Writer, writerOf } from '../writing.ts';

interface Around {
  readonly author: Actor;
  readonly nobody: Actor;
  readonly writer: Writer;
  /** Version that the object `doc` had and has no more. */
  readonly before: string;
}
type Requests = (around: Around) => readonly Promise<Exchange>[];

const REFUSED = { headers: { authorization: 'Bearer touchstone-no-such-token' } };
const OTHER_UID = '00000000-0000-4000-8000-000000000000';

/** Sends something of any method to the collection, or to the object `doc`. */
async function sent(
  { author, writer }: Around,
  method: string,
  name: string,
  body?: object,
  type?: string,
): Promise<Exchange> {
  const headers = type === undefined ? {} : { 'content-type': type };
  return author.request(method, await author.pathOf(writer.kind, name), { body, headers });
}

/** Requests that have each fault. */
const REQUESTS: Readonly<Record<Fault, Requests>> = {
  missing: ({ author, writer: { kind } }) => [
    author.get(kind, 'missing'),
    author.delete(kind, 'missing'),
    author.patch(kind, 'missing', 'merge', {}),
  ],
  taken: ({ writer }) => [writer.send('post', { name: 'doc' })],
  stale: ({ writer, before }) => [writer.send('put', { metadata: { resourceVersion: before } })],
  owned: ({ writer }) => [writer.send('apply', { query: { force: undefined, fieldManager: 'other' } })],
  nameless: ({ author, writer: { kind } }) => [author.create(kind, {})],
  malformed: ({ author, writer: { kind } }) => [
    author.pathOf(kind).then((path) => author.request('POST', path, { body: '{' })),
    author.pathOf(kind, 'doc').then((path) => author.request('PATCH', path, { body: '{', headers: MERGE })),
  ],
  unaccepted: ({ author, writer: { kind } }) => [
    author.get(kind, 'doc', {}, { headers: { accept: 'application/x-touchstone' } }),
    author.list(kind, {}, { headers: { accept: 'application/x-touchstone' } }),
  ],
  unread: (around) => [
    sent(around, 'POST', '', named('made'), 'application/x-touchstone'),
    sent(around, 'PATCH', 'doc', {}, 'application/x-touchstone'),
  ],
  method: (around) => [
    sent(around, 'PUT', '', named('doc')),
    sent(around, 'PATCH', '', {}, PATCH_TYPES.merge),
    sent(around, 'POST', 'doc', named('doc')),
  ],
  'unknown-field': ({ writer }) => [
    writer.send('post', { content: { touchstoneUnknown: 1 }, query: { fieldValidation: 'Strict' } }),
  ],
  'dry-run': ({ writer }) => [writer.send('put', { query: { dryRun: 'Some' } })],
  precondition: ({ writer }) => [writer.send('delete', { options: { preconditions: { uid: OTHER_UID } } })],
  selector: ({ author, writer: { kind } }) => [
    author.list(kind, { labelSelector: 'a in (' }),
    author.list(kind, { fieldSelector: 'no.such.field=a' }),
  ],
  token: ({ author, writer: { kind } }) => [author.list(kind, { limit: 1, continue: 'none' })],
  subresource: ({ author, writer: { kind } }) =>
    ['GET', 'PUT'].map(async (method) =>
      author.request(method, await author.pathOf(kind, 'doc', 'no-such-part'), method === 'GET' ? {} : { body: {} }),
    ),
  unauthenticated: ({ nobody, writer: { kind } }) => [
    nobody.get(kind, 'doc', {}, REFUSED),
    nobody.list(kind, { watch: true }, REFUSED),
    nobody.create(kind, named('doc'), {}, REFUSED),
    nobody.delete(kind, 'doc', {}, undefined, REFUSED),
  ],
  yaml: ({ author, writer: { kind } }) => [
    author.get(kind, 'missing', {}, { headers: { accept: 'application/yaml' } }),
    author.create(kind, named('doc'), {}, { headers: { accept: 'application/yaml' } }),
  ],
};
const MERGE = { 'content-type': PATCH_TYPES.merge };

for (const type of FAULTY_TYPES) {
  check(
    `ERROR-STATUS-01.2/${type}`,
    `the author sends requests about ${type} with each fault → each has a Status that says so`,
    clausesOf('ERROR-STATUS-01', type),
    SUBJECT[type].needs,
    async ({ author, nobody }) => {
      const writer = await writerOf(author, type);
      const before = (await writer.given('doc', 'older')).metadata.resourceVersion ?? '';
      await author.prepare(() => writer.send('put', { word: 'old' }));
      for (const fault of FAULTS) {
        await clause(`ERROR-STATUS-01/${fault}/${type}`, async () => {
          for (const error of await Promise.all(REQUESTS[fault]({ author, nobody, writer, before }))) {
            ought('it is an error', error, match.error);
            if (fault === 'yaml') ought('it is in YAML', error, match.mediaType('application/yaml'));
            const status = fault === 'yaml' ? load(error.text) : error.json;
            const told = ['reason', 'message'].map((path) => match.at(path, match.aString));
            const failed = [match.at('status', 'Failure'), match.at('code', error.status)];
            ought('its body is a Status', status, match.at('kind', 'Status'), ...failed, ...told);
          }
        });
      }
    },
  );
}
