import {
  type ClauseName,
  CREATED_BY_PUT,
  clausesOf,
  EVERY_TYPE,
  NAMED_MANNERS,
  OPERATION_MANNERS,
} from '../../fixtures/ledger/index.ts';
import type { User } from '../../reference/api/identity.ts';
import { isObject, type JsonObject } from '../../reference/api/json.ts';
import type { ApiObject } from '../../reference/api/object.ts';
import { ApiError, alreadyExists, forbidden, methodNotSupported } from '../../reference/api/status.ts';
import type { Answer } from '../../reference/contracts/answer.ts';
import type { Call } from '../../reference/contracts/call.ts';
import { Entry } from '../../reference/contracts/entry.ts';
import type { WholeReply } from '../../reference/contracts/reply.ts';
import { type CommitResult, delegate, type Store, type StoreWrite } from '../../reference/contracts/store.ts';
import { collectionPrefix, objectKey } from '../../reference/contracts/storeKeys.ts';
import type { Seams } from '../../reference/seams.ts';
import { handedOn, onReplies, onVerbs, onWatchEvents, withBody, withQuery, withText } from '../alter.ts';
import { coding, onJson, onSinks, onValues } from '../asking.ts';
import type { Mutant } from '../mutant.ts';
import { called, onRefusal } from '../onAuthentication.ts';
import { allowed, onChain, onMember, withVerb } from '../onAuthorizers.ts';
import { bodyOf, mending } from '../oneType.ts';
import { unchecked } from '../rbac/escalation.ts';
import { alsoWhere } from '../rbac/onRbac.ts';

/** Alters what discovery says of each resource type. */
function onResources(change: (resource: JsonObject) => void): Seams {
  return onJson(({ resources }) => {
    for (const each of Array.isArray(resources) ? resources : []) if (isObject(each)) change(each);
  });
}

/** Parameters that a server may look at before it knows whether the request is allowed. */
const JUDGED = ['dryRun', 'fieldValidation', 'resourceVersion', 'labelSelector'] as const;

/** Takes the result out of an answer to what stands for an operation. */
function dropResult(body: JsonObject): void {
  if (/^(Self|Local|Token|Subject).*Review$/.test(String(body.kind))) delete body.status;
}

/** Whether a watch asks for its initial events. */
const isInitial = ({ exchange: { request } }: Call) => request.query.get('sendInitialEvents') === 'true';

/** Whether an object is in a namespace that is being deleted. */
async function isEnding({ services }: Call, { metadata }: ApiObject): Promise<boolean> {
  const key = objectKey({ group: '', resource: 'namespaces' }, '', metadata.namespace ?? '');
  const namespace = await services.store.get(key);
  return namespace?.object.metadata.deletionTimestamp !== undefined;
}

/** The same call of all namespaces. */
function ofAllNamespaces(call: Call): Call {
  const { exchange } = call;
  return { ...call, exchange: { ...exchange, info: { ...exchange.info, namespace: '' } } };
}

/** Items behind a namespace, and what lies behind them. */
const PART_OF_ITEM = /^\/apis?\/.*\/namespaces\/[^/]+\/[^/]+\/[^/]+\/[^/]+$/;

/** What lies behind an item of any type, in a namespace or in the cluster. */
const PART = /^\/apis?\/.*\/(status|scale|finalize|token|no-such-part)$/;

const CONFIG_MAPS = '/core/configmaps/';

/** Answers a write of a config map at once, and stores it when the next one comes. */
function oneBehind(store: Store): Store {
  let held: StoreWrite | undefined;
  const commit = async (change: StoreWrite): Promise<CommitResult> => {
    if (!change.key.startsWith(CONFIG_MAPS)) return store.commit(change);
    const { key, expected, object } = change;
    const before = held;
    held = undefined;
    if (before) await store.commit(before);
    const present = await store.get(key);
    if (object === null || (present?.modRevision ?? 0) !== expected) return store.commit(change);
    held = change;
    const revision = (await store.revision()) + 1;
    return { committed: true, revision, entry: new Entry(key, present?.createRevision ?? revision, revision, object) };
  };
  // The methods of a store reach its private parts, so they keep it as their own.
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'commit') return commit;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Lets everybody through to admission, and refuses behind it. */
function lateRefusal(): Seams {
  const refused = new WeakSet<User>();
  return {
    authorizer: (authorizer) => ({
      name: authorizer.name,
      authorize: async (attributes) => {
        const verdict = await authorizer.authorize(attributes);
        if (verdict.decision === 'allow' || attributes.verb !== 'create') return verdict;
        refused.add(attributes.user);
        return { ...verdict, decision: 'allow' };
      },
    }),
    admission: (chain) => ({
      ...chain,
      validate: async (attributes) => {
        await chain.validate(attributes);
        const { endpoint, name, exchange } = attributes;
        if (refused.has(exchange.user)) throw forbidden(endpoint.type, name, 'not allowed');
      },
    }),
  };
}

