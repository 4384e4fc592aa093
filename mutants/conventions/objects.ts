import { isDeepStrictEqual } from 'node:util';
import {
  CHANGES,
  clausesOf,
  EVERY_TYPE,
  NAMESPACED_TYPES,
  OBJECT_WRITES,
  OTHER_TYPES,
} from '../../fixtures/ledger/index.ts';
import { isObject, type Json } from '../../reference/api/json.ts';
import { ApiError, alreadyExists } from '../../reference/api/status.ts';
import type { Answer } from '../../reference/contracts/answer.ts';
import type { Call } from '../../reference/contracts/call.ts';
import type { Entry } from '../../reference/contracts/entry.ts';
import { delegate } from '../../reference/contracts/store.ts';
import { collectionPrefix, objectKey } from '../../reference/contracts/storeKeys.ts';
import type { Seams } from '../../reference/seams.ts';
import { onCommit, onReplies, onVerbs, withBody, withQuery } from '../alter.ts';
import { onFrames, onJson } from '../asking.ts';
import type { Mutant } from '../mutant.ts';
import {
  bodyOf,
  keyOf,
  mending,
  onChange,
  onType,
  recommit,
  rewritten,
  showing,
  storedOf,
  timeOfTheFirst,
  withMetadata,
} from '../oneType.ts';
import { onUpdate, reowned } from '../onOwnership.ts';
import { answering, anyWrite, metadataIn, onWrite, passing, type Serve, withMembers } from '../writes.ts';

interface Named {
  kind?: string;
  apiVersion?: string;
  metadata: { name?: string; generateName?: string; namespace?: string; deletionTimestamp?: unknown };
}

const ONE_UID = '00000000-0000-4000-8000-000000000000';

function rememberingUids(): Seams {
  return {
    store: (store) => {
      const uids = new Map<string, string>();
      return {
        ...delegate(store),
        commit: (change) => {
          const { key, object } = change;
          if (!object?.metadata.uid) return store.commit(change);
          const uid = uids.get(key) ?? object.metadata.uid;
          uids.set(key, uid);
          return store.commit({ ...change, object: withMetadata(object, { uid }) });
        },
      };
    },
  };
}

function renamed(body: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(body).toString('utf8').replaceAll('"fieldsType":"FieldsV1"', '"fieldsType":"Fields"'));
}

