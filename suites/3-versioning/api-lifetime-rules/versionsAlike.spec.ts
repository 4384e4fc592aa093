import { type ALIKE_READS, type ALIKE_RULES, ALIKE_WRITES, SHARED_TYPES } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  type ApiObject,
  apiVersionOf,
  check,
  chunksAfter,
  clause,
  clausesOf,
  customResourceDefinitions,
  type Exchange,
  isRecord,
  type Kind,
  load,
  match,
  must,
  named,
  objectIn,
  PATCH_TYPES,
  should,
} from '../../harness/index.ts';
import { defineAgedType } from '../behavior-when-a-deprecated-endpoint-is-called/oldType.ts';
import { fieldSteps, putBack, YAML } from '../removed-api-versions-by-release/everyWrite.ts';
import { alike, common, heldMetadata, type SharedType, type Shown, shownBy, sides, TYPES } from './sharedTypes.ts';

const DIRECTIONS = ['older', 'newer'] as const;
const PART = 'touchstone.example/part';
const labelled = (part: string) => ({ labels: { [PART]: part } });
/** How often two versions are read for one state, where controllers of the target write in between. */
const READINGS = 10;
/** Controllers may write between two questions: then they are asked once more. */
const SOON = { within: 250 };

type AlikeWrite = (typeof ALIKE_WRITES)[number];
/** How each write gives an object a label and a number. Out: the answer. */
const WRITES: Readonly<
  Record<AlikeWrite, (by: Actor, from: Kind, type: SharedType, part: string, live: ApiObject) => Promise<Exchange>>
> = {
  post: (by, from, type, part, live) =>
    by.create(from, { ...again(live, part), ...over(type.draft(from), counted(type)) }),
  yaml: (by, from, type, part, live) =>
    by.create(from, { ...again(live, part), ...over(type.draft(from), counted(type)) }, {}, YAML),
  put: (by, from, type, part, live) =>
    putBack(by, from, live.metadata.name, ({ metadata, ...rest }) =>
      over({ ...rest, metadata: { ...metadata, ...labelled(part) } }, counted(type)),
    ),
  json: async (by, from, type, part, live) => {
    const change = { metadata: labelled(part), ...counted(type) };
    return by.patch(from, live.metadata.name, 'json', fieldSteps(await readBy(by, from, live), change));
  },
  merge: (by, from, type, part, live) =>
    by.patch(from, live.metadata.name, 'merge', { metadata: labelled(part), ...counted(type) }),
  strategic: (by, from, type, part, live) =>
    by.patch(from, live.metadata.name, 'strategic', { metadata: labelled(part), ...counted(type) }),
  apply: (by, from, type, part, live) =>
    by.apply(from, { metadata: { name: live.metadata.name, ...labelled(part) }, ...counted(type) }, { force: true }),
  status: async (by, from, type, _, live) => {
    const body = type.reporting?.(3) ?? {};
    const path = await by.pathOf(from, live.metadata.name, 'status');
    return by.request('PATCH', path, { headers: { 'content-type': PATCH_TYPES.merge }, body });
  },
};
const counted = (type: SharedType) => type.counting?.(7) ?? {};
/** What another object of the same metadata starts with. */
function again({ metadata }: ApiObject, name: string) {
  const { annotations, finalizers, ownerReferences } = metadata;
  return { metadata: { name, ...labelled(name), annotations, finalizers, ownerReferences } };
}
async function readBy(by: Actor, kind: Kind, { metadata }: ApiObject): Promise<ApiObject> {
  return (await by.prepare(() => by.get(kind, metadata.name))).json as ApiObject;
}
/** A value with the members of another in it. */
function over<Value extends object>(value: Value, change: object): Value {
  const merged = Object.entries(change).map(([name, inner]) => {
    const before = (value as Readonly<Record<string, unknown>>)[name];
    return [name, isRecord(before) && isRecord(inner) ? over(before, inner) : inner];
  });
  return { ...value, ...Object.fromEntries(merged) };
}

