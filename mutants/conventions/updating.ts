import { isDeepStrictEqual } from 'node:util';
import { clausesOf, EVERY_TYPE, OTHER_TYPES, PATCHES, SUBJECTS, type Write } from '../../fixtures/ledger/index.ts';
import { isObject, type JsonObject } from '../../reference/api/json.ts';
import type { ApiObject } from '../../reference/api/object.ts';
import { ApiError, conflict, STALE_VERSION } from '../../reference/api/status.ts';
import type { Answer } from '../../reference/contracts/answer.ts';
import type { Call } from '../../reference/contracts/call.ts';
import { delegate } from '../../reference/contracts/store.ts';
import { objectKey } from '../../reference/contracts/storeKeys.ts';
import { onVerbs, rereadable, withBody, withContentType, withQuery, withText } from '../alter.ts';
import type { Mutant } from '../mutant.ts';
import { asVerb } from '../onAuthorizers.ts';
import { bodyOf, keyOf, mending, onType, recommit, rewritten, storedOf, withMetadata } from '../oneType.ts';
import { anyWrite, everyWrite, onWrite, passing, type Serve, withMembers } from '../writes.ts';

interface Written {
  metadata: { uid?: string; resourceVersion?: string; labels?: object; annotations?: object };
  data?: Record<string, unknown>;
}

interface Operation {
  op: string;
  path: string;
  value?: unknown;
  from?: string;
}

const MERGE = 'application/merge-patch+json';

const STRATEGIC = 'application/strategic-merge-patch+json';

const KNOWN_PATCHES = [MERGE, STRATEGIC, 'application/json-patch+json', 'application/apply-patch+yaml'];

const contentType = (call: Call): string =>
  String(call.exchange.request.headers['content-type'] ?? '').split(';')[0] ?? '';

/** A JSON patch with other operations. */
function operating(change: (operations: Operation[]) => Operation[]) {
  return mending<Operation[]>('configmaps', ['patch'], (operations) => {
    if (Array.isArray(operations)) operations.splice(0, operations.length, ...change([...operations]));
  });
}

/** Takes a write at a version that has passed for one at the stored version. */
function overlookingVersion(of: (stored: ApiObject) => boolean) {
  return async (call: Call, serve: Serve, write: Write): Promise<Answer> => {
    const stored = (await storedOf(call))?.object;
    const version = stored?.metadata.resourceVersion;
    if (!stored || version === undefined || !of(stored)) return serve(call);
    return serve(
      withMembers(call, ['metadata'], (metadata) => {
        if (metadata.resourceVersion === undefined) return;
        if (write === 'put') metadata.resourceVersion = version;
        else delete metadata.resourceVersion;
      }),
    );
  };
}

/** Takes a write at a version that has passed for done where it would change nothing. */
async function overlookingVersionOfTheSame(first: Call, serve: Serve, write: Write): Promise<Answer> {
  const call = rereadable(first);
  const stored = await storedOf(call);
  try {
    return await serve(call);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 409 || !stored) throw error;
    const trying = withQuery(call, (query) => query.set('dryRun', 'All'));
    const tried = await overlookingVersion(() => true)(trying, serve, write).catch(() => undefined);
    const object = tried?.kind === 'object' ? tried.object : tried?.kind === 'entry' ? tried.entry.object : undefined;
    if (!object || !isDeepStrictEqual(written(object), written(stored.object))) throw error;
    return { kind: 'entry', code: 200, endpoint: call.endpoint, entry: stored };
  }
}
/** What of an object its writers gave. */
function written({ metadata, ...rest }: ApiObject): object {
  const { resourceVersion: _, managedFields: __, generation: ___, ...own } = metadata;
  return { ...rest, metadata: own };
}

/** Gives a list of objects within an item of a list the directive that replaces it whole. */
function replacingWithinItems(value: unknown, within = false): void {
  if (Array.isArray(value)) {
    for (const item of value) replacingWithinItems(item, true);
    if (within && value.every((item) => isObject(item) && !item.$patch)) value.push({ $patch: 'replace' });
    return;
  }
  if (isObject(value)) for (const member of Object.values(value)) replacingWithinItems(member, within);
}

