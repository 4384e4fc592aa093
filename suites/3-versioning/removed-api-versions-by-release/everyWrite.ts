import type { FIELD_WRITES } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  type ApiObject,
  type Exchange,
  isRecord,
  type Kind,
  load,
  match,
  must,
  named,
  PATCH_TYPES,
  type Query,
  queryText,
  type RequestOptions,
  should,
} from '../../harness/index.ts';
import { overLatest } from '../overLatest.ts';
import { mannerOf } from './manners.ts';

export type ObjectWrite = (typeof FIELD_WRITES)[number];
/** What an object says beside its metadata. What is undefined is left out, or taken away where the write is a merge. */
export type Content = Readonly<Record<string, unknown>>;

/**
 * Any write that gives an object `doc`, which has to be there, this content. A POST and an apply make one of another
 * name: what an apply leaves out of an object that others have written stays as it is.
 */
export async function send(
  author: Actor,
  kind: Kind,
  write: ObjectWrite,
  content: Content,
  query: Query = {},
  options: RequestOptions = {},
): Promise<Exchange> {
  const name = nameBy(write);
  switch (write) {
    case 'post':
      return author.create(kind, { ...named(name), ...content }, query, options);
    case 'yaml': {
      // What is null is not there.
      const headers = { ...options.headers, ...YAML.headers };
      return author.create(kind, { ...named(name), ...(takingAway(content) as object) }, query, {
        ...options,
        headers,
      });
    }
    case 'put':
      return putBack(author, kind, name, (live) => ({ ...live, ...content }), query, options);
    case 'json':
      return author.patch(kind, name, 'json', operations(content), query, options);
    case 'json-fields': {
      const { json } = await author.get(kind, name);
      const before = isRecord(json) ? json : {};
      return author.patch(kind, name, 'json', fieldSteps(before, content), query, options);
    }
    case 'merge':
      // It replaces lists, so that their items are as a POST has them.
      return author.patch(kind, name, write, takingAway(content, 'outside-lists') as object, query, options);
    case 'strategic':
      return author.patch(kind, name, write, takingAway(content) as object, query, options);
    case 'apply':
      return author.apply(kind, { ...named(name), ...content }, { force: true, ...query }, options);
  }
}

/** Puts an object back as it is shown, with a change: once more where a controller has written since it was read. */
export async function putBack(
  author: Actor,
  kind: Kind,
  name: string,
  changed: (live: ApiObject) => Parameters<Actor['update']>[1],
  query: Query = {},
  options: RequestOptions = {},
): Promise<Exchange> {
  return overLatest(
    () => author.get(kind, name),
    (live) => author.update(kind, changed(live), query, options),
  );
}

/** Puts a subresource of an object, with the object as it is shown and a change: again as {@link putBack} does. */
export function putPart(
  author: Actor,
  kind: Kind,
  name: string,
  subresource: string,
  changed: (live: ApiObject) => object,
  query: Query = {},
  options: RequestOptions = {},
): Promise<Exchange> {
  return overLatest(
    () => author.get(kind, name),
    async (live) => {
      const path = (await author.pathOf(kind, name, subresource)) + queryText(query);
      return author.request('PUT', path, { ...options, body: changed(live) });
    },
  );
}

/** The same write in some other manner, and what that is. */
async function inSomeManner(
  author: Actor,
  kind: Kind,
  write: ObjectWrite,
  content: Content,
  query: Query,
): Promise<{ readonly how: string; readonly answer: Exchange }> {
  const manner = mannerOf(`${kind.plural} ${write} ${JSON.stringify(content)}`);
  const isWhole = write === 'post' || write === 'put';
  const headers = { ...manner.headers, ...(isWhole && manner.form === 'yaml' ? YAML.headers : {}) };
  const answer = await send(author, kind, write, content, { ...manner.query, ...query }, { headers });
  return { how: manner.words, answer };
}

/** The object that a write is about. */
export function nameBy(write: ObjectWrite): string {
  return write === 'post' || write === 'yaml' ? 'made' : write === 'apply' ? 'applied' : 'doc';
}

