import { groupName, protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import type { Row } from '../../covering/covering.ts';
import {
  type Actor,
  type Exchange,
  envelopeIn,
  isRecord,
  type JsonObject,
  load,
  match,
  must,
  PATCH_TYPES,
  should,
  warningsIn,
} from '../../harness/index.ts';
import { notWarned, warned } from '../warnings.ts';
import { common } from './sharedTypes.ts';
import { isRefused } from './versionsCrossed.ts';

/** A field that no version has. */
const STRANGER = 'unheardOf';

/** A version of a type, by its paths. */
export interface CrossedVersion {
  readonly apiVersion: string;
  /** Of the collection, in the namespace of the check where it has one, and over all namespaces. */
  readonly path: string;
  readonly everywhere: string;
  /** Whether calls of it are answered with a warning; undefined: that is not looked at. */
  readonly deprecated: boolean | undefined;
}

/** A type as rows write and read it. */
export interface CrossedSubject {
  readonly kind: string;
  /** Of each type, the oldest one first. */
  readonly versions: readonly CrossedVersion[];
  /** What an object says beside its metadata in the version of that place; its name, where it follows from that. */
  readonly draft: (place: number) => Promise<JsonObject>;
  readonly counting?: ((count: number) => object) | undefined;
  readonly reporting?: ((count: number) => object) | undefined;
  /**
   * What the version of the second place shows of what a draft of the first one says, whatever is done to the object in
   * between.
   */
  readonly kept?: (written: number, shown: number) => Readonly<Record<string, match.Expectation>>;
}

/** A part of what a row shows, judged by itself. */
export interface Judgements {
  /** That it is made, what the request comes to, and that each version shows it afterwards. */
  readonly outcome: (part: () => Promise<void>) => Promise<void>;
  /** Who is recorded to have written, and in which version. */
  readonly managers: (part: () => Promise<void>) => Promise<void>;
  /** How a version shows it to whoever reads in the way of the row. */
  readonly reading: (part: () => Promise<void>) => Promise<void>;
  /** The Warning headers of one answer. @param call `act` or how it was read */
  readonly warnings: (call: 'act' | 'read', deprecated: boolean, part: () => Promise<void>) => Promise<void>;
}

export const ROW = 'touchstone.example/row';
const PART = 'touchstone.example/part';
const NOTE = 'touchstone.example/note';
const HELD = 'touchstone.example/held';
const MORE = 'touchstone.example/more';
const MANAGER = 'touchstone-crossed';
/** Controllers may write between two questions: then they are asked once more. */
const SOON = { within: 250 };
const TRIES = 5;

/** What an object is to be. */
interface State {
  readonly labels: Readonly<Record<string, string>>;
  readonly note: string | undefined;
  readonly finalizers: readonly string[];
  readonly count: number | undefined;
  readonly seen: number | undefined;
  readonly scale: number | undefined;
  readonly there: 'there' | 'ending' | 'gone';
}

/** Whether a version that has passed is refused by a code of the server's choice: a test of a JSON patch, a precondition. */
const refusesByAnyCode = ({ act = '' }: Row): boolean => act.endsWith('json') || act.startsWith('delete');

/** Makes an object in one version, does with it in another what a row says, and looks at it in each. */
export async function judgeRow(
  author: Actor,
  subject: CrossedSubject,
  row: Row,
  name: string,
  { outcome, managers, reading, warnings }: Judgements,
): Promise<void> {
  const { versions } = subject;
  const at = (place = ''): CrossedVersion =>
    (({ older: versions[0], newer: versions.at(-1) })[place] ?? versions[1]) as CrossedVersion;
  const [written, acted] = [at(row.written), at(row.acted)];
  const before: State = {
    labels: { [ROW]: name, [PART]: 'one' },
    note: 'kept',
    finalizers: row.state === 'held' ? [HELD] : [],
    count: undefined,
    seen: undefined,
    scale: undefined,
    there: 'there',
  };
  const item = new CrossedItem(author, subject, name);
  let after = before;
  let answer: Exchange | undefined;
  let shown: readonly Exchange[] = [];
  await outcome(async () => {
    must(`it is made in ${written.apiVersion}`, await item.make(written, row, before), match.success);
    if (row.version === 'stale') after = { ...before, labels: { ...before.labels, moved: 'yes' } };
    answer = await item.act(acted, row, written);
    const done = !isRefused(row);
    if (done && row.dryRun === 'none') after = afterwards(after, row);
    // By which code an apply of unknown fields is refused is for checks of its own: the service departs from the text.
    const refused = row.act?.endsWith('apply') ? match.error : match.refusal;
    must(done ? 'it is done' : 'it is refused', answer, done ? match.success : refused);
    if (row.version === 'stale' && !refusesByAnyCode(row)) must('it is stale', answer, match.status(409));
    if (done) item.judgeAnswer(answer, acted, row);
    shown = await item.judgeShown(after, versions.indexOf(written));
  });
  if (answer === undefined) return;
  const own = answer;
  // Whether what is refused anyway is looked through for unknown fields is open.
  if (acted.deprecated !== undefined && (row.stranger !== 'Warn' || !isRefused(row))) {
    await warnings('act', acted.deprecated, async () => {
      const all = warningsIn(own.header('warning')).map(({ written }) => written);
      const unknown = all.filter((each) => each.includes(STRANGER));
      must('it warns of unknown fields', unknown, match.size(row.stranger === 'Warn' ? 1 : 0));
      if (acted.deprecated) must('and of what is deprecated', all.length - unknown.length, match.not(0));
      else must('and of no version', own, notWarned);
    });
  }
  const { act = '', change = '' } = row;
  const writes = !/^(delete|scale)/.test(act) && !['nothing', 'removal'].includes(change);
  if (after.there === 'there' && writes && !isRefused(row)) {
    await managers(async () => {
      const entry = {
        manager: MANAGER,
        operation: act.endsWith('apply') ? 'Apply' : 'Update',
        apiVersion: acted.apiVersion,
        ...(act.startsWith('status') ? { subresource: 'status' } : {}),
      };
      const told = match.containing(match.including(entry));
      for (const { json } of shown)
        must('the write is recorded', managersIn(json), row.dryRun === 'none' ? told : match.not(told));
    });
  }
  await reading(async () => {
    for (const version of versions) {
      const { answer: read, object } = await item.see(version, row.read ?? '');
      must(`${version.apiVersion} is read`, read, match.status(200));
      if (after.there === 'gone') must('it is gone', object, match.absent);
      else judgeSeen(object, version, after, row);
      if (version.deprecated === undefined) continue;
      await warnings('read', version.deprecated, async () => {
        must('it warns where it is deprecated', read, version.deprecated ? warned : notWarned);
      });
    }
  });
  await item.remove(written, after);
}

/** What an object is after a request that was done. */
function afterwards(state: State, { act = '', change }: Row): State {
  const count = COUNT;
  if (act.startsWith('delete')) return { ...state, there: state.finalizers.length > 0 ? 'ending' : 'gone' };
  if (act.startsWith('status')) return { ...state, seen: count };
  if (act.startsWith('scale')) return { ...state, scale: count };
  const { [PART]: _, ...rest } = state.labels;
  switch (change) {
    case 'label':
      return { ...state, labels: { ...state.labels, [PART]: 'two' } };
    case 'removal':
      return { ...state, labels: rest };
    case 'note':
      return { ...state, note: 'changed' };
    case 'hold':
      return { ...state, finalizers: [...state.finalizers, MORE] };
    case 'count':
      return { ...state, count };
    default:
      return state;
  }
}
const COUNT = 7;

/** A value of which each member is among others. */
const deeply = (value: unknown): match.Matcher<unknown> =>
  isRecord(value)
    ? match.including(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, deeply(inner)])))
    : match.equal(value);