/** Custom types that sequences define. */
const isDrawn = ({ apiVersion }: ApiObject): boolean => String(apiVersion).includes('.seq.example/');

/** The groups of types of REQUEST-SEQUENCE-03, what their objects are called, and which these are. */
const WRITTEN: readonly (readonly [ClauseName, string, (object: ApiObject) => boolean])[] = [
  ['REQUEST-SEQUENCE-03/namespaced', 'roles', ({ kind }) => kind === 'Role' || kind === 'RoleBinding'],
  [
    'REQUEST-SEQUENCE-03/cluster',
    'cluster roles',
    ({ kind }) => kind === 'ClusterRole' || kind === 'ClusterRoleBinding',
  ],
  ['REQUEST-SEQUENCE-03/with-status', 'ingresses', ({ kind }) => kind === 'Ingress'],
  [
    'REQUEST-SEQUENCE-03/custom-namespaced',
    'custom objects in namespaces',
    (object) => isDrawn(object) && object.metadata.namespace !== undefined,
  ],
  [
    'REQUEST-SEQUENCE-03/custom-cluster',
    'custom objects of the cluster',
    (object) => isDrawn(object) && object.metadata.namespace === undefined,
  ],
];

/** Annotations that an update of some objects changes are answered and not stored. */
const annotationsOfUpdatesAreForgotten = (of: (object: ApiObject) => boolean): Seams => ({
  store: (store) => ({
    ...delegate(store),
    commit: (change) => {
      const { object, expected } = change;
      if (!object?.metadata.annotations || expected === 0 || !of(object)) return store.commit(change);
      const { annotations: _, ...metadata } = object.metadata;
      return store.commit({ ...change, object: { ...object, metadata } });
    },
  }),
});