for (const type of SHARED_TYPES) {
  check(
    `GROUP-ALIKE-01.1/${type}`,
    `the author writes one of ${type} in every way in one version → every other shows the same object, in its own words`,
    clausesOf('GROUP-ALIKE-01', type),
    type === 'custom' ? ['custom-types'] : [],
    async ({ author }) => {
      const own: SharedType = await TYPES[type](author);
      const held = await heldMetadata(author);
      for (const by of DIRECTIONS) {
        const [from, others] = sides(own, by);
        // A version that makes no objects is seen by its POST.
        const newest = own.versions.at(-1) ?? from;
        const live = await author.given(newest, { metadata: { name: by, ...held }, ...own.draft(newest) });
        for (const write of ALIKE_WRITES) {
          if ((write === 'strategic' && !own.builtIn) || (write === 'status' && !own.reporting)) continue;
          const made = write === 'post' || write === 'yaml';
          const part = `${write}-${by}`;
          // What the write says nothing of, or says as it was, stays.
          const { finalizers, ownerReferences } = held;
          const metadata = { ...labelled(part), finalizers, ownerReferences };
          const fields = write === 'status' ? (own.reporting?.(3) ?? {}) : { metadata, ...counted(own) };
          await clause(`GROUP-ALIKE-01/${write}/${type}/${by}`, async () => {
            must(`${from.version} takes it`, await WRITES[write](author, from, own, part, live), match.success);
            const look = () => shownBy([from, ...others], (version) => author.get(version, made ? part : by));
            must('all versions show it', await should(look, alike(author, fields), SOON));
          });
        }
      }
    },
  );
}

type AlikeRead = (typeof ALIKE_READS)[number];
const accept = (type: string) => ({ headers: { accept: type } });
const itemOf = (json: unknown, name: string, members = 'items'): unknown => {
  const list = isRecord(json) && Array.isArray(json[members]) ? json[members].filter(isRecord) : [];
  const objects = members === 'rows' ? list.map((row) => row.object) : list;
  const found = objects.find((each) => isRecord(each) && isRecord(each.metadata) && each.metadata.name === name);
  // Items may leave out what their list says of all of them.
  return found && { apiVersion: isRecord(json) && members === 'items' ? json.apiVersion : undefined, ...found };
};
/** How each way of reading sees an object. Out: the object, undefined where it is not seen. */
const READS: Readonly<Record<AlikeRead, (by: Actor, kind: Kind, name: string) => Promise<unknown>>> = {
  list: async (by, kind, name) => itemOf((await by.list(kind)).json, name),
  everywhere: async (by, kind, name) => {
    const fieldSelector = `metadata.name=${name},metadata.namespace=${await by.namespace()}`;
    return itemOf((await by.listEverywhere(kind, { fieldSelector })).json, name);
  },
  chunks: async (by, kind, name) => {
    let next: string | undefined = '';
    while (next !== undefined) {
      const { json } = await by.list(kind, { limit: 1, ...(next === '' ? {} : { continue: next }) });
      const found = itemOf(json, name);
      if (found) return found;
      const { metadata } = isRecord(json) ? json : {};
      next =
        isRecord(metadata) && typeof metadata.continue === 'string' && metadata.continue
          ? metadata.continue
          : undefined;
    }
    return undefined;
  },
  labels: async (by, kind, name) => {
    const others = await by.list(kind, { labelSelector: `${PART}=of-no-object` });
    must('what has another label is not listed', others, match.names([]));
    return itemOf((await by.list(kind, { labelSelector: `${PART}=one` })).json, name);
  },
  fields: async (by, kind, name) =>
    itemOf((await by.list(kind, { fieldSelector: `metadata.name=${name}` })).json, name),
  yaml: async (by, kind, name) => load((await by.get(kind, name, {}, accept('application/yaml'))).text),
  'list-yaml': async (by, kind, name) => itemOf(load((await by.list(kind, {}, accept('application/yaml'))).text), name),
  table: async (by, kind, name) => {
    const table = `application/json;as=Table;v=v1;g=meta.${by.dialect.apiDomain}`;
    return itemOf((await by.list(kind, { includeObject: 'Object' }, accept(table))).json, name, 'rows');
  },
  initial: async (by, kind, name) => {
    const stream = await by.watch(kind);
    const { subject } = await stream.until(match.event('ADDED', name), { within: 2000 });
    stream.close();
    return subject?.object;
  },
};