/** What was read in some way: metadata alone where it shows no more. */
function judgeSeen(object: unknown, version: CrossedVersion, { labels, there }: State, { read = '' }: Row): void {
  must('it is seen', object, match.anObject);
  if (!/table|partial/.test(read)) must('it is of its version', object, match.at('apiVersion', version.apiVersion));
  if (read === 'protobuf') return;
  must('it has its labels', object, match.at('metadata.labels', match.equal({ ...labels })));
  const ending = there === 'ending' ? match.aTimestamp : match.absent;
  must('it ends or does not', object, match.at('metadata.deletionTimestamp', ending));
}

/** The object of one row. */
class CrossedItem {
  readonly #author: Actor;
  readonly #subject: CrossedSubject;
  readonly #name: string;

  constructor(author: Actor, subject: CrossedSubject, name: string) {
    this.#author = author;
    this.#subject = subject;
    this.#name = name;
  }

  async make(version: CrossedVersion, { made }: Row, { labels, note, finalizers }: State): Promise<Exchange> {
    const place = this.#subject.versions.indexOf(version);
    const body = {
      apiVersion: version.apiVersion,
      kind: this.#subject.kind,
      ...(await this.#subject.draft(place)),
      metadata: { name: this.#name, labels, annotations: { [NOTE]: note }, finalizers },
    };
    const query = '?fieldManager=maker';
    if (made === 'apply') return this.#send('PATCH', `${version.path}/${this.#name}${query}`, PATCH_TYPES.apply, body);
    return this.#send('POST', version.path + query, made === 'yaml' ? 'application/yaml' : 'application/json', body);
  }

  #send(method: string, path: string, type: string, body: object | Uint8Array, accept = ''): Promise<Exchange> {
    const headers = { 'content-type': type, ...(accept === '' ? {} : { accept }) };
    return this.#author.request(method, path, { headers, body });
  }

  /** What the row asks for; asked again where a controller wrote after the version was read that it, or a PUT, names. */
  async act(version: CrossedVersion, row: Row, other: CrossedVersion): Promise<Exchange> {
    let answer = await this.#actOnce(version, row, other);
    const isLate = ({ status }: Exchange) => (refusesByAnyCode(row) ? status >= 400 && status < 500 : status === 409);
    const namesVersion = row.version === 'current' || (row.version === 'none' && row.act?.endsWith('update'));
    for (let tries = 1; isLate(answer) && namesVersion && tries < TRIES; tries++)
      answer = await this.#actOnce(version, row, other);
    return answer;
  }

  async #actOnce(version: CrossedVersion, row: Row, other: CrossedVersion): Promise<Exchange> {
    const { act = '', dryRun, stranger = 'none', accept = '' } = row;
    const [verb = '', kind = ''] = act.includes('-') ? act.split('-').reverse() : [act];
    const path = `${version.path}/${this.#name}${kind === '' ? '' : `/${kind}`}`;
    const query = [
      ...(act.startsWith('delete') ? [] : [`fieldManager=${MANAGER}`]),
      ...(dryRun === 'All' ? ['dryRun=All'] : []),
      ...(stranger === 'none' ? [] : [`fieldValidation=${stranger}`]),
      ...(verb === 'apply' ? ['force=true'] : []),
    ].join('&');
    const media = { yaml: 'application/yaml', protobuf: protobufMediaType(this.#author.dialect) };
    const wanted = accept === 'yaml' || accept === 'protobuf' ? media[accept] : '';
    const inProtobuf = row.form === 'protobuf';
    const live = await this.#author.request('GET', path, inProtobuf ? { headers: { accept: media.protobuf } } : {});
    if (row.version === 'stale') {
      const moved = { metadata: { labels: { moved: 'yes' } } };
      await this.#send('PATCH', `${other.path}/${this.#name}`, PATCH_TYPES.merge, moved);
    }
    const shown = isRecord(live.json) ? live.json : {};
    const metadata = isRecord(shown.metadata) ? shown.metadata : {};
    const resourceVersion = row.version === 'none' && verb !== 'update' ? undefined : metadata.resourceVersion;
    const type = row.form === 'yaml' ? media.yaml : 'application/json';
    // The service departs from the text where a body says nothing of what the query says.
    const tried = dryRun === 'All' ? { dryRun: ['All'] } : {};
    if (verb === 'deletecollection') {
      const some = `labelSelector=${encodeURIComponent(`${ROW}=${this.#name}`)}`;
      const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background', ...tried };
      return this.#send('DELETE', `${version.path}?${[some, query].filter(Boolean).join('&')}`, type, options);
    }
    if (verb === 'delete') {
      const options = {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        propagationPolicy: 'Background',
        ...(resourceVersion === undefined ? {} : { preconditions: { resourceVersion } }),
        ...tried,
      };
      return this.#send('DELETE', path, type, options);
    }
    const to = `${path}?${query}`;
    if (inProtobuf) return this.#send('PUT', to, media.protobuf, live.received?.bytes ?? new Uint8Array(), wanted);
    const said = this.#said(row, metadata);
    if (verb === 'update') {
      const whole = over(shown, said);
      const body = { ...whole, metadata: { ...(whole.metadata as object), resourceVersion } };
      return this.#send('PUT', to, type, body, wanted);
    }
    if (verb === 'json') {
      const test = { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion };
      const steps = [...(resourceVersion === undefined ? [] : [test]), ...stepsOf(shown, said)];
      const nothing = { op: 'test', path: '/metadata/name', value: this.#name };
      return this.#send('PATCH', to, PATCH_TYPES.json, steps.length > 0 ? steps : [nothing], wanted);
    }
    const own = { ...said, metadata: { ...(isRecord(said.metadata) ? said.metadata : {}), resourceVersion } };
    if (verb === 'apply') {
      const named = { ...own, metadata: { ...own.metadata, name: this.#name } };
      const body = { apiVersion: version.apiVersion, kind: this.#subject.kind, ...named };
      return this.#send('PATCH', to, PATCH_TYPES.apply, body, wanted);
    }
    return this.#send('PATCH', to, PATCH_TYPES[verb as 'merge' | 'strategic'], own, wanted);
  }

  /** What a row changes, as a merge patch. */
  #said({ act = '', change, stranger }: Row, metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const more = stranger === 'none' ? {} : { [STRANGER]: 1 };
    if (act.startsWith('status')) return { ...(this.#subject.reporting?.(COUNT) as Record<string, unknown>) };
    if (act.startsWith('scale')) return { spec: { replicas: COUNT } };
    const held = Array.isArray(metadata.finalizers) ? (metadata.finalizers as string[]) : [];
    const changes: Readonly<Record<string, object>> = {
      label: { metadata: { labels: { [PART]: 'two' } } },
      removal: { metadata: { labels: { [PART]: null } } },
      note: { metadata: { annotations: { [NOTE]: 'changed' } } },
      hold: { metadata: { finalizers: [...held, MORE] } },
      count: this.#subject.counting?.(COUNT) ?? {},
    };
    return { ...changes[change ?? ''], ...more };
  }

  /** An answer shows the object in the version that was asked, in the encoding that was asked for. */
  judgeAnswer(answer: Exchange, version: CrossedVersion, { act = '', accept }: Row): void {
    if (act.startsWith('delete') || act.startsWith('scale')) return;
    if (accept === 'protobuf') {
      const told = envelopeIn(answer.received?.bytes ?? new Uint8Array())?.apiVersion;
      must('the answer is of the version', told, match.equal(version.apiVersion));
      return;
    }
    const object = accept === 'yaml' ? load(answer.text) : answer.json;
    must('the answer is of the version', object, match.at('apiVersion', version.apiVersion));
    must('it is the object', object, match.at('metadata.name', this.#name));
  }

  /** Every version shows the same object, and all that was made of it. Out: the answers. */
  async judgeShown(state: State, written: number): Promise<readonly Exchange[]> {
    const { counting, reporting, versions, kept, kind } = this.#subject;
    const ask = () => Promise.all(versions.map(({ path }) => this.#author.request('GET', `${path}/${this.#name}`)));
    if (state.there === 'gone') {
      const gone: match.Matcher<readonly Exchange[]> = {
        allows: 'a status of 404 in every version',
        differences: (all, path) => all.flatMap((each) => match.status(404).differences(each, path)),
      };
      must('no version has it any more', await should(ask, gone, SOON));
      return [];
    }
    const alike: match.Matcher<readonly Exchange[]> = {
      allows: 'the same metadata in every version',
      differences: ([one, ...rest], path) =>
        rest.flatMap((each, place) =>
          match.equal(common(one?.json)).differences(common(each.json), `${path}${place + 1}`),
        ),
    };
    const seen = await should(ask, alike, SOON);
    for (const [place, { apiVersion }] of versions.entries()) {
      const answer = seen.subject[place] as Exchange;
      must(`${apiVersion} shows it`, answer, match.status(200));
      const whole = match.including({
        apiVersion,
        kind,
        metadata: match.including({
          labels: match.equal({ ...state.labels }),
          annotations: match.including({ [NOTE]: state.note }),
          finalizers: state.finalizers.length === 0 ? match.empty : match.equal([...state.finalizers]),
          deletionTimestamp: state.there === 'ending' ? match.aTimestamp : match.absent,
        }),
      });
      must('it is as it was left', answer.json, whole);
      const own = kept?.(written, place);
      if (own) must('it has all that it was made with', answer.json, match.including(own));
      if (state.count !== undefined) must('it has the number', answer.json, deeply(counting?.(state.count)));
      if (state.seen !== undefined) must('it has the status', answer.json, deeply(reporting?.(state.seen)));
      if (state.scale !== undefined) must('it has the scale', answer.json, match.at('spec.replicas', state.scale));
    }
    must('all versions show one object', seen);
    return seen.subject;
  }

  /** The object as one way of reading shows it; undefined where it does not. */
  async see(version: CrossedVersion, read: string): Promise<{ answer: Exchange; object: unknown }> {
    const { dialect } = this.#author;
    const table = `application/json;as=Table;v=v1;g=${groupName(dialect, 'meta')}`;
    const partial = `application/json;as=PartialObjectMetadataList;v=v1;g=${groupName(dialect, 'meta')}`;
    const own = `labelSelector=${encodeURIComponent(`${ROW}=${this.#name}`)}`;
    const named = `fieldSelector=${encodeURIComponent(`metadata.name=${this.#name}`)}`;
    const forms: Readonly<Record<string, string>> = {
      yaml: 'application/yaml',
      'list-yaml': 'application/yaml',
      'everywhere-yaml': 'application/yaml',
      table,
      'everywhere-table': table,
      partial,
      'everywhere-partial': partial,
      protobuf: protobufMediaType(dialect),
    };
    const query: Readonly<Record<string, string>> = {
      labels: own,
      chunks: `${own}&limit=1`,
      fields: named,
      partial: own,
    };
    const path = read.startsWith('everywhere')
      ? `${version.everywhere}?${own}`
      : `${version.path}?${query[read] ?? own}`;
    const accept = forms[read];
    const answer = await this.#author.request('GET', path, accept === undefined ? {} : { headers: { accept } });
    if (read === 'protobuf') {
      const envelope = envelopeIn(answer.received?.bytes ?? new Uint8Array());
      const there = envelope && Buffer.from(envelope.raw).includes(this.#name);
      return { answer, object: there ? { ...envelope } : undefined };
    }
    const list = read.includes('yaml') ? load(answer.text) : answer.json;
    return { answer, object: this.#among(list) };
  }

  #among(list: unknown): unknown {
    const { items, rows, apiVersion } = isRecord(list) ? list : {};
    const some = Array.isArray(items)
      ? items
      : Array.isArray(rows)
        ? rows.map((each) => isRecord(each) && each.object)
        : [];
    const found = some.filter(isRecord).find(({ metadata }) => isRecord(metadata) && metadata.name === this.#name);
    // Items may leave out what their list says of all of them.
    return found && { ...(Array.isArray(items) ? { apiVersion } : {}), ...found };
  }

  /** Takes it away, whatever holds it. */
  async remove({ path }: CrossedVersion, { finalizers, there }: State): Promise<void> {
    const item = `${path}/${this.#name}`;
    if (there === 'there') await this.#author.request('DELETE', `${item}?propagationPolicy=Background`);
    if (finalizers.length > 0) await this.#send('PATCH', item, PATCH_TYPES.merge, { metadata: { finalizers: null } });
  }
}

function managersIn(object: unknown): readonly unknown[] {
  const metadata = isRecord(object) && isRecord(object.metadata) ? object.metadata : {};
  return Array.isArray(metadata.managedFields) ? metadata.managedFields : [];
}

/** A merge patch over an object. */
function over(
  object: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...object };
  for (const [name, inner] of Object.entries(change)) {
    const before = merged[name];
    if (inner === null) delete merged[name];
    else merged[name] = isRecord(inner) ? over(isRecord(before) ? before : {}, inner) : inner;
  }
  return merged;
}

/** The operations of a JSON patch that change an object as a merge patch would. */
function stepsOf(
  object: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>>,
  at = '',
): object[] {
  return Object.entries(change).flatMap(([name, inner]): object[] => {
    const path = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const before = object[name];
    if (inner === null) return [{ op: 'remove', path }];
    if (isRecord(inner) && isRecord(before)) return stepsOf(before, inner, path);
    return [{ op: 'add', path, value: inner }];
  });
}