/** The same write otherwise: what a server refuses or fills in, it does however it is asked. */
const OTHERWISE: Partial<Readonly<Record<ObjectWrite, Readonly<Record<string, Otherwise>>>>> = {
  post: {
    'under a name to be made up': (author, kind, content, query) =>
      author.create(kind, { metadata: { generateName: author.space.nameOf(kind, 'any') }, ...content }, query),
    'with no look at unknown fields': (author, kind, content, query) =>
      author.create(kind, { ...named(nameBy('post')), ...content }, { fieldValidation: 'Ignore', ...query }),
  },
  put: {
    'in YAML': async (author, kind, content, query) =>
      putBack(author, kind, nameBy('put'), (live) => ({ ...live, ...content }), query, YAML),
    'with no look at unknown fields': (author, kind, content, query) =>
      send(author, kind, 'put', content, { fieldValidation: 'Ignore', ...query }),
  },
  merge: {
    'with null in items of lists': (author, kind, content, query) =>
      author.patch(kind, nameBy('merge'), 'merge', takingAway(content) as object, query),
  },
};
type Otherwise = (author: Actor, kind: Kind, content: Content, query: Query) => Promise<Exchange>;

/** Judges that a write of each of some contents is refused, as a dry run too, and that all is as it was. */
export async function areRefused(
  author: Actor,
  kind: Kind,
  write: ObjectWrite,
  contents: readonly (readonly [what: string, content: Content])[],
  query: Query = {},
): Promise<void> {
  const before = await author.get(kind, nameBy(write));
  for (const [what, content] of contents) {
    const tried = await send(author, kind, write, content, { ...query, ...DRY_RUN });
    must(`${what} is refused as a dry run`, tried, match.refusal);
    must(`${what} is refused`, await send(author, kind, write, content, query), match.refusal);
    for (const [how, otherwise] of Object.entries(OTHERWISE[write] ?? {}))
      must(`${what} is refused ${how}`, await otherwise(author, kind, content, query), match.refusal);
    const { how, answer } = await inSomeManner(author, kind, write, content, query);
    must(`${what} is refused with ${how}`, answer, match.refusal);
  }
  const after = await author.get(kind, nameBy(write));
  if (before.status !== 200) must('nothing is stored', after, match.status(404));
  else must('nothing changes', after, match.status(200), match.body(unchanged(before.json as ApiObject)));
}

/** What an object was; where a controller of the target has written since, all but what is a controller's. */
export function unchanged(before: ApiObject): match.Matcher<unknown> {
  const same = match.equal(clientsPart(before));
  const byController: match.Matcher<unknown> = {
    allows: 'the same, but for what a controller writes',
    differences: (after, path) => [
      ...match.not(match.equal(controllersPart(before))).differences(controllersPart(after), path),
      ...same.differences(clientsPart(after), path),
    ],
  };
  return match.either(match.equal(before), byController);
}
/** The status of an object, and annotations that are of the domain of the service. */
function controllersPart(object: unknown): unknown {
  const { status, metadata } = (object ?? {}) as Partial<ApiObject>;
  const notes = Object.entries(metadata?.annotations ?? {}).filter(([name]) => isOfAnotherDomain(name));
  return { status, notes: Object.fromEntries(notes) };
}
/** What is left of it without these, its version and the records of who wrote it. */
function clientsPart(object: unknown): unknown {
  const { status: _, metadata, ...rest } = (object ?? {}) as Partial<ApiObject>;
  const { resourceVersion: __, managedFields: ___, annotations = {}, ...own } = metadata ?? {};
  const notes = Object.entries(annotations as object).filter(([name]) => !isOfAnotherDomain(name));
  return { ...rest, metadata: { ...own, notes: Object.fromEntries(notes) } };
}
const isOfAnotherDomain = (name: string): boolean => !name.startsWith('touchstone.example/');

/** The writes that make an object that is not there. */
const CREATIONS: readonly ObjectWrite[] = ['post', 'yaml', 'apply'];

/** Judges that none of some contents makes an object, by whatever write, and that nothing is stored. */
export async function makeNothing(
  author: Actor,
  kind: Kind,
  contents: readonly (readonly [what: string, content: Content])[],
  writes: readonly ObjectWrite[] = CREATIONS,
): Promise<void> {
  for (const write of writes) await areRefused(author, kind, write, contents);
}

/**
 * Judges what is answered to a write of some content, which is taken, to dry runs of it, however they are asked for, and
 * what is stored then: each path with its value. The object that it made goes.
 */