for (const type of SHARED_TYPES) {
  check(
    `GROUP-ALIKE-02.1/${type}`,
    `the author reads in every way and version one of ${type} that was written in another one → it is the same object`,
    clausesOf('GROUP-ALIKE-02', type),
    type === 'custom' ? ['custom-types'] : [],
    async ({ author }) => {
      const own: SharedType = await TYPES[type](author);
      const held = await heldMetadata(author);
      for (const by of DIRECTIONS) {
        const [from] = sides(own, by);
        await author.given(from, { metadata: { name: by, ...held }, ...own.draft(from) });
      }
      for (const by of DIRECTIONS) {
        const [from, others] = sides(own, by);
        for (const [read, see] of Object.entries(READS) as [AlikeRead, (typeof READS)[AlikeRead]][]) {
          await clause(`GROUP-ALIKE-02/${read}/${type}/${by}`, async () => {
            const look = async () => {
              const shown: Shown[] = [{ version: from, object: (await author.get(from, by)).json }];
              for (const version of others) shown.push({ version, object: await see(author, version, by) });
              return shown;
            };
            must('it is seen as it is', await should(look, alike(author), SOON));
          });
        }
        for (const version of others) {
          await clause(`GROUP-ALIKE-02/resumed/${type}/${by}`, async () => {
            const { json } = await author.prepare(() => author.list(version));
            const since = (json as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
            await author.prepare(() =>
              author.patch(from, by, 'merge', { metadata: { annotations: { at: version.version } } }),
            );
            const stream = await author.watch(version, { resourceVersion: since });
            const event = match.both(
              match.event('MODIFIED', by),
              match.eventField('metadata.annotations.at', version.version),
            );
            let { object } = must('the watch tells of it', await stream.until(event));
            let live = objectIn(await author.get(from, by));
            // A controller may have written since: then the watch tells of that too.
            for (let reading = 1; live.metadata.resourceVersion !== object.metadata?.resourceVersion; reading++) {
              const { resourceVersion } = live.metadata;
              const latest = match.both(
                event,
                match.eventField('metadata.resourceVersion', resourceVersion ?? match.absent),
              );
              object = must('the watch tells of the latest', await stream.until(latest)).object;
              if (reading === READINGS) break;
              live = objectIn(await author.get(from, by));
            }
            stream.close();
            const shown = [
              { version: from, object: live },
              { version, object },
            ];
            must('it tells of the same object', shown, alike(author));
          });
        }
      }
    },
  );
}

/** Moves the mark of what is stored to another version of a custom type. */
async function storeIn(by: Actor, definition: string, versions: readonly Kind[], stored: Kind): Promise<void> {
  const live = await by.prepare(() => by.get(customResourceDefinitions, definition));
  const { spec } = live.json as { spec: { versions: { name: string }[] } };
  const steps = spec.versions.map(({ name }, place) => ({
    op: 'replace',
    path: `/spec/versions/${place}/storage`,
    value: name === stored.version,
  }));
  await by.prepare(() => by.patch(customResourceDefinitions, definition, 'json', steps));
  for (const version of versions)
    await by.prepare(async () => (await should(() => by.list(version), match.status(200))).subject);
}

/** How an object is changed that was stored otherwise. */
const ADVANCED_WRITES: readonly [AdvancedWrite, ...AdvancedWrite[]] = [
  (by, kind, { metadata }) => by.patch(kind, metadata.name, 'merge', { size: 2 }),
  (by, kind, live) => by.update(kind, { ...live, size: 2 }),
  (by, kind, { metadata }) => by.apply(kind, { ...named(metadata.name), size: 2 }, { force: true }),
];
type AdvancedWrite = (by: Actor, kind: Kind, live: ApiObject) => Promise<Exchange>;

/** Ways to see what was stored otherwise: whatever a server keeps at hand for reads is one more. */
const ADVANCED_READS = {
  ...READS,
  cached: async (by: Actor, kind: Kind, name: string) =>
    itemOf((await by.list(kind, { resourceVersion: '0' })).json, name),
};

/** Who has written an object, and how; nobody where a server does not tell. */
function managersOf(shown: unknown): string[] {
  const { metadata } = isRecord(shown) ? shown : {};
  const entries = isRecord(metadata) && Array.isArray(metadata.managedFields) ? metadata.managedFields : [];
  return entries
    .filter(isRecord)
    .map(({ manager, operation, subresource }) => `${manager} ${operation} ${subresource}`);
}

const goneName = (step: string, { version }: Kind) => `gone-${step}-${version}`;

check(
  'GROUP-ADVANCE-02.1',
  'the author has a custom type stored in its next version, and in the former one again → all that was written is as it was',
  clausesOf('GROUP-ADVANCE-02'),
  async ({ author }) => {
    const { versions, definition } = await defineAgedType(author);
    const [, stored, later] = versions;
    const own: SharedType = {
      versions,
      draft: () => ({ size: 1, free: { deep: 1 } }),
      counting: undefined,
      reporting: undefined,
      builtIn: false,
    };
    const held = await heldMetadata(author);
    const status = { body: { status: { seen: 3 } }, headers: { 'content-type': PATCH_TYPES.merge } };
    const all: string[] = [];
    for (const [step, now] of [
      ['forward', later],
      ['back', stored],
    ] as const) {
      const before = new Map<string, Record<string, unknown>>();
      /** The version that each was created in. */
      const made = new Map<string, string>();
      const fields = { size: 1, free: { deep: 1 }, status: { seen: 3 } };
      for (const version of versions) {
        const name = `${step}-${version.version}`;
        all.push(name);
        const { metadata } = await author.given(version, { metadata: { name, ...held }, ...own.draft(version) });
        made.set(name, metadata.resourceVersion ?? '');
        await author.prepare(async () => author.request('PATCH', await author.pathOf(version, name, 'status'), status));
        before.set(name, common((await author.get(version, name)).json, fields));
        const finalizers = version === later ? ['touchstone.example/held'] : [];
        const ending = { name: goneName(step, version), ...labelled('gone'), finalizers };
        await author.given(version, { metadata: ending, size: 1 });
      }
      await storeIn(author, definition, versions, now);
      await clause(`GROUP-ADVANCE-02/listed/${step}`, async () => {
        for (const version of versions) await selectsAll(author, version, all);
      });
      await clause(`GROUP-ADVANCE-02/deleted/${step}`, () => deletesAll(author, versions, step));
      for (const [name, was] of before) {
        for (const version of versions) {
          await clause(`GROUP-ADVANCE-02/shown/${step}`, async () => {
            const shown = await author.get(version, name);
            must(
              'it is there',
              shown,
              match.status(200),
              match.field('apiVersion', apiVersionOf(version, author.dialect)),
            );
            must('it is as it was', common(shown.json, fields), match.equal(was));
          });
          await clause(`GROUP-ADVANCE-02/listed/${step}`, async () => {
            must(
              'it is listed as it was',
              common(itemOf((await author.list(version)).json, name), fields),
              match.equal(was),
            );
          });
          for (const [read, see] of Object.entries(ADVANCED_READS)) {
            await clause(`GROUP-ADVANCE-02/${read as keyof typeof ADVANCED_READS}/${step}`, async () => {
              const apiVersion = apiVersionOf(version, author.dialect);
              const look = async () => {
                const seen = await see(author, version, name);
                return { apiVersion: isRecord(seen) ? seen.apiVersion : undefined, ...common(seen, fields) };
              };
              must('it is seen as it was', await should(look, match.equal({ apiVersion, ...was }), SOON));
            });
          }
        }
        await clause(`GROUP-ADVANCE-02/written/${step}`, async () => {
          const older = { metadata: { name, resourceVersion: made.get(name) ?? '' }, size: 2 };
          must('a PUT of an older version is refused', await author.update(now, older), match.status(409));
          const live = (await author.get(now, name)).json as ApiObject;
          const write = ADVANCED_WRITES[[...before.keys()].indexOf(name) % ADVANCED_WRITES.length];
          const answer = await (write ?? ADVANCED_WRITES[0])(author, now, live);
          must('it is taken', answer, match.status(200), match.field('size', 2));
          const left = managersOf(live).filter((each) => !managersOf(answer.json).includes(each));
          must('whoever wrote it before is told', left, match.empty);
          const { size: _, ...rest } = (was.fields ?? {}) as Readonly<Record<string, unknown>>;
          for (const version of versions) {
            const shown = await author.get(version, name);
            must('each version shows it', shown, match.field('size', 2));
            const { fields: seen, labels } = common(shown.json, fields);
            must(
              'the rest is as it was',
              { seen, labels },
              match.equal({ seen: { ...rest, size: 2 }, labels: was.labels }),
            );
          }
        });
      }
    }
  },
);

/** The names of what a list holds. */
function namesIn({ json }: Exchange): string[] {
  const items = isRecord(json) && Array.isArray(json.items) ? (json.items as ApiObject[]) : [];
  return items.map(({ metadata }) => metadata.name);
}

/** However a version is asked for what has the label of {@link heldMetadata}, it tells of these objects and no others. */
async function selectsAll(by: Actor, version: Kind, all: readonly string[]): Promise<void> {
  const labelSelector = `${PART}=one`;
  for (const query of [
    { labelSelector },
    { labelSelector: `${PART},${PART} in (one,two),touchstone.example/other notin (one)` },
    { labelSelector, resourceVersion: '0' },
    { labelSelector, fieldSelector: 'metadata.name!=none' },
  ])
    must(
      'a selector tells of all',
      await should(async () => namesIn(await by.list(version, query)), match.sameItems(all)),
    );
  for (const name of all) {
    const query = { fieldSelector: `metadata.name=${name}`, labelSelector };
    must('a field tells of it', namesIn(await by.list(version, query)), match.equal([name]));
  }
  const first = await by.prepare(() => by.list(version, { labelSelector, limit: 1 }));
  const rest = await chunksAfter(first, (token) => by.list(version, { labelSelector, limit: 1, continue: token }));
  must('chunks tell of all', [first, ...rest].flatMap(namesIn), match.sameItems(all));
  const stream = await by.watch(version, { labelSelector });
  const fence = `fence-${version.version}`;
  await by.given(version, { metadata: { name: fence, ...labelled('one') }, size: 1 });
  const told = must('a watch goes on', await stream.upTo(match.event('ADDED', fence)));
  const names = told.slice(0, -1).map(({ object }) => object.metadata.name);
  must('it tells of all, once', names, match.sameItems(all));
  await by.prepare(() => by.delete(version, fence));
  stream.close();
}

/** What was written before goes as it did, by its name and by what it is selected by, in another version than wrote it. */
async function deletesAll(by: Actor, versions: readonly Kind[], step: string): Promise<void> {
  const [first, second, third] = versions;
  if (!first || !second || !third) throw new Error('three versions were asked for');
  const labelSelector = `${PART}=gone`;
  must('it is deleted', await by.delete(second, goneName(step, first)), match.success);
  must('it is gone', await by.get(third, goneName(step, first)), gone);
  const held = goneName(step, third);
  must('what finalizers hold is deleted', await by.delete(first, held), match.success);
  const ending = match.field('metadata.deletionTimestamp', match.aTimestamp);
  must('it waits for them', await by.get(second, held), match.status(200), ending);
  must('they let it go', await by.patch(second, held, 'merge', { metadata: { finalizers: null } }), match.success);
  must('then it is gone', await by.get(third, held), gone);
  must('a collection is deleted', await by.deleteAll(first, { labelSelector }), match.success);
  for (const version of versions)
    must('nothing is left', await by.list(version, { labelSelector }), match.status(200), match.names([]));
}

type AlikeRule = (typeof ALIKE_RULES)[number];
interface Pair {
  readonly by: Actor;
  readonly from: Kind;
  readonly to: Kind;
  readonly type: SharedType;
  /** What {@link heldMetadata} gave. */
  readonly all: Readonly<Record<string, unknown>>;
  /** Makes an object in `from` whose name has this word in it. */
  readonly make: (word: string, metadata?: object) => Promise<ApiObject>;
}
const gone = match.status(404);
/** What holds of an object that one version has written and another one writes. */
const RULES: Readonly<Record<AlikeRule, (pair: Pair) => Promise<void>>> = {
  stale: async ({ by, from, to, make }) => {
    const live = await readBy(by, to, await make('stale'));
    await by.prepare(() => by.patch(from, live.metadata.name, 'merge', { metadata: labelled('two') }));
    must('it is refused', await by.update(to, live), match.status(409));
  },
  fresh: async ({ by, from, to, make }) => {
    const made = await make('fresh');
    const look = async () => {
      const live = await readBy(by, to, made);
      return by.update(to, { ...live, metadata: { ...live.metadata, ...labelled('two') } });
    };
    must('it is taken', await should(look, match.status(200), SOON));
    const labels = match.field(['metadata', 'labels', PART], 'two');
    must('it is seen', await by.get(from, made.metadata.name), match.status(200), labels);
  },
  taken: async ({ by, to, type, make }) => {
    const { name } = (await make('taken')).metadata;
    must('the name is taken', await by.create(to, { ...named(name), ...type.draft(to) }), match.nameInUse);
  },
  uid: async ({ by, from, to, make }) => {
    const { name } = (await make('uid')).metadata;
    const other = { preconditions: { uid: 'd1e5c8b4-0000-4000-8000-000000000000' } };
    must('it is another one', await by.delete(to, name, {}, other), match.refusal);
    const live = await readBy(by, to, { metadata: { name } } as ApiObject);
    const stranger = { ...live, metadata: { ...live.metadata, uid: other.preconditions.uid } };
    must('so it is for a PUT', await by.update(to, stranger), match.refusal);
    must('it is there', await by.get(from, name), match.status(200));
  },
  removed: async ({ by, from, to, make }) => {
    const { name, uid } = (await make('removed')).metadata;
    const streams = [from, to].map(async (kind) => ({ kind, stream: await by.watch(kind) }));
    const watches = await Promise.all(streams);
    must('it is deleted', await by.delete(to, name, {}, { preconditions: { uid } }), match.success);
    must('it is gone', await by.get(from, name), gone);
    for (const { kind, stream } of watches) {
      const event = must('each watch tells of it', await stream.until(match.removal(name)));
      must('in its own version', event, match.eventField('apiVersion', apiVersionOf(kind, by.dialect)));
      stream.close();
    }
  },
  collection: async ({ by, from, to, make }) => {
    const many = await make('many', labelled('many'));
    const names = [many, await make('more', labelled('many'))];
    const streams = [await by.watch(from), await by.watch(from, { labelSelector: `${PART}=many` })];
    must('they are deleted', await by.deleteAll(to, { labelSelector: `${PART}=many` }), match.success);
    for (const { metadata } of names) must('each is gone', await by.get(from, metadata.name), gone);
    for (const stream of streams) {
      const told = must('the end of one is told', await stream.until(match.removal(many.metadata.name)));
      must('in its own version', told, match.eventField('apiVersion', apiVersionOf(from, by.dialect)));
      stream.close();
    }
  },
  held: async ({ by, from, to, make }) => {
    const { name } = (await make('held', { finalizers: ['touchstone.example/held'] })).metadata;
    must('its end is asked for', await by.delete(to, name), match.success);
    const seen = await by.get(from, name);
    must('it ends', seen, match.status(200), match.field('metadata.deletionTimestamp', match.aTimestamp));
    must('it is let go', await by.patch(to, name, 'merge', { metadata: { finalizers: null } }), match.success);
    must('it is gone', await should(() => by.get(from, name), gone, SOON));
  },
  cleared: async ({ by, from, to, all, make }) => {
    const made = await make('cleared', all);
    const look = async () => {
      const { metadata, ...live } = await readBy(by, to, made);
      return by.update(to, { ...live, metadata: { name: metadata.name, resourceVersion: metadata.resourceVersion } });
    };
    must('it is taken', await should(look, match.status(200), SOON));
    const { metadata } = objectIn(await by.get(from, made.metadata.name));
    for (const member of ['labels', 'finalizers', 'ownerReferences'])
      must(`no ${member}`, metadata, match.at(member, match.empty));
    must('no annotation of ours', metadata, match.at(['annotations', 'touchstone.example/note'], match.absent));
  },
  'dry-run': async ({ by, from, to, type, make }) => {
    const { name } = (await make('tried')).metadata;
    const asked = { dryRun: 'All' };
    must('a patch is tried', await by.patch(to, name, 'merge', { metadata: labelled('two') }, asked), match.success);
    must('so is a creation', await by.create(to, { ...named(`${name}-2`), ...type.draft(to) }, asked), match.success);
    must('so is a deletion', await by.delete(to, name, asked), match.success);
    must(
      'it is as it was',
      await by.get(from, name),
      match.status(200),
      match.field(['metadata', 'labels', PART], 'one'),
    );
    must('nothing was made', await by.get(from, `${name}-2`), gone);
  },
  manager: async ({ by, from, to, make }) => {
    const { name } = (await make('applied')).metadata;
    const apply = (kind: Kind, fieldManager: string, part: string, force?: true) =>
      by.apply(kind, { metadata: { name, ...labelled(part) } }, { fieldManager, ...(force ? { force } : {}) });
    await by.prepare(() => apply(from, 'first', 'two', true));
    must('the field is of somebody else', await apply(to, 'second', 'three'), match.refusal);
    must('it may be taken', await apply(to, 'second', 'three', true), match.success);
    must('it is seen', await by.get(from, name), match.field(['metadata', 'labels', PART], 'three'));
    // What a manager leaves out in one version that it applied in another goes.
    const note = { 'touchstone.example/note': 'applied' };
    const again = (kind: Kind, annotations: object) =>
      by.apply(kind, { metadata: { name, annotations } }, { fieldManager: 'third' });
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      await by.prepare(() => again(one, note));
      must('it leaves it out', await again(other, {}), match.success);
      for (const kind of [one, other]) {
        const seen = await by.get(kind, name);
        must('it is gone', seen, match.field(['metadata', 'annotations', 'touchstone.example/note'], match.absent));
      }
    }
  },
};

for (const type of SHARED_TYPES) {
  check(
    `GROUP-ALIKE-03.1/${type}`,
    `the author writes in one version one of ${type} that was written in another one → what holds of one object holds`,
    clausesOf('GROUP-ALIKE-03', type),
    type === 'custom' ? ['custom-types'] : [],
    async ({ author }) => {
      const own: SharedType = await TYPES[type](author);
      const all = await heldMetadata(author);
      for (const by of DIRECTIONS) {
        const [from, others] = sides(own, by);
        for (const [rule, holds] of Object.entries(RULES) as [AlikeRule, (typeof RULES)[AlikeRule]][]) {
          await clause(`GROUP-ALIKE-03/${rule}/${type}/${by}`, async () => {
            for (const to of others) {
              const make = (word: string, metadata: object = {}) =>
                author.given(from, {
                  metadata: { name: `${word}-${by}-${to.version}`, ...labelled('one'), ...metadata },
                  ...own.draft(from),
                });
              await holds({ by: author, from, to, type: own, all, make });
            }
          });
        }
      }
    },
  );
}