/** Has what names nothing replace what was there: lists that have a merge key, maps and items. Other empty lists go. */
function emptying(body: JsonObject): void {
  const isBare = Object.keys(body).length === 0 || isDeepStrictEqual(Object.keys(body), ['name']);
  if (isBare) body.$patch = 'replace';
  for (const [name, member] of Object.entries(body)) {
    if (isObject(member)) emptying(member);
    if (!Array.isArray(member)) continue;
    for (const item of member) if (isObject(item)) emptying(item);
    if (member.length > 0) continue;
    if (name === 'webhooks' || name === 'matchConditions') member.push({ $patch: 'replace' });
    else delete body[name];
  }
}

/** Updates and patches that do something else than they are told. */
export const UPDATING: readonly Mutant[] = [
  ...everyWrite(
    'stale-version-overlooked',
    (write) => clausesOf(write === 'put' ? 'UPDATE-VERSION-02' : 'UPDATE-VERSION-05', write),
    ['put', ...PATCHES],
    (write) => `A version that has passed is overlooked in ${write}.`,
    overlookingVersion(() => true),
  ),
  anyWrite(
    'stale-version-overlooked-in-what-is-stored',
    (write) =>
      write === 'put'
        ? clausesOf('UPDATE-VERSION-02', 'same')
        : clausesOf(write === 'apply' ? 'APPLY-BODY-04' : 'UPDATE-VERSION-05', write).filter(
            (clause) => !clause.endsWith('-scale'),
          ),
    ['put', ...PATCHES, 'apply'],
    (write) => `A version that has passed is overlooked in ${write} that changes nothing.`,
    overlookingVersionOfTheSame,
  ),
  anyWrite(
    'stale-version-overlooked-in-deletion',
    'UPDATE-VERSION-06',
    ['put', ...PATCHES],
    (write) => `A version that has passed is overlooked in ${write} of what is being deleted.`,
    overlookingVersion(({ metadata }) => metadata.deletionTimestamp !== undefined),
  ),
  {
    id: 'put-at-the-stored-version-conflicts',
    breaks: clausesOf('UPDATE-VERSION-01'),
    sentence: 'Every PUT is answered 409.',
    defect: () =>
      onVerbs(['update'], (call) => {
        throw conflict(call.endpoint.type, call.exchange.info.name, STALE_VERSION);
      }),
  },
  anyWrite(
    'patches-race',
    (write) =>
      clausesOf('UPDATE-VERSION-05', write).filter((clause) => SUBJECTS.some((type) => clause.endsWith(`/${type}`))),
    PATCHES,
    (write) => `Every third time ${write} of an object is answered 409 though it asks for no version.`,
    racing(),
  ),
  anyWrite(
    'nothing-is-patched',
    'PATCH-TYPE-02',
    PATCHES,
    (write) => `What is not there is answered as changed to ${write}.`,
    (call, serve) => passing(call, serve, ({ code }) => code === 404),
  ),
  {
    id: 'present-version-conflicts',
    breaks: ['UPDATE-VERSION-01'],
    sentence: 'A PUT with the version that is stored is answered 409.',
    defect: () =>
      onType('configmaps', ['update'], async (call, serve) => {
        const body = await bodyOf<Written>(call);
        const version = (await storedOf(call))?.object.metadata.resourceVersion;
        const { name } = call.exchange.info;
        if (version && body?.metadata.resourceVersion === version)
          throw conflict(call.endpoint.type, name, STALE_VERSION);
        return serve(call);
      }),
  },
  {
    id: 'conflict-becomes-last-write-wins',
    breaks: [...clausesOf('UPDATE-VERSION-02', [...OTHER_TYPES, 'yaml', 'status']), 'UPDATE-VERSION-04'],
    sentence: 'A PUT with a stale resourceVersion overwrites what others wrote.',
    defect: () =>
      onVerbs(['update'], (call, serve) =>
        serve(
          withBody(call, (body) => {
            const metadata = body.metadata as Record<string, never> | undefined;
            if (metadata) delete metadata.resourceVersion;
          }),
        ),
      ),
  },
  {
    id: 'unconditional-put-merges',
    breaks: ['UPDATE-VERSION-03'],
    sentence: 'A PUT without resourceVersion adds to the data that is stored.',
    defect: () =>
      onType('configmaps', ['update'], async (call, serve) => {
        const stored = (await storedOf(call))?.object as Written | undefined;
        return serve(
          withBody(call, (body) => {
            const written = body as unknown as Written;
            if (!written.metadata.resourceVersion) written.data = { ...stored?.data, ...written.data };
          }),
        );
      }),
  },
  {
    id: 'stale-patch-passes',
    breaks: ['UPDATE-VERSION-05'],
    sentence: 'A patch takes no notice of the resourceVersion in its body.',
    defect: () =>
      mending<Partial<Written>>('configmaps', ['patch'], ({ metadata }) => {
        if (metadata) delete metadata.resourceVersion;
      }),
  },
  {
    id: 'put-keeps-labels',
    breaks: ['UPDATE-REPLACE-01'],
    sentence: 'A PUT without labels keeps those that are stored.',
    defect: () =>
      onType('configmaps', ['update'], async (call, serve) => {
        const labels = (await storedOf(call))?.object.metadata.labels;
        return serve(
          withBody(call, (body) => {
            const written = body as unknown as Written;
            if (labels) written.metadata.labels ??= labels;
          }),
        );
      }),
  },
  {
    id: 'put-adds-labels',
    breaks: clausesOf('UPDATE-REPLACE-01'),
    sentence: 'A PUT keeps labels and annotations that it leaves out.',
    defect: () =>
      onVerbs(['update'], async (call, serve) => {
        const stored = (await storedOf(call))?.object.metadata;
        return serve(
          withBody(call, (body) => {
            const { metadata } = body as unknown as Written;
            metadata.labels = { ...stored?.labels, ...metadata.labels };
            metadata.annotations = { ...stored?.annotations, ...metadata.annotations };
          }),
        );
      }),
  },
  {
    id: 'stale-put-in-protobuf-passes',
    breaks: clausesOf('UPDATE-VERSION-02', 'protobuf'),
    sentence: 'A PUT in Protobuf with a stale resourceVersion is answered as done.',
    defect: () =>
      onVerbs(['update'], (call, serve) =>
        contentType(call).endsWith('.protobuf') ? passing(call, serve, ({ code }) => code === 409) : serve(call),
      ),
  },
  {
    id: 'absent-targets-pass',
    breaks: [
      ...clausesOf('JSONPATCH-INVALID-05'),
      ...clausesOf('JSONPATCH-OPERATION-02'),
      ...clausesOf('JSONPATCH-INVALID-02'),
    ],
    sentence: 'A JSON patch that fails is answered as done.',
    defect: () => onWrite('json', (call, serve) => passing(call, serve)),
  },
  {
    id: 'copies-move',
    breaks: clausesOf('JSONPATCH-OPERATION-01', EVERY_TYPE),
    sentence: 'A copy in a JSON patch takes away what it copies.',
    defect: () =>
      onWrite('json', (call, serve) => serve(withText(call, (text) => text.replaceAll('"copy"', '"move"')))),
  },
  {
    id: 'items-are-replaced-where-they-are-added',
    breaks: clausesOf('JSONPATCH-OPERATION-01', EVERY_TYPE),
    sentence: 'An add in a JSON patch at the index of a list item takes its place.',
    defect: () =>
      onWrite('json', (call, serve) =>
        serve(withText(call, (text) => text.replaceAll(/"add"(,"path":"[^"]*\/\d+")/g, '"replace"$1'))),
      ),
  },
  {
    id: 'escapes-are-not-read',
    breaks: clausesOf('JSONPATCH-POINTER-01'),
    sentence: '~1 in a pointer of a JSON patch stays as it is.',
    defect: () => onWrite('json', (call, serve) => serve(withText(call, (text) => text.replaceAll('~1', '~01')))),
  },
  {
    id: 'conditional-patch-refused',
    breaks: clausesOf('JSONPATCH-IFMATCH-02'),
    sentence: 'A patch with If-Match is refused.',
    defect: () =>
      onVerbs(['patch'], async (call, serve) => {
        if (call.exchange.request.headers['if-match']) throw new ApiError(400, 'BadRequest', 'If-Match is not known');
        return serve(call);
      }),
  },
  {
    id: 'refused-put-gives-version',
    breaks: ['UPDATE-INVALID-01'],
    sentence: 'A PUT that is refused gives the object a new version all the same.',
    defect: () =>
      onType('configmaps', ['update'], async (call, serve) => {
        try {
          return await serve(call);
        } catch (error) {
          const entry = await storedOf(call);
          if (entry) await recommit(call.services.store, entry, (object) => object);
          throw error;
        }
      }),
  },
  {
    id: 'put-brings-back-the-deleted',
    breaks: ['UPDATE-MISSING-01'],
    sentence: 'A PUT over an object that was deleted brings it back as it was, uid and all.',
    defect: () =>
      onType('configmaps', ['update'], async (call, serve) => {
        const body = await bodyOf<ApiObject>(call);
        if (!body || (await storedOf(call))) return serve(call);
        const { endpoint, exchange, services } = call;
        const key = objectKey(endpoint.type, exchange.info.namespace, exchange.info.name);
        const object = withMetadata(body, { resourceVersion: undefined });
        const result = await services.store.commit({ key, expected: 0, object });
        return result.committed ? { kind: 'entry', code: 201, endpoint, entry: result.entry } : serve(call);
      }),
  },
  {
    id: 'fourth-change-lost',
    breaks: ['WRITE-SEQUENCE-01'],
    sentence: 'The fourth change of an object gives it a new version, and is otherwise lost.',
    defect: () => ({
      store: (store) => {
        const changes = new Map<string, number>();
        return {
          ...delegate(store),
          commit: async (change) => {
            const { key, object, expected } = change;
            if (!object || expected === 0 || !key.includes('/configmaps/')) return store.commit(change);
            const count = (changes.get(key) ?? 0) + 1;
            changes.set(key, count);
            const before = count === 4 ? (await store.get(key))?.object : undefined;
            return store.commit(
              before ? { ...change, object: withMetadata(before, { resourceVersion: undefined }) } : change,
            );
          },
        };
      },
    }),
  },
  {
    id: 'unknown-patch-is-merged',
    breaks: ['PATCH-TYPE-01'],
    sentence: 'A patch of a type that nobody knows is taken for a merge patch.',
    defect: () =>
      onVerbs(['patch'], (call, serve) =>
        serve(KNOWN_PATCHES.includes(contentType(call)) ? call : withContentType(call, MERGE)),
      ),
  },
  {
    id: 'patch-of-nothing-succeeds',
    breaks: ['PATCH-TYPE-02'],
    sentence: 'A patch of what does not exist is answered as done.',
    defect: () =>
      onType('configmaps', ['patch'], async (call, serve) => {
        try {
          return await serve(call);
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 404) throw error;
          const { name, namespace } = call.exchange.info;
          const object: ApiObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } };
          return { kind: 'object', code: 200, endpoint: call.endpoint, object };
        }
      }),
  },
  {
    id: 'status-of-nothing-is-patched',
    breaks: clausesOf('PATCH-TYPE-02', 'status'),
    sentence: 'A patch of the status of what does not exist is answered as done.',
    defect: () =>
      onVerbs(['patch'], (call, serve) =>
        call.exchange.info.subresource === 'status' ? passing(call, serve, ({ code }) => code === 404) : serve(call),
      ),
  },
  {
    id: 'patch-bends-values',
    breaks: ['PATCH-RESULT-01'],
    sentence: 'A merge patch with numbers for texts makes texts of them.',
    defect: () =>
      mending<Partial<Written>>('configmaps', ['patch'], ({ data }) => {
        for (const [key, value] of Object.entries(data ?? {})) if (data && value !== null) data[key] = String(value);
      }),
  },
  {
    id: 'patch-changes-uid',
    breaks: ['PATCH-RESULT-02'],
    sentence: 'A merge patch can give an object another uid.',
    defect: () =>
      onType('configmaps', ['patch'], async (call, serve) => {
        const uid = (await bodyOf<Partial<Written>>(call))?.metadata?.uid;
        if (!uid) return serve(call);
        const answer = await serve(withBody(call, (body) => delete (body as unknown as Written).metadata.uid));
        return rewritten(call, answer, (object) => withMetadata(object, { uid }));
      }),
  },
  {
    id: 'idle-patch-gives-version',
    breaks: ['PATCH-RESULT-03'],
    sentence: 'A patch that changes nothing gives the object a new version.',
    defect: () => onType('configmaps', ['patch'], async (call, serve) => rewritten(call, await serve(call))),
  },
  {
    id: 'json-patch-backwards',
    breaks: ['JSONPATCH-OPERATION-01'],
    sentence: 'The operations of a JSON patch are applied from the last to the first.',
    defect: () => operating((operations) => operations.reverse()),
  },
  {
    id: 'unknown-members-of-operations-are-refused',
    breaks: ['JSONPATCH-OPERATION-01/members'],
    sentence: 'A JSON patch is refused where an operation has a member that no operation has.',
    defect: () =>
      onWrite('json', (call, serve) =>
        serve(
          withText(call, (text) => {
            const known = ['op', 'path', 'from', 'value'];
            const members = (JSON.parse(text) as readonly object[]).flatMap((operation) => Object.keys(operation));
            if (members.every((member) => known.includes(member))) return text;
            throw new ApiError(400, 'BadRequest', 'an operation has an unknown member');
          }),
        ),
      ),
  },
  {
    id: 'needless-members-of-operations-are-refused',
    breaks: ['JSONPATCH-OPERATION-01/members'],
    sentence:
      'A JSON patch is refused where an operation other than a copy or move says from what, or a remove has a value.',
    defect: () =>
      onWrite('json', (call, serve) =>
        serve(
          withText(call, (text) => {
            const isNeedless = ({ op, ...members }: Operation) =>
              'from' in members !== ['copy', 'move'].includes(op) || ('value' in members && op === 'remove');
            if (!(JSON.parse(text) as readonly Operation[]).some(isNeedless)) return text;
            throw new ApiError(400, 'BadRequest', 'an operation has a member that it does not need');
          }),
        ),
      ),
  },
  {
    id: 'json-patch-copies-are-one',
    breaks: clausesOf('JSONPATCH-OPERATION-01', EVERY_TYPE),
    sentence: 'What a JSON patch changes in a copy changes in what it was taken of too.',
    defect: () =>
      everyOperation((operations) => {
        const copies: Operation[] = [];
        return operations.flatMap((each) => {
          const sources = copies.filter(({ path }) => each.path.startsWith(`${path}/`) && each.op !== 'remove');
          if (each.op === 'copy') copies.push(each);
          return [
            each,
            ...sources.map(({ from, path }) => ({
              ...each,
              op: 'add',
              path: `${from}${each.path.slice(path.length)}`,
            })),
          ];
        });
      }),
  },
  {
    id: 'dash-is-the-last',
    breaks: clausesOf('JSONPATCH-INVALID-05'),
    sentence: 'A remove in a JSON patch takes the first item where its pointer ends with a dash.',
    defect: () =>
      everyOperation((operations) =>
        operations.map((each) => (each.op === 'remove' ? { ...each, path: each.path.replace(/\/-$/, '/0') } : each)),
      ),
  },
  {
    id: 'indices-have-one-digit',
    breaks: ['JSONPATCH-POINTER-01'],
    sentence: 'Of the number of an item in a pointer of a JSON patch the first digit counts.',
    defect: () =>
      everyOperation((operations) =>
        operations.map((each) => ({ ...each, path: each.path.replace(/\/(\d)\d+$/, '/$1') })),
      ),
  },
  {
    id: 'json-patch-in-parts',
    breaks: ['JSONPATCH-OPERATION-02'],
    sentence: 'Where the last operation of a JSON patch fails, those before it are kept.',
    defect: () =>
      onType('configmaps', ['patch'], async (call, serve) => {
        try {
          return await serve(call);
        } catch (error) {
          const operations = await bodyOf<Operation[]>(call);
          if (!Array.isArray(operations) || operations.length < 2) throw error;
          await serve(withBody(call, (body) => (body as unknown as Operation[]).pop()));
          throw error;
        }
      }),
  },
  {
    id: 'json-patch-tests-nothing',
    breaks: ['JSONPATCH-TEST-01'],
    sentence: 'The tests in a JSON patch are passed over.',
    defect: () => operating((operations) => operations.filter(({ op }) => op !== 'test')),
  },
  {
    id: 'json-patch-tests-nothing-of-any-type',
    breaks: clausesOf('JSONPATCH-TEST-01'),
    sentence: 'The tests in a JSON patch are passed over, whatever the type.',
    defect: () =>
      onWrite('json', (call, serve) =>
        serve(
          withBody(call, (body) => {
            const operations = body as unknown as Operation[];
            operations.splice(0, operations.length, ...operations.filter(({ op }) => op !== 'test'));
          }),
        ),
      ),
  },
  {
    id: 'pointers-not-unescaped',
    breaks: ['JSONPATCH-POINTER-01'],
    sentence: 'The ~1 in a pointer stays ~1.',
    defect: () =>
      operating((operations) => operations.map((each) => ({ ...each, path: each.path.replaceAll('~1', '~01') }))),
  },
  {
    id: 'unknown-operations-pass',
    breaks: ['JSONPATCH-INVALID-01'],
    sentence: 'Operations of a JSON patch that nobody knows are passed over.',
    defect: () =>
      operating((operations) =>
        operations.filter(({ op }) => ['add', 'remove', 'replace', 'move', 'copy', 'test'].includes(op)),
      ),
  },
  {
    id: 'null-patches-change-nothing',
    breaks: ['JSONPATCH-INVALID-03', 'MERGEPATCH-INVALID-02'],
    sentence: 'null is taken for a patch that changes nothing.',
    defect: () =>
      onType('configmaps', ['patch'], (call, serve) =>
        serve(withText(call, (text) => (text === 'null' ? (contentType(call) === MERGE ? '{}' : '[]') : text))),
      ),
  },
  {
    id: 'absent-members-are-null',
    breaks: ['JSONPATCH-INVALID-04'],
    sentence: 'A test in a JSON patch for null passes.',
    defect: () => operating((operations) => operations.filter(({ op, value }) => op !== 'test' || value !== null)),
  },
  {
    id: 'replace-adds',
    breaks: ['JSONPATCH-INVALID-02'],
    sentence: 'A replace in a JSON patch adds what is absent.',
    defect: () =>
      operating((operations) => operations.map((each) => (each.op === 'replace' ? { ...each, op: 'add' } : each))),
  },
  {
    id: 'null-removes-nothing',
    breaks: ['MERGEPATCH-RULE-01'],
    sentence: 'A null in a merge patch leaves its member as it is.',
    defect: () =>
      mending<Partial<Written>>('configmaps', ['patch'], ({ data }) => {
        for (const [key, value] of Object.entries(data ?? {})) if (data && value === null) delete data[key];
      }),
  },
  {
    id: 'null-removes-nothing-of-any-type',
    breaks: clausesOf('MERGEPATCH-RULE-01'),
    sentence: 'A null in a merge patch leaves its member as it is, whatever the type.',
    defect: () => onWrite('merge', (call, serve) => serve(withBody(call, withoutNulls))),
  },
  {
    id: 'empty-maps-of-patches-replace',
    breaks: clausesOf('MERGEPATCH-RULE-01', 'empty'),
    sentence: 'A merge patch with an empty map of annotations removes them.',
    defect: () =>
      onWrite('merge', (call, serve) =>
        serve(
          withMembers(call, ['metadata'], (metadata) => {
            if (JSON.stringify(metadata.annotations) === '{}') metadata.annotations = null;
          }),
        ),
      ),
  },
  {
    id: 'maps-are-not-removed-whole',
    breaks: clausesOf('MERGEPATCH-RULE-01', 'whole'),
    sentence: 'A merge patch with annotations of null leaves them.',
    defect: () =>
      onWrite('merge', (call, serve) =>
        serve(
          withMembers(call, ['metadata'], (metadata) => {
            if (metadata.annotations === null) delete metadata.annotations;
          }),
        ),
      ),
  },
  {
    id: 'stale-put-passes-when-it-comes-again',
    breaks: clausesOf('UPDATE-VERSION-02', 'again'),
    sentence: 'Who was told once that a PUT came too late is no longer told so of the same object.',
    defect: () => {
      const told = new Set<string>();
      return onVerbs(['update'], (call, serve) => {
        const { path } = call.exchange.request;
        const stale = (error: ApiError) => error.code === 409 && (told.has(path) || !told.add(path));
        return passing(call, serve, stale);
      });
    },
  },
  {
    id: 'any-json-is-a-merge-patch',
    breaks: ['MERGEPATCH-INVALID-01'],
    sentence: 'A merge patch that is no object is taken for an empty one.',
    defect: () =>
      onType('configmaps', ['patch'], async (call, serve) => {
        if (contentType(call) !== MERGE || !Array.isArray(await bodyOf(call))) return serve(call);
        const entry = await storedOf(call);
        return entry ? { kind: 'entry', code: 200, endpoint: call.endpoint, entry } : serve(call);
      }),
  },
  {
    id: 'strategic-replaces-lists',
    breaks: ['STRATEGIC-MERGE-01', 'VWC-OBJECT-02'],
    sentence: 'A strategic merge patch replaces lists that have a merge key.',
    defect: () =>
      onType('validatingwebhookconfigurations', ['patch'], (call, serve) =>
        serve(contentType(call) === STRATEGIC ? withContentType(call, MERGE) : call),
      ),
  },
  {
    id: 'strategic-empties-what-it-names-nothing-of',
    breaks: [...clausesOf('STRATEGIC-MERGE-01'), 'VWC-OBJECT-02'],
    sentence:
      'An empty list, map or item of a strategic merge patch takes the place of what was there, and an empty list of rules or subjects takes none.',
    defect: () => onWrite('strategic', (call, serve) => serve(withBody(call, emptying))),
  },
  {
    id: 'strategic-replaces-lists-within-items',
    breaks: ['STRATEGIC-MERGE-01'],
    sentence: 'A strategic merge patch replaces lists that have a merge key within items of such lists.',
    defect: () =>
      onType('deployments', ['patch'], (call, serve) =>
        serve(contentType(call) === STRATEGIC ? withBody(call, (body) => replacingWithinItems(body)) : call),
      ),
  },
  {
    id: 'strategic-deletes-nothing',
    breaks: ['STRATEGIC-MERGE-02'],
    sentence: 'A strategic merge patch passes over directives that delete.',
    defect: () =>
      mending<{ webhooks?: { $patch?: string }[] }>('validatingwebhookconfigurations', ['patch'], (body) => {
        if (body.webhooks) body.webhooks = body.webhooks.filter(({ $patch }) => $patch !== 'delete');
      }),
  },
  {
    id: 'strategic-knows-deletion-alone',
    breaks: clausesOf('STRATEGIC-MERGE-03'),
    sentence: 'A strategic merge patch passes over every directive but those that delete an item.',
    defect: () =>
      onWrite('strategic', (call, serve) =>
        serve(
          withBody(call, (body) => {
            withoutDirectives(body);
          }),
        ),
      ),
  },
  {
    id: 'custom-objects-merge-strategically',
    breaks: clausesOf('STRATEGIC-CUSTOM-01'),
    sentence: 'A strategic merge patch of a custom object is taken for a merge patch.',
    defect: () =>
      onVerbs(['patch'], (call, serve) =>
        serve(
          /\bexample\b/.test(call.endpoint.type.group) && contentType(call) === STRATEGIC
            ? withContentType(call, MERGE)
            : call,
        ),
      ),
  },
  {
    id: 'patching-is-updating',
    breaks: ['PATCH-TYPE-03', ...clausesOf('PATCH-TYPE-03')],
    sentence: 'A patch is authorized as an update.',
    defect: () => asVerb('patch', 'update'),
  },
];