/** Paths, verbs and discovery that lead elsewhere than they say. */
export const SERVICE: readonly Mutant[] = [
  {
    id: 'labels-of-new-objects-are-forgotten',
    breaks: ['REQUEST-SEQUENCE-01'],
    sentence: 'Labels that a new object brings are not stored.',
    defect: () => ({
      store: (store) => ({
        ...delegate(store),
        commit: (change) => {
          const { object, expected } = change;
          if (!object?.metadata.labels || expected !== 0) return store.commit(change);
          const { labels: _, ...metadata } = object.metadata;
          return store.commit({ ...change, object: { ...object, metadata } });
        },
      }),
    }),
  },
  ...WRITTEN.map(
    ([clause, words, of]): Mutant => ({
      id: `annotations-of-updated-${words.replaceAll(' ', '-')}-are-forgotten`,
      breaks: [clause],
      sentence: `Annotations of ${words} are not stored when these are updated.`,
      defect: () => annotationsOfUpdatesAreForgotten(of),
    }),
  ),
  {
    id: 'right-uid-excuses-a-stale-version',
    breaks: ['REQUEST-SEQUENCE-03/custom-namespaced'],
    sentence: 'A delete of a custom object whose uid its preconditions name takes no notice of the version beside it.',
    defect: () =>
      mending<{ preconditions?: { uid?: unknown; resourceVersion?: unknown } }>(
        'widgets',
        ['delete'],
        ({ preconditions }) => {
          if (preconditions?.uid !== undefined) delete preconditions.resourceVersion;
        },
      ),
  },
  {
    id: 'webhooks-refuse-updates-of-configmaps-alone',
    breaks: ['REQUEST-SEQUENCE-02'],
    sentence: 'What webhooks refuse of an update is done nonetheless, unless it is of a ConfigMap.',
    defect: () => ({
      admission: (chain) => ({
        ...chain,
        validate: async (attributes) => {
          try {
            await chain.validate(attributes);
          } catch (error) {
            const { resource } = attributes.endpoint.type;
            if (attributes.operation !== 'UPDATE' || resource === 'configmaps') throw error;
          }
        },
      }),
    }),
  },
  {
    id: 'discovery-lists-no-verbs',
    breaks: ['DISCOVERY-RESOURCE-01'],
    sentence: 'Discovery lists no verbs.',
    defect: () =>
      onResources((resource) => {
        resource.verbs = [];
      }),
  },
  {
    id: 'discovery-of-a-version-is-kept',
    breaks: ['DISCOVERY-RESOURCE-01'],
    sentence: 'Discovery of a version that was read once stays as it was, whatever types come and go.',
    defect: () => {
      const kept = new Map<string, WholeReply>();
      return onReplies((reply, { path }) => {
        if (!/^\/apis\/[^/]+\/[^/]+$/.test(path) || reply.code !== 200) return reply;
        const before = kept.get(path) ?? reply;
        kept.set(path, before);
        return before;
      });
    },
  },
  {
    id: 'discovery-names-are-capital',
    breaks: ['DISCOVERY-NAME-01'],
    sentence: 'Discovery writes the names of types in capital letters.',
    defect: () =>
      onResources((resource) => {
        resource.name = String(resource.name).toUpperCase();
      }),
  },
  {
    id: 'discovery-turns-scopes-round',
    breaks: ['DISCOVERY-SCOPE-01'],
    sentence: 'Discovery calls namespaced what is not, and the reverse.',
    defect: () =>
      onResources((resource) => {
        resource.namespaced = !resource.namespaced;
      }),
  },
  {
    id: 'discovery-claims-too-much',
    breaks: ['DISCOVERY-CLAIM-01'],
    sentence: 'Discovery names a type that is not served.',
    defect: () =>
      onJson(({ resources }) => {
        const phantom = { name: 'phantoms', singularName: '', namespaced: false, kind: 'Phantom', verbs: ['list'] };
        if (Array.isArray(resources)) resources.push(phantom);
      }),
  },
  {
    id: 'operations-are-claimed-and-not-served',
    breaks: ['DISCOVERY-CLAIM-01'],
    sentence: 'What is posted to bindings is refused, though discovery says that it may be.',
    defect: () =>
      onVerbs(['create'], async (call, serve) => {
        const { type } = call.endpoint;
        if (type.resource === 'bindings') throw methodNotSupported(type, 'create');
        return serve(call);
      }),
  },
  {
    id: 'unlisted-verbs-succeed',
    breaks: ['DISCOVERY-CLAIM-02', 'VERB-SINGLE-02', ...clausesOf('VIRTUAL-TYPE-01', 'unkept')],
    sentence: 'A verb that is not served is answered 200.',
    defect: () => coding(({ code }) => (code === 405 ? 200 : code)),
  },
  {
    id: 'operations-have-no-result',
    breaks: clausesOf('VIRTUAL-TYPE-01', [...OPERATION_MANNERS, ...NAMED_MANNERS, 'named-otherwise']),
    sentence: 'What stands for an operation is answered as it was posted.',
    defect: () => onValues((body) => dropResult(body)),
  },
  {
    id: 'operations-take-their-names',
    breaks: clausesOf('VIRTUAL-TYPE-01', ['named-again', 'named-otherwise']),
    sentence: 'What stands for an operation and has a name is refused where one was posted under it before.',
    defect: () => {
      const taken = new Set<string>();
      return onVerbs(['create'], async (call, serve) => {
        const { type } = call.endpoint;
        const name = /reviews$/.test(type.resource) ? (await bodyOf<Partial<ApiObject>>(call))?.metadata?.name : '';
        const key = `${type.resource}/${name}`;
        if (name && taken.has(key)) throw alreadyExists(type, name);
        if (name) taken.add(key);
        return serve(call);
      });
    },
  },
  {
    id: 'operations-with-names-have-the-result-of-the-first',
    breaks: ['VIRTUAL-TYPE-01/named-otherwise/selfsubjectreviews'],
    sentence: 'Who asks who they are under a name is told what the first was who asked under it.',
    defect: () => {
      const known = new Map<string, Answer>();
      return onVerbs(['create'], async (call, serve) => {
        const { resource } = call.endpoint.type;
        const name = resource === 'selfsubjectreviews' ? (await bodyOf<Partial<ApiObject>>(call))?.metadata?.name : '';
        const answer = (name && known.get(name)) || (await serve(call));
        if (name) known.set(name, answer);
        return answer;
      });
    },
  },
  {
    id: 'parameters-are-judged-before-rights',
    breaks: clausesOf('REQUEST-STAGES-01', 'forbidden'),
    sentence: 'A request of somebody without rights is answered 400 where a parameter of it is wrong or missing.',
    defect: () =>
      coding(({ code }, { query, headers }) => {
        const applied = String(headers['content-type']).startsWith('application/apply-patch');
        const wrong = applied ? !query.get('fieldManager') : JUDGED.some((name) => query.has(name));
        return code === 403 && wrong ? 400 : code;
      }),
  },
  {
    id: 'applies-without-manager-are-judged-before-rights',
    breaks: ['REQUEST-STAGES-01/forbidden/apply'],
    sentence: 'An apply without fieldManager is answered 400 where its sender has no rights.',
    defect: () =>
      coding(({ code }, { query, headers }) => {
        const applied = String(headers['content-type']).startsWith('application/apply-patch');
        return code === 403 && applied && !query.get('fieldManager') ? 400 : code;
      }),
  },
  {
    id: 'tried-operations-have-no-result',
    breaks: clausesOf('VIRTUAL-TYPE-01', 'dry-run'),
    sentence: 'What stands for an operation is answered as it was posted where it is a dry run.',
    defect: () => onValues((body, { query }) => query.has('dryRun') && dropResult(body)),
  },
  {
    id: 'one-group-has-another-domain',
    breaks: ['DIALECT-NAME-01'],
    sentence: 'One of the groups of the service ends in another domain than the others.',
    defect: () =>
      onJson(({ groups }) => {
        for (const group of Array.isArray(groups) ? groups : []) {
          if (isObject(group) && String(group.name).startsWith('admissionregistration.'))
            group.name = 'admissionregistration.x';
        }
      }),
  },
  {
    id: 'every-delete-is-a-dry-run',
    breaks: ['VERB-HTTP-01'],
    sentence: 'A DELETE is answered as if it had deleted.',
    defect: () => onVerbs(['delete'], (call, serve) => serve(withQuery(call, (query) => query.set('dryRun', 'All')))),
  },
  {
    id: 'further-documents-passed-over',
    breaks: ['VERB-SINGLE-03'],
    sentence: 'Of a body of several YAML documents the first counts.',
    defect: () =>
      onVerbs(['create', 'update', 'patch', 'delete'], (call, serve) =>
        serve(
          String(call.exchange.request.headers['content-type']).includes('yaml')
            ? withText(call, (text) => text.replace(/\n---\n.*$/s, '\n'))
            : call,
        ),
      ),
  },
  {
    id: 'lists-are-created-in-part',
    breaks: EVERY_TYPE.map((type) => `VERB-SINGLE-01/${type}` as const),
    sentence: 'A POST of a list creates its first object.',
    defect: () =>
      onVerbs(['create'], (call, serve) =>
        serve(
          withBody(call, (body) => {
            const [first] = Array.isArray(body.items) ? body.items : [];
            if (isObject(first)) Object.assign(body, first);
          }),
        ),
      ),
  },
  {
    id: 'put-says-created',
    breaks: ['VERB-PUT-01'],
    sentence: 'A PUT of an object that exists is answered 201.',
    defect: () => coding(({ code }, { method }) => (method === 'PUT' && code === 200 ? 201 : code)),
  },
  {
    id: 'put-that-creates-says-replaced',
    breaks: clausesOf('VERB-PUT-01', CREATED_BY_PUT),
    sentence: 'A PUT that creates its object is answered 200.',
    defect: () => coding(({ code }, { method }) => (method === 'PUT' && code === 201 ? 200 : code)),
  },
  {
    id: 'put-says-created-of-every-type',
    breaks: clausesOf('VERB-PUT-01'),
    sentence: 'A PUT in YAML, for YAML or as a dry run is answered 201.',
    defect: () =>
      coding(({ code }, { method, headers, query }) =>
        method === 'PUT' &&
        code === 200 &&
        (query.has('dryRun') || /yaml/.test(`${headers.accept} ${headers['content-type']}`))
          ? 201
          : code,
      ),
  },
  {
    id: 'every-type-has-every-part',
    breaks: [...clausesOf('DISCOVERY-CLAIM-02'), ...clausesOf('URL-SUBRESOURCE-01')],
    sentence: 'A subresource that a type has not is the object itself.',
    defect: () => coding(({ code }, { path }) => (PART.test(path) && code === 404 ? 200 : code)),
  },
  {
    id: 'core-objects-name-a-group',
    breaks: ['URL-CORE-01'],
    sentence: 'Objects of the core group have the apiVersion core/v1.',
    defect: () =>
      onJson((body) => {
        if (body.apiVersion === 'v1') body.apiVersion = 'core/v1';
      }),
  },
  {
    id: 'grouped-objects-name-no-group',
    breaks: ['URL-GROUP-01'],
    sentence: 'Objects of named groups have the version alone as their apiVersion.',
    defect: () =>
      onJson((body) => {
        body.apiVersion = String(body.apiVersion ?? '').replace(/^.*\//, '');
      }),
  },
  {
    id: 'all-namespaces-is-the-first',
    breaks: [...clausesOf('URL-ALL-01', 'list', ['configmaps-all', 'roles-all', 'custom-all'])],
    sentence: 'A list over all namespaces shows the objects of one.',
    defect: () =>
      onVerbs(['list'], async (call, serve) => {
        const answer = await serve(call);
        if (answer.kind !== 'list' || call.exchange.info.namespace !== '') return answer;
        const first = answer.entries[0]?.object.metadata.namespace;
        return { ...answer, entries: answer.entries.filter(({ object }) => object.metadata.namespace === first) };
      }),
  },
  {
    id: 'lists-over-all-lack-namespaces-that-end',
    breaks: clausesOf('URL-ALL-01', 'ending'),
    sentence: 'A list over all namespaces leaves out what is in those that are being deleted.',
    defect: () =>
      onVerbs(['list'], async (call, serve) => {
        const answer = await serve(call);
        if (answer.kind !== 'list' || !call.endpoint.type.namespaced || call.exchange.info.namespace !== '')
          return answer;
        const ends = await Promise.all(answer.entries.map(({ object }) => isEnding(call, object)));
        return { ...answer, entries: answer.entries.filter((_, at) => !ends[at]) };
      }),
  },
  {
    id: 'namespaces-that-end-are-quiet',
    breaks: clausesOf('URL-ALL-01', 'ending'),
    sentence: 'A watch does not tell of changes of what is in a namespace that is being deleted.',
    defect: () =>
      onWatchEvents(() => (event) => {
        const { namespace, deletionTimestamp } = 'entry' in event ? event.entry.object.metadata : {};
        return event.type === 'MODIFIED' && namespace && deletionTimestamp ? [] : [event];
      }),
  },
  {
    id: 'watch-over-all-is-silent',
    breaks: clausesOf('URL-ALL-01', 'watch', ['configmaps-all', 'roles-all', 'custom-all']),
    sentence: 'A watch over all namespaces of a namespaced type sends nothing.',
    defect: () =>
      onVerbs(['watch'], async (call, serve) => {
        const answer = await serve(call);
        const wide = call.endpoint.type.namespaced && call.exchange.info.namespace === '';
        if (answer.kind !== 'watch' || !wide) return answer;
        return { ...answer, open: (sink) => answer.open({ ...handedOn(sink), event: () => true }) };
      }),
  },
  {
    id: 'namespace-shows-all',
    breaks: clausesOf('URL-ALL-01', ['configmaps-namespace', 'roles-namespace', 'custom-namespace']),
    sentence: 'A list and a watch of one namespace show the objects of all.',
    defect: () => onVerbs(['list', 'watch'], (call, serve) => serve(ofAllNamespaces(call))),
  },
  {
    id: 'initial-events-are-of-all-namespaces',
    breaks: clausesOf('URL-ALL-01', 'initial', ['configmaps-namespace', 'roles-namespace', 'custom-namespace']),
    sentence: 'The initial events of a watch of one namespace are those of all.',
    defect: () => onVerbs(['watch'], (call, serve) => serve(isInitial(call) ? ofAllNamespaces(call) : call)),
  },
  {
    id: 'initial-events-are-of-one-namespace',
    breaks: clausesOf('URL-ALL-01', 'initial', ['configmaps-all', 'roles-all', 'custom-all']),
    sentence: 'The initial events of a watch over all namespaces are those of one.',
    defect: () =>
      onSinks((sink, call) => {
        if (!isInitial(call) || call.exchange.info.namespace !== '') return undefined;
        let first: string | undefined;
        return {
          ...handedOn(sink),
          event: (event) => {
            if (!('entry' in event)) return sink.event(event);
            const { namespace } = event.entry.object.metadata;
            first ??= namespace;
            return namespace === first ? sink.event(event) : true;
          },
        };
      }),
  },
  {
    id: 'namespaces-are-emptied-together',
    breaks: clausesOf('URL-ALL-01', 'delete'),
    sentence: 'The DELETE of what is selected in one namespace deletes it in all.',
    defect: () =>
      onVerbs(['deletecollection'], (call, serve) => {
        // Without a selector the objects of others would go too.
        if (!call.exchange.request.query.has('labelSelector')) return serve(call);
        return serve(ofAllNamespaces(call));
      }),
  },
  {
    id: 'namespace-may-be-left-out',
    breaks: ['URL-ALL-02'],
    sentence: 'The path of a namespaced object without its namespace is answered 200.',
    defect: () => coding(({ code }, { path }) => (/^\/api\/v1\/[^/]+\/[^/]+$/.test(path) && code >= 404 ? 200 : code)),
  },
  {
    id: 'namespace-may-be-left-out-of-writes',
    breaks: ['URL-ALL-02'],
    sentence: 'A PUT at the path of a namespaced object without its namespace is answered 200.',
    defect: () =>
      coding(({ code }, { method, path }) =>
        method === 'PUT' && /^\/api\/v1\/[^/]+\/[^/]+$/.test(path) && code >= 404 ? 200 : code,
      ),
  },
  {
    id: 'unknown-subresources-are-served',
    breaks: ['URL-SUBRESOURCE-01'],
    sentence: 'A subresource that nobody knows is answered 200.',
    defect: () => coding(({ code }, { path }) => (PART_OF_ITEM.test(path) && code === 404 ? 200 : code)),
  },
  {
    id: 'namespaces-lie-in-themselves',
    breaks: ['URL-NAMESPACE-01'],
    sentence: 'A namespace has itself as its namespace.',
    defect: () =>
      onJson((body) => {
        if (body.kind === 'Namespace' && isObject(body.metadata)) body.metadata.namespace = body.metadata.name ?? '';
      }),
  },
  {
    id: 'unknown-paths-are-empty',
    breaks: ['URL-UNKNOWN-01'],
    sentence: 'A path of which nobody knows anything is answered 200.',
    defect: () => coding(({ code }) => (code === 404 ? 200 : code)),
  },
  {
    id: 'store-ends-with-the-server',
    breaks: ['STORE-PERSIST-01'],
    sentence: 'Objects are kept in memory, whatever directory is named.',
    defect: () => ({ start: { flags: (argv) => argv.filter((flag) => !flag.startsWith('--data-dir')) } }),
  },
  {
    id: 'store-acknowledges-first',
    breaks: ['STORE-CRASH-01'],
    sentence: 'The last config map that was written is answered before it is stored.',
    defect: () => ({ store: (store) => oneBehind(store) }),
  },
  {
    id: 'get-answers-last-of-collection',
    breaks: ['GET-ITEM-01'],
    sentence: 'A get answers the last object of the collection, whatever its name.',
    defect: () =>
      onVerbs(['get'], async (call, serve) => {
        const answer = await serve(call);
        if (answer.kind !== 'entry') return answer;
        const prefix = collectionPrefix(call.endpoint.type, call.exchange.info.namespace);
        const { entries } = await call.services.store.range({ prefix });
        return { ...answer, entry: entries.at(-1) ?? answer.entry };
      }),
  },
  {
    id: 'empty-list-is-null',
    breaks: [...clausesOf('LIST-KIND-01', 'empty')],
    sentence: 'An empty collection has null where its items should be.',
    defect: () =>
      onJson((body) => {
        if (Array.isArray(body.items) && body.items.length === 0) body.items = null;
      }),
  },
  {
    id: 'empty-lists-have-no-version-of-their-own',
    breaks: [...clausesOf('LIST-KIND-01', 'empty')],
    sentence: 'A list without items has version 0.',
    defect: () =>
      onJson((body) => {
        if (Array.isArray(body.items) && body.items.length === 0 && isObject(body.metadata))
          body.metadata.resourceVersion = '0';
      }),
  },
  {
    id: 'put-creates-without-the-right',
    breaks: ['VERB-PUT-02'],
    sentence: 'A PUT brings leases into being without asking for the right to create.',
    defect: () =>
      onChain((asked, ask) =>
        ask(
          asked.isResource && asked.resource === 'leases' && asked.verb === 'create'
            ? withVerb(asked, 'update')
            : asked,
        ),
      ),
  },
  {
    id: 'names-are-found-in-any-case',
    breaks: clausesOf('GET-MISSING-01', 'almost'),
    sentence: 'A name that is not found is looked for in small letters.',
    defect: () =>
      onVerbs(['get'], (call, serve) => {
        const { exchange } = call;
        const name = exchange.info.name.toLowerCase();
        return serve({ ...call, exchange: { ...exchange, info: { ...exchange.info, name } } });
      }),
  },
  {
    id: 'endings-of-names-are-formats',
    breaks: ['GET-ITEM-01', ...clausesOf('GET-MISSING-01', 'almost')],
    sentence: 'A name that ends as a file does is looked for without its ending.',
    defect: () =>
      onVerbs(['get'], (call, serve) => {
        const { exchange } = call;
        const name = exchange.info.name.replace(/\.(json|yaml)$/, '');
        return serve({ ...call, exchange: { ...exchange, info: { ...exchange.info, name } } });
      }),
  },
  {
    id: 'missing-object-is-gone',
    breaks: ['GET-MISSING-01'],
    sentence: 'GET of a name that does not exist is answered 410.',
    defect: () =>
      onVerbs(['get'], async (call, serve) => {
        try {
          return await serve(call);
        } catch (error) {
          if (error instanceof ApiError && error.code === 404) throw new ApiError(410, 'Gone', error.message);
          throw error;
        }
      }),
  },
  {
    id: 'admission-before-authorization',
    breaks: ['REQUEST-STAGES-02'],
    sentence: 'Who may not create is refused only after the webhooks were asked.',
    defect: () => lateRefusal(),
  },
  {
    id: 'lists-are-watched-in-a-namespace',
    breaks: ['REQUEST-SEQUENCE-04/rights'],
    sentence: 'Who may list objects of a namespace may watch them.',
    defect: () =>
      alsoWhere((asked) =>
        asked.isResource && asked.verb === 'watch' && asked.namespace !== '' ? [withVerb(asked, 'list')] : [],
      ),
  },
  {
    id: 'paths-are-granted-with-a-slash-behind-them',
    breaks: ['REQUEST-SEQUENCE-04/paths'],
    sentence: 'A right to a path is one to the same path with a slash behind it.',
    defect: () =>
      alsoWhere((asked) =>
        !asked.isResource && asked.path.endsWith('/') ? [{ ...asked, path: asked.path.slice(0, -1) }] : [],
      ),
  },
  {
    id: 'dry-runs-give-anything',
    breaks: ['REQUEST-SEQUENCE-04/giving'],
    sentence: 'A dry run of a role or binding is not held against what its writer holds.',
    defect: () =>
      unchecked(
        ['create', 'update', 'patch'],
        ({ exchange, endpoint }) =>
          endpoint.type.group.startsWith('rbac.') && exchange.request.query.all('dryRun').length > 0,
      ),
  },
  {
    id: 'keys-of-extra-are-not-told-apart',
    breaks: ['REQUEST-SEQUENCE-04/acting'],
    sentence: 'Who may give somebody extra of one key may give it of any.',
    defect: () =>
      onChain(async (asked, ask) => {
        const verdict = await ask(asked);
        if (verdict.decision === 'allow' || !asked.isResource || asked.resource !== 'userextras') return verdict;
        const keys = ['scopes', 'scope', 'other'].map((subresource) => ask({ ...asked, subresource }));
        return (await Promise.all(keys)).some(({ decision }) => decision === 'allow') ? allowed('any') : verdict;
      }),
  },
  {
    id: 'health-is-told-whatever-token-is-shown',
    breaks: ['REQUEST-SEQUENCE-04/credentials'],
    sentence: 'Who asks for health with a token that is none is taken for nobody in particular, and answered.',
    defect: () => onRefusal(({ path }) => (path.startsWith('/healthz') ? called('anybody') : undefined)),
  },
  {
    id: 'who-is-called-like-a-node-is-one',
    breaks: ['REQUEST-SEQUENCE-04/nodes'],
    sentence: 'Who is called like a node is one, in whichever groups.',
    defect: () =>
      onMember('node', (asked, ask) => {
        const { user } = asked;
        if (!user.username.startsWith('system:node:')) return ask(asked);
        return ask({ ...asked, user: { ...user, groups: [...user.groups, 'system:nodes'] } });
      }),
  },
];