/** Names and metadata that are not what they should be. */
export const OBJECTS: readonly Mutant[] = [
  anyWrite(
    'uid-of-body-shown',
    'META-UID-01',
    OBJECT_WRITES,
    (write) => `The uid in the body of ${write} is answered as that of the object.`,
    showingOwn('uid'),
  ),
  anyWrite(
    'creation-time-of-body-shown',
    'META-CREATED-01',
    OBJECT_WRITES,
    (write) => `The creationTimestamp in the body of ${write} is answered as that of the object.`,
    showingOwn('creationTimestamp'),
  ),
  anyWrite(
    'deletion-time-of-body-shown',
    'META-DELETION-01',
    OBJECT_WRITES,
    (write) => `The deletionTimestamp in the body of ${write} is answered as that of the object.`,
    showingOwn('deletionTimestamp'),
  ),
  anyWrite(
    'deleting-is-what-a-write-says',
    (write) => clausesOf('META-DELETION-01', 'deleting', write),
    CHANGES,
    (write) => `After ${write} that says nothing of its deletion an object that was deleted is live.`,
    async (call, serve) => {
      const said = await metadataIn(call, 'deletionTimestamp');
      const answer = await serve(call);
      if (answer.kind !== 'entry' || !answer.entry.object.metadata.deletionTimestamp || said) return answer;
      return rewritten(call, answer, (object) =>
        withMetadata(object, { deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined }),
      );
    },
  ),
  anyWrite(
    'version-not-answered',
    'META-VERSION-01',
    OBJECT_WRITES,
    (write) => `The object that ${write} is answered with has no version.`,
    async (call, serve) =>
      answering(await serve(call), (object) => {
        const { resourceVersion: _, ...metadata } = object.metadata;
        return { ...object, metadata };
      }),
  ),
  anyWrite(
    'finalizers-not-taken',
    'META-FINALIZERS-01',
    OBJECT_WRITES,
    (write) => `Finalizers in ${write} are overlooked.`,
    (call, serve) =>
      serve(
        withMembers(call, ['metadata'], (metadata) => {
          if (Array.isArray(metadata.finalizers) && metadata.finalizers.length > 0) delete metadata.finalizers;
        }),
      ),
  ),
  anyWrite(
    'type-of-body-overlooked',
    'META-TYPE-02',
    ['post', 'put', 'apply'],
    (write) => `Kind and apiVersion in the body of ${write} are overlooked.`,
    (call, serve) =>
      serve(
        withMembers(call, [], (members) => {
          const { type, version } = call.endpoint;
          const apiVersion = type.group === '' ? version.version : `${type.group}/${version.version}`;
          Object.assign(members, { kind: type.kind, apiVersion });
        }),
      ),
  ),
  anyWrite(
    'name-of-body-overlooked',
    'NAME-PATH-01',
    CHANGES,
    (write) => `Another name in the body of ${write} is overlooked.`,
    (call, serve) =>
      serve(
        withMembers(call, ['metadata'], (metadata) => {
          if (metadata.name !== undefined) metadata.name = call.exchange.info.name;
        }),
      ),
  ),
  {
    id: 'name-in-use-answers-as-created',
    breaks: clausesOf('NAME-UNIQUE-01'),
    sentence: 'A create under a name in use is answered as done.',
    defect: () => onVerbs(['create'], (call, serve) => passing(call, serve, ({ code }) => code === 409)),
  },
  anyWrite(
    'names-never-given-again',
    'NAME-REUSE-01',
    ['post', 'apply'],
    (write) => `A name that was in use once is refused in ${write}.`,
    onceOnly(),
  ),
  {
    id: 'create-answers-what-is-there',
    breaks: ['NAME-UNIQUE-01', 'NAME-UNIQUE-03'],
    sentence: 'A create of a name in use is answered 201, with the object that is there.',
    defect: () =>
      onVerbs(['create'], async (call, serve) => {
        try {
          return await serve(call);
        } catch (error) {
          const name = (await bodyOf<Named>(call))?.metadata.name;
          const entry = name === undefined ? undefined : await storedOf(call, name);
          if (!entry || !(error instanceof ApiError) || error.code !== 409) throw error;
          return { kind: 'entry', code: 201, endpoint: call.endpoint, entry };
        }
      }),
  },
  {
    id: 'names-unique-over-namespaces',
    breaks: ['NAME-UNIQUE-02', 'NAME-UNIQUE-02/beside/configmaps'],
    sentence: 'A name that is used in one namespace is taken in all.',
    defect: () =>
      onType('configmaps', ['create'], async (call, serve) => {
        const name = (await bodyOf<Named>(call))?.metadata.name;
        const { type } = call.endpoint;
        const { store } = call.services;
        const { entries } = await store.range({ prefix: collectionPrefix(type) });
        for (const { key, object } of entries) {
          if (!name || !key.endsWith(`/${name}`)) continue;
          // Namespaces that are on their way out would make checks that come later meet those that came before.
          const home = { group: '', resource: 'namespaces' };
          const namespace = await store.get(objectKey(home, '', object.metadata.namespace ?? ''));
          if (!namespace?.object.metadata.deletionTimestamp) throw alreadyExists(type, name);
        }
        return serve(call);
      }),
  },
  {
    id: 'names-unique-over-groups',
    breaks: clausesOf('NAME-UNIQUE-02', 'same-plural'),
    sentence: 'Types of different groups that have one plural share their names.',
    defect: () =>
      onVerbs(['create'], async (call, serve) => {
        const { type } = call.endpoint;
        const name = (await bodyOf<Named>(call))?.metadata.name;
        const within = type.namespaced ? `${call.exchange.info.namespace}/` : '';
        const { entries } = await call.services.store.range({ prefix: '' });
        const taken = entries.some(
          ({ key }) => key.endsWith(`/${type.resource}/${within}${name}`) && key !== keyOf(call, name),
        );
        if (name && taken) throw alreadyExists(type, name);
        return serve(call);
      }),
  },
  {
    id: 'names-unique-over-kinds',
    breaks: clausesOf('NAME-UNIQUE-02', [...OTHER_TYPES, 'custom']).filter((name) => !name.includes('same-plural')),
    sentence: 'A name that a config map of the namespace has, or a cluster role, is taken for all kinds of that scope.',
    defect: () =>
      onVerbs(['create'], async (call, serve) => {
        const { type } = call.endpoint;
        const name = (await bodyOf<Named>(call))?.metadata.name;
        const other = type.namespaced
          ? { group: '', resource: 'configmaps' }
          : { group: type.group === '' ? '' : type.group, resource: 'clusterroles' };
        if (!name || type.resource === other.resource) return serve(call);
        const prefix = type.namespaced ? collectionPrefix(other) : '';
        const { entries } = await call.services.store.range({ prefix });
        const taken = entries.some(
          ({ key, object }) =>
            key.includes(`/${other.resource}/`) &&
            key.endsWith(`/${name}`) &&
            (!type.namespaced || object.metadata.namespace === call.exchange.info.namespace),
        );
        if (taken) throw alreadyExists(type, name);
        return serve(call);
      }),
  },
  {
    id: 'new-object-takes-old-uid',
    breaks: clausesOf('NAME-REUSE-01'),
    sentence: 'An object that takes the name of a deleted one takes its uid too.',
    defect: () => rememberingUids(),
  },
  {
    id: 'namespace-not-shown',
    breaks: ['NAME-SCOPE-01'],
    sentence: 'The answer to a create does not say in which namespace the object is.',
    defect: () => showing('configmaps', ['create'], (object) => withMetadata(object, { namespace: undefined })),
  },
  {
    id: 'namespace-of-body-ignored',
    breaks: ['NAME-SCOPE-02'],
    sentence: 'An object is created in the namespace of the path, whatever its body says.',
    defect: () =>
      mending<Named>('configmaps', ['create'], ({ metadata }, call) => {
        metadata.namespace = call.exchange.info.namespace;
      }),
  },
  {
    id: 'any-namespace-takes-objects',
    breaks: ['NAME-SCOPE-03'],
    sentence: 'Objects are created in namespaces that do not exist, or are being deleted.',
    defect: () => ({
      admission: (admission) => ({
        ...admission,
        mutate: (attributes) => {
          if (attributes.endpoint.type.resource !== 'configmaps') return admission.mutate(attributes);
        },
        validate: (attributes) => {
          if (attributes.endpoint.type.resource !== 'configmaps') return admission.validate(attributes);
        },
      }),
    }),
  },
  {
    id: 'name-of-body-ignored',
    breaks: ['NAME-PATH-01'],
    sentence: 'A PUT under one name with another in its body is taken.',
    defect: () =>
      mending<Named>('configmaps', ['update'], ({ metadata }, call) => {
        metadata.name = call.exchange.info.name;
      }),
  },
  {
    id: 'nameless-objects-get-a-name',
    breaks: ['NAME-VALID-01'],
    sentence: 'A create without any name is given one.',
    defect: () =>
      mending<Named>('configmaps', ['create'], ({ metadata }) => {
        if (!metadata.name && !metadata.generateName) metadata.name = 'nameless';
      }),
  },
  {
    id: 'applied-creation-time-shown',
    breaks: clausesOf('META-CREATED-01', 'creating'),
    sentence: 'An apply that creates answers the creationTimestamp of its body.',
    defect: () => onWrite('apply', showingOwn('creationTimestamp')),
  },
  {
    id: 'creation-time-of-yaml-shown',
    breaks: clausesOf('META-CREATED-01', 'yaml'),
    sentence: 'A POST, in YAML too, answers the creationTimestamp of its body.',
    defect: () => onWrite('post', showingOwn('creationTimestamp')),
  },
  {
    id: 'uid-of-yaml-shown',
    breaks: clausesOf('META-UID-01', 'yaml'),
    sentence: 'A POST, in YAML too, answers the uid of its body.',
    defect: () => onWrite('post', showingOwn('uid')),
  },
  ...(['uid', 'creationTimestamp'] as const).map(
    (member): Mutant => ({
      id: `put-without-${member.toLowerCase()}-shows-none`,
      breaks: clausesOf(member === 'uid' ? 'META-UID-01' : 'META-CREATED-01', 'bare'),
      sentence: `A PUT without ${member} is answered without it.`,
      defect: () =>
        onWrite('put', async (call, serve) => {
          const given = await metadataIn(call, member);
          const answer = await serve(call);
          return given ? answer : answering(answer, (object) => withMetadata(object, { [member]: undefined }));
        }),
    }),
  ),
  {
    id: 'creation-time-stays-with-the-name',
    breaks: clausesOf('META-CREATED-01', 'again'),
    sentence: 'An object has the creationTimestamp of the first one of its name.',
    defect: () => timeOfTheFirst('creationTimestamp'),
  },
  {
    id: 'items-have-the-version-of-their-list',
    breaks: clausesOf('META-VERSION-01', 'listed'),
    sentence: 'Each item of a list is shown with the version of the list.',
    defect: () =>
      onJson(({ metadata, items }) => {
        if (!Array.isArray(items) || !isObject(metadata)) return;
        for (const item of items)
          if (isObject(item) && isObject(item.metadata)) item.metadata.resourceVersion = metadata.resourceVersion ?? '';
      }),
  },
  {
    id: 'creation-time-of-later-writes-shown',
    breaks: clausesOf('META-CREATED-01', 'later'),
    sentence: 'A PUT answers the creationTimestamp of its body.',
    defect: () => onWrite('put', showingOwn('creationTimestamp')),
  },
  {
    id: 'uid-of-later-writes-shown',
    breaks: clausesOf('META-UID-01', 'later'),
    sentence: 'A PUT answers the uid of its body.',
    defect: () => onWrite('put', showingOwn('uid')),
  },
  {
    id: 'namespace-takes-all-with-it',
    breaks: ['NAME-NAMESPACE-01', ...NAMESPACED_TYPES.map((type) => `NAME-NAMESPACE-01/${type}` as const)],
    sentence: 'With a namespace the objects of all others go too.',
    defect: () =>
      onType('namespaces', ['delete'], async (call, serve) => {
        const { store } = call.services;
        const answer = await serve(call);
        const { entries } = await store.range({ prefix: '' });
        for (const { key, object, modRevision } of entries)
          if (object.metadata.namespace) await store.commit({ key, expected: modRevision, object: null });
        return answer;
      }),
  },
  {
    id: 'namespaces-hide-what-they-held',
    breaks: clausesOf('NAME-NAMESPACE-01', 'again'),
    sentence: 'A namespace that is made again has the objects of the one that was deleted under its name.',
    defect: () => {
      const hidden = new Map<string, Entry[]>();
      return onType('namespaces', ['create', 'delete'], async (call, serve) => {
        const { store } = call.services;
        if (call.exchange.request.method === 'DELETE') {
          const { entries } = await store.range({ prefix: '' });
          const { name } = call.exchange.info;
          hidden.set(
            name,
            entries.filter(({ object }) => object.metadata.namespace === name),
          );
          return serve(call);
        }
        const answer = await serve(call);
        const name = (await bodyOf<Named>(call))?.metadata.name ?? '';
        for (const { key, object } of hidden.get(name) ?? []) {
          const { resourceVersion: _, finalizers: __, ...metadata } = object.metadata;
          await store.commit({ key, expected: 0, object: { ...object, metadata } });
        }
        return answer;
      });
    },
  },
  {
    id: 'generated-names-repeat',
    breaks: clausesOf('META-GENERATE-01'),
    sentence: 'Every name made from the same generateName is the same.',
    defect: () =>
      onVerbs(['create'], (call, serve) =>
        serve(
          withBody(call, (body) => {
            const metadata = body.metadata as { name?: string; generateName?: string } | undefined;
            if (metadata?.generateName && !metadata.name) metadata.name = `${metadata.generateName}xxxxx`;
          }),
        ),
      ),
  },
  {
    id: 'generated-names-count',
    breaks: clausesOf('META-GENERATE-03'),
    sentence: 'Names that are made of a generateName have numbers that count behind it.',
    defect: () => {
      let count = 0;
      return onVerbs(['create'], (call, serve) =>
        serve(
          withBody(call, (body) => {
            const metadata = body.metadata as { name?: string; generateName?: string } | undefined;
            if (metadata?.generateName && !metadata.name) metadata.name = `${metadata.generateName}${++count}`;
          }),
        ),
      );
    },
  },
  {
    id: 'generated-name-wins',
    breaks: ['META-GENERATE-02'],
    sentence: 'Where a body has both, a name is made from generateName.',
    defect: () =>
      mending<Named>('configmaps', ['create'], ({ metadata }) => {
        if (metadata.generateName) delete metadata.name;
      }),
  },
  {
    id: 'names-are-made-beside-names',
    breaks: clausesOf('META-GENERATE-02'),
    sentence: 'Where a body of any type has both, a name is made from generateName.',
    defect: () =>
      onVerbs(['create'], (call, serve) =>
        serve(
          withMembers(call, ['metadata'], (metadata) => {
            if (metadata.generateName) delete metadata.name;
          }),
        ),
      ),
  },
  {
    id: 'selectors-cannot-exclude',
    breaks: [...clausesOf('META-LABELS-01', ['unequal', 'notin', 'absent'])],
    sentence: 'A label selector that excludes a value finds nothing.',
    defect: () =>
      onVerbs(['list'], (call, serve) =>
        serve(
          withQuery(call, (query) => {
            if (/notin|!/.test(query.get('labelSelector') ?? '')) query.set('labelSelector', 'nobody=nowhere');
          }),
        ),
      ),
  },
  {
    id: 'empty-labels-are-none',
    breaks: clausesOf('META-LABELS-01', 'empty'),
    sentence: 'A label with an empty value is not stored.',
    defect: () =>
      onCommit((change) => {
        const given = change.object?.metadata.labels;
        if (!change.object || !given) return change;
        const labels = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
        return { ...change, object: withMetadata(change.object, { labels }) };
      }),
  },
  {
    id: 'selectors-look-at-one-label',
    breaks: clausesOf('META-LABELS-01'),
    sentence: 'Of a label selector only the first requirement is looked at.',
    defect: () =>
      onVerbs(['list'], (call, serve) =>
        serve(
          withQuery(call, (query) => {
            const [first] = (query.get('labelSelector') ?? '').split(',');
            if (first) query.set('labelSelector', first);
          }),
        ),
      ),
  },
  {
    id: 'annotations-are-trimmed',
    breaks: clausesOf('META-ANNOTATIONS-01'),
    sentence: 'Annotations lose the blanks at their ends.',
    defect: () =>
      onCommit((change) => {
        const annotations = change.object?.metadata.annotations;
        if (!change.object || !annotations) return change;
        const trimmed = Object.fromEntries(Object.entries(annotations).map(([key, value]) => [key, value.trim()]));
        return { ...change, object: withMetadata(change.object, { annotations: trimmed }) };
      }),
  },
  {
    id: 'uids-repeat',
    breaks: ['META-UID-01'],
    sentence: 'Every object has the same uid.',
    defect: () =>
      onCommit((change) =>
        change.object ? { ...change, object: withMetadata(change.object, { uid: ONE_UID }) } : change,
      ),
  },
  {
    id: 'creation-time-moves',
    breaks: ['META-CREATED-01'],
    sentence: 'Every write sets creationTimestamp again, a day ahead.',
    defect: () =>
      onCommit((change) =>
        change.object && change.expected > 0
          ? { ...change, object: withMetadata(change.object, { creationTimestamp: '2099-01-01T00:00:00Z' }) }
          : change,
      ),
  },
  {
    id: 'put-answers-old-version',
    breaks: ['META-VERSION-01'],
    sentence: 'A PUT answers the object with the version that it had before.',
    defect: () =>
      onType('configmaps', ['update'], async (call, serve) => {
        const before = await storedOf(call);
        const answer = await serve(call);
        if (answer.kind !== 'entry' || !before) return answer;
        const { resourceVersion } = before.object.metadata;
        return { ...answer, kind: 'object', object: withMetadata(answer.entry.object, { resourceVersion }) };
      }),
  },
  {
    id: 'idle-put-gives-version',
    breaks: ['META-VERSION-02'],
    sentence: 'A PUT that changes nothing gives the object a new version.',
    defect: () => onType('configmaps', ['update'], async (call, serve) => rewritten(call, await serve(call))),
  },
  {
    id: 'finalizers-are-sorted',
    breaks: ['META-FINALIZERS-01'],
    sentence: 'Finalizers are kept in alphabetical order, whatever order they are written in.',
    defect: () =>
      onChange('configmaps', (_, after) => {
        const finalizers = after?.metadata.finalizers;
        return after && finalizers ? withMetadata(after, { finalizers: [...finalizers].sort() }) : after;
      }),
  },
  {
    id: 'read-object-without-kind',
    breaks: ['META-TYPE-01'],
    sentence: 'GET answers an object whose kind is Object.',
    defect: () => showing('configmaps', ['get'], (object) => ({ ...object, kind: 'Object' })),
  },
  {
    id: 'kind-of-body-ignored',
    breaks: ['META-TYPE-02'],
    sentence: 'A body of any kind is taken for what the path stands for.',
    defect: () =>
      mending<Named>('configmaps', ['create', 'update'], (body, { endpoint }) => {
        body.kind = endpoint.type.kind;
      }),
  },
  {
    id: 'deleting-object-revived',
    breaks: ['META-DELETION-01'],
    sentence: 'A patch that takes deletionTimestamp away makes a deleting object live again.',
    defect: () =>
      onType('configmaps', ['patch'], async (call, serve) => {
        const body = await bodyOf<Named>(call);
        const answer = await serve(call);
        if (body?.metadata?.deletionTimestamp !== null) return answer;
        const entry = await call.services.store.get(keyOf(call));
        if (!entry) return answer;
        const revived = await recommit(call.services.store, entry, (object) =>
          withMetadata(object, { deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined }),
        );
        return { kind: 'entry', code: 200, endpoint: call.endpoint, entry: revived };
      }),
  },
  {
    id: 'removal-by-json-patch-revives',
    breaks: clausesOf('META-DELETION-01', 'deleting', 'json'),
    sentence: 'A JSON patch that removes deletionTimestamp makes a deleting object live again.',
    defect: () =>
      onWrite('json', async (call, serve) => {
        const steps: unknown = await bodyOf(call);
        const answer = await serve(call);
        const removes = { op: 'remove', path: '/metadata/deletionTimestamp' };
        if (!Array.isArray(steps) || !steps.some((step) => isDeepStrictEqual(step, removes))) return answer;
        return rewritten(call, answer, (object) =>
          withMetadata(object, { deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined }),
        );
      }),
  },
  {
    id: 'only-applies-are-recorded',
    breaks: ['META-MANAGED-01'],
    sentence: 'Writes other than applies leave no record.',
    defect: () =>
      onUpdate((asked, serve) =>
        reowned(serve(asked), (owners) => [...owners.values()].filter(({ operation }) => operation === 'Apply')),
      ),
  },
  {
    id: 'records-have-another-form',
    breaks: clausesOf('META-MANAGED-02'),
    sentence: 'Records call their form Fields.',
    defect: () => onReplies((reply) => ({ ...reply, body: renamed(reply.body) })),
  },
  {
    id: 'slashes-in-records-are-escaped',
    breaks: EVERY_TYPE.map((type) => `META-MANAGED-02/${type}` as const),
    sentence: 'A slash in the name of a field stands as ~1 in records.',
    defect: () =>
      onJson(({ metadata }) => {
        const entries = isObject(metadata) && Array.isArray(metadata.managedFields) ? metadata.managedFields : [];
        for (const entry of entries) if (isObject(entry)) entry.fieldsV1 = escaped(entry.fieldsV1 ?? {});
      }),
  },
  {
    id: 'watch-shows-what-is-stored',
    breaks: ['META-TYPE-01', 'WATCH-STREAM-01'],
    sentence: 'A watch of a custom type shows objects in the first version, in which they are stored.',
    defect: () =>
      onFrames(({ object }) => {
        if (isObject(object)) object.apiVersion = String(object.apiVersion).replace(/^(.*\.example)\/v\d+$/, '$1/v1');
      }),
  },
];

