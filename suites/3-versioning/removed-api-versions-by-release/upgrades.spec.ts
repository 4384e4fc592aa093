import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PERSISTED_TYPES } from '../../../fixtures/ledger/index.ts';
import { apiVersionIn, type GroupVersion, type ReleaseName } from '../../../fixtures/releases/removedVersion.ts';
import {
  type Actor,
  atRelease,
  before,
  check,
  clause,
  clausesOf,
  type Exchange,
  inconclusive,
  isRecord,
  match,
  must,
  PATCH_TYPES,
  type SetupOf,
} from '../../harness/index.ts';
import { overLatest } from '../overLatest.ts';
import { NAMESPACED } from './drafts.ts';
import { contentOf, fullDraftOf } from './fullDrafts.ts';
import { grouped, type Removal } from './rows.ts';

/** A release that keeps its objects in a directory. */
const keptIn =
  (directory: string, release: ReleaseName): SetupOf =>
  async (services, dialect) => {
    const setup = atRelease(release);
    return { ...(await setup(services, dialect)), data: directory };
  };

/** The collection of a kind in a version. */
function collectionOf({ kind, plural }: Removal, version: GroupVersion, { dialect }: Actor, namespace: string): string {
  const root = `/apis/${apiVersionIn(dialect, version)}`;
  return NAMESPACED.has(kind) ? `${root}/namespaces/${namespace}/${plural}` : `${root}/${plural}`;
}

interface Written {
  readonly removal: Removal;
  readonly name: string;
  /** Undefined where it was not taken. */
  readonly uid: unknown;
  readonly answer: Exchange;
  /** What it says, where the version that replaces the one that goes has the same fields. */
  readonly content: object | undefined;
  /** Another one like it, which nobody writes before it is deleted; there is none where a name has to be what it is. */
  readonly spare: string | undefined;
}

/** Writes an object in a version that is about to go. Out: its name and uid. */
async function write(admin: Actor, removal: Removal, namespace: string): Promise<Written> {
  const { kind, version } = removal;
  const apiVersion = apiVersionIn(admin.dialect, version);
  const { draft, full } = fullDraftOf(kind, { namespace, dialect: admin.dialect });
  const name = draft.metadata?.name ?? `kept-in-${apiVersion.replace(/[^a-z0-9]+/g, '-')}`;
  const body = { apiVersion, kind, ...draft, metadata: { name, labels: { mine: 'kept' } } };
  const answer = await admin.request('POST', collectionOf(removal, version, admin, namespace), { body });
  const metadata = isRecord(answer.json) && isRecord(answer.json.metadata) ? answer.json.metadata : {};
  const spare = draft.metadata?.name === undefined ? `${name}-spare` : undefined;
  if (spare !== undefined) {
    const again = { ...body, metadata: { name: spare, labels: { mine: 'spare' } } };
    await admin.request('POST', collectionOf(removal, version, admin, namespace), { body: again });
  }
  return {
    spare: answer.succeeded ? spare : undefined,
    removal,
    name,
    uid: answer.succeeded ? metadata.uid : undefined,
    answer,
    content: full && contentOf(answer.json),
  };
}

/** Judges that an object is listed and told of as any other, and that somebody else may change and remove it. */
async function isInUse(reader: Actor, collection: string, name: string, seen: unknown): Promise<void> {
  const { apiVersion, kind } = isRecord(seen) ? seen : {};
  const has = match.containing(match.at('metadata.name', name));
  for (const query of ['', '?labelSelector=mine%3Dkept'])
    must('it is listed', await reader.request('GET', `${collection}${query}`), match.field('items', has));
  const stream = await reader.openStream(
    `${reader.name} watches`,
    `${collection}?watch=true&resourceVersion=0&labelSelector=mine%3Dkept`,
  );
  must('it is told of', await stream.until(match.event('ADDED', name)));
  stream.close();
  const path = `${collection}/${name}`;
  const labelled = (by: string) => ({ metadata: { name, labels: { by } } });
  for (const [how, type, body] of [
    ['merge', PATCH_TYPES.merge, labelled('merge')],
    ['apply', PATCH_TYPES.apply, { apiVersion, kind, ...labelled('apply') }],
  ] as const) {
    const query = how === 'apply' ? '?fieldManager=upgraded&force=true' : '';
    const answer = await reader.request('PATCH', `${path}${query}`, { headers: { 'content-type': type }, body });
    must(`a patch by ${how} is taken`, answer, match.success);
    must('it is stored', await reader.request('GET', path), match.field('metadata.labels.by', how));
  }
  const put = await overLatest(
    () => reader.request('GET', path),
    (live) => reader.request('PUT', path, { body: live }),
  );
  must('a PUT of it as it is is taken', put, match.success);
  must('it is removed', await reader.request('DELETE', `${path}?propagationPolicy=Background`), match.success);
  must('it is gone', await reader.request('GET', path), match.either(match.status(404), isEnding));
}
/** What waits for its finalizers. */
const isEnding = match.field('metadata.deletionTimestamp', match.aTimestamp);

const isPersisted = (plural: string) => PERSISTED_TYPES.some((each) => each === plural);

for (const [release, rows] of grouped((removal) => removal.release)) {
  const kept = rows.filter(({ plural, replacement }) => replacement && isPersisted(plural));
  if (kept.length === 0) continue;
  const last = before(release);
  const plurals = [...new Set(kept.map(({ plural }) => plural))];
  check(
    `REMOVED-PERSISTED-01.1/${last}/${release}`,
    `the admin writes at ${last} one of all that ${release} removes → each is there after the upgrade`,
    clausesOf('REMOVED-PERSISTED-01', plurals),
    async ({ start, space }) => {
      const directory = mkdtempSync(join(tmpdir(), 'touchstone-upgrade-'));
      try {
        const namespace = `${space.prefix}-kept`;
        const first = await start(keptIn(directory, last));
        const admin = first.as('admin');
        const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
        await admin.prepare(() => admin.request('POST', '/api/v1/namespaces', { body }));
        const written = new Map<string, Written[]>();
        for (const removal of kept) {
          const own = await write(admin, removal, namespace);
          written.set(removal.plural, [...(written.get(removal.plural) ?? []), own]);
        }
        await first.stop();
        const second = await start(keptIn(directory, release));
        must('the next release starts on it', second, match.starts);
        const reader = second.as('admin');
        for (const [plural, own] of written) {
          await clause(`REMOVED-PERSISTED-01/${plural}`, async () => {
            for (const { removal, name, uid, answer, content, spare } of own) {
              if (uid === undefined) inconclusive(`its preparation failed: ${answer.words}: answer ${answer.status}`);
              const { version, replacement } = removal;
              if (!replacement) continue;
              const at = (each: GroupVersion) => `${collectionOf(removal, each, reader, namespace)}/${name}`;
              const seen = await reader.request('GET', at(replacement.version));
              const same = match.field('metadata', match.including({ name, uid: String(uid) }));
              must('the object is there', seen, match.status(200), same, match.field('metadata.labels.mine', 'kept'));
              if (content) must('it says what it said', contentOf(seen.json), match.equal(content));
              must('the removed version is not', await reader.request('GET', at(version)), match.status(404, 410));
              if (spare !== undefined) {
                const path = `${collectionOf(removal, replacement.version, reader, namespace)}/${spare}`;
                must('another is removed', await reader.request('DELETE', path), match.success);
                must('it is gone', await reader.request('GET', path), match.either(match.status(404), isEnding));
              }
              await isInUse(reader, collectionOf(removal, replacement.version, reader, namespace), name, seen.json);
            }
          });
        }
        await second.stop();
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    },
  );
}