/** Refuses every third patch of one kind of an object. */
function racing(): (call: Call, serve: Serve, write: Write) => Promise<Answer> {
  const servers = new WeakMap<object, Map<string, number>>();
  return async (call, serve, write) => {
    const { store } = call.services;
    const times = servers.get(store) ?? new Map<string, number>();
    servers.set(store, times);
    const key = `${write} ${keyOf(call)}`;
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    if (before % 3 === 2) throw conflict(call.endpoint.type, call.exchange.info.name, STALE_VERSION);
    return serve(call);
  };
}

/** Applies other operations than a JSON patch holds, whatever the type. */
function everyOperation(change: (operations: readonly Operation[]) => Operation[]) {
  return onWrite('json', (call, serve) =>
    serve(
      withBody(call, (body) => {
        const operations = body as unknown as Operation[];
        if (Array.isArray(operations)) operations.splice(0, operations.length, ...change([...operations]));
      }),
    ),
  );
}

/** Takes out directives, but for those of items that are to be deleted. */
function withoutDirectives(members: JsonObject): void {
  for (const [name, value] of Object.entries(members)) {
    if (name.startsWith('$')) delete members[name];
    else if (isObject(value)) withoutDirectives(value);
    else if (Array.isArray(value)) members[name] = value.filter((item) => !isObject(item) || item.$patch !== 'replace');
  }
}

function withoutNulls(members: JsonObject): void {
  for (const [name, value] of Object.entries(members)) {
    if (value === null) delete members[name];
    else if (isObject(value)) withoutNulls(value);
  }
}