/** Fields as they are written down, with names as in the pointers of JSON patches. */
function escaped(fields: Json): Json {
  if (!isObject(fields)) return fields;
  return Object.fromEntries(Object.entries(fields).map(([key, below]) => [key.replaceAll('/', '~1'), escaped(below)]));
}

/** Answers what the body gives for a member of metadata; the request is served without it. */
function showingOwn(
  member: 'uid' | 'creationTimestamp' | 'deletionTimestamp',
): (call: Call, serve: Serve) => Promise<Answer> {
  return async (call, serve) => {
    const given = await metadataIn(call, member);
    const stored = await storedOf(call);
    if (given === undefined || given === stored?.object.metadata[member]) return serve(call);
    const answer = await serve(withMembers(call, ['metadata'], (metadata) => delete metadata[member]));
    return answering(answer, (object) => withMetadata(object, { [member]: given }));
  };
}

/** Refuses to create what is not there and once was. */
function onceOnly(): (call: Call, serve: Serve) => Promise<Answer> {
  const servers = new WeakMap<object, Set<string>>();
  return async (call, serve) => {
    const { store } = call.services;
    const given = servers.get(store) ?? new Set<string>();
    servers.set(store, given);
    const name = call.exchange.info.name || String((await metadataIn(call, 'name')) ?? '');
    const key = keyOf(call, name);
    if (given.has(key) && !(await storedOf(call, name))) throw alreadyExists(call.endpoint.type, name);
    const answer = await serve(call);
    given.add(key);
    return answer;
  };
}