export async function isStored(
  author: Actor,
  kind: Kind,
  write: ObjectWrite,
  content: Content,
  expected: Readonly<Record<string, match.Expectation>>,
): Promise<void> {
  const tried = must('it is taken as a dry run', await send(author, kind, write, content, DRY_RUN), match.success);
  for (const [how, otherwise] of Object.entries(OTHERWISE[write] ?? {})) {
    const answer = must(`it is taken ${how}`, await otherwise(author, kind, content, DRY_RUN), match.success);
    for (const [path, value] of Object.entries(expected))
      must(`${path} is so in the answer of the dry run ${how}`, answer, match.field(path, value));
  }
  const { how, answer } = await inSomeManner(author, kind, write, content, DRY_RUN);
  must(`it is taken with ${how}`, answer, match.success);
  const shown = answer.header('content-type').some((type) => type.includes('yaml')) ? load(answer.text) : answer.json;
  for (const [path, value] of Object.entries(expected)) must(`${path} is so with ${how}`, shown, match.at(path, value));
  const answered = must('it is taken', await send(author, kind, write, content), match.success);
  const stored = await author.get(kind, nameBy(write));
  for (const [path, value] of Object.entries(expected)) {
    must(`${path} is so in the answer of the dry run`, tried, match.field(path, value));
    must(`${path} is so in the answer`, answered, match.field(path, value));
    must(`${path} is so`, stored, match.field(path, value));
  }
  if (write === 'put') await isLeftByItsStatus(author, kind, expected);
  if (nameBy(write) !== 'doc') await author.delete(kind, nameBy(write), { propagationPolicy: 'Background' });
}

/** Judges that writes of the status of `doc` leave what it has, where its type has a status. */
async function isLeftByItsStatus(
  author: Actor,
  kind: Kind,
  expected: Readonly<Record<string, match.Expectation>>,
): Promise<void> {
  const path = await author.pathOf(kind, nameBy('put'), 'status');
  if ((await author.request('GET', path)).status !== 200) return;
  const writes = {
    // Some types have to say what they replace; a controller may write meanwhile.
    'a PUT': () => putPart(author, kind, nameBy('put'), 'status', (live) => live),
    'a merge patch': () => author.request('PATCH', path, { headers: MERGE, body: { status: {} } }),
  };
  for (const [how, write] of Object.entries(writes)) {
    must(`${how} of its status is taken`, await should(write, match.success));
    const stored = await author.get(kind, nameBy('put'));
    for (const [at, value] of Object.entries(expected))
      must(`${how} of its status leaves ${at}`, stored, match.field(at, value));
  }
}

const MERGE = { 'content-type': PATCH_TYPES.merge };
const DRY_RUN = { dryRun: 'All' };
/** What is JSON is YAML too. */
export const YAML = { headers: { 'content-type': 'application/yaml' } };

/** A JSON patch of the fields that differ, each by itself; lists are compared item by item, and what comes behind is added. */
export function fieldSteps(before: unknown, after: unknown, path = ''): object[] {
  if (isRecord(before) && isRecord(after)) {
    return Object.entries(after).flatMap(([name, value]) => {
      const at = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (value === undefined) return name in before ? [{ op: 'remove', path: at }] : [];
      return name in before ? fieldSteps(before[name], value, at) : [{ op: 'add', path: at, value }];
    });
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length <= after.length)
    return after.flatMap((each, place) =>
      place < before.length
        ? fieldSteps(before[place], each, `${path}/${place}`)
        : [{ op: 'add', path: `${path}/-`, value: each }],
    );
  return before === after ? [] : [{ op: 'replace', path, value: after }];
}

function operations(content: Content): object[] {
  return Object.entries(content).map(([member, value]) => ({ op: 'add', path: `/${member}`, value }));
}

/** With null in the place of what is undefined, which takes a member away; within items of lists too, unless told. */
export function takingAway(value: unknown, where: 'everywhere' | 'outside-lists' = 'everywhere'): unknown {
  if (Array.isArray(value)) return where === 'everywhere' ? value.map((each) => takingAway(each)) : value;
  if (typeof value !== 'object' || value === null) return value === undefined ? null : value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, takingAway(each, where)]));
}
