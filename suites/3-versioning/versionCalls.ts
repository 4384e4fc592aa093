import { groupName, protobufMediaType } from '../../fixtures/dialects/dialect.ts';
import { type Crossing, covering, type Row } from '../covering/covering.ts';
import { Dice } from '../covering/dice.ts';
import { type Actor, PATCH_TYPES } from '../harness/index.ts';

/** What is asked of a collection, and what of one object. */
const COLLECTION_VERBS = ['list', 'watch', 'post', 'deletecollection'];
const ITEM_VERBS = ['get', 'put', 'json', 'merge', 'strategic', 'apply', 'delete'];
const READS = ['list', 'watch', 'get'];

/** The ways to call a version of a type: what can come together. */
const CALLS: Crossing = {
  dimensions: {
    verb: [...COLLECTION_VERBS, ...ITEM_VERBS],
    scope: ['namespace', 'cluster'],
    sub: ['none', 'status', 'scale'],
    accept: ['plain', 'yaml', 'protobuf', 'table', 'partial'],
    form: ['json', 'yaml'],
    dryRun: ['none', 'All'],
    more: ['nothing', 'fieldValidation', 'fieldManager', 'resourceVersion', 'gzip', 'selector'],
  },
  never: [
    { verb: COLLECTION_VERBS, sub: ['status', 'scale'] },
    { verb: ['delete'], sub: ['status', 'scale'] },
    { verb: [...READS, 'json', 'merge', 'strategic', 'apply', 'delete', 'deletecollection'], form: ['yaml'] },
    { verb: READS, dryRun: ['All'] },
    { verb: [...READS, 'delete', 'deletecollection'], more: ['fieldValidation', 'fieldManager'] },
    { verb: ['post', ...ITEM_VERBS.slice(1), 'deletecollection'], more: ['resourceVersion'] },
    { verb: ['post', ...ITEM_VERBS], more: ['selector'] },
    // Nothing but what has no object is deleted.
    { verb: ['deletecollection'], more: ['nothing', 'gzip'] },
  ],
  ends: [],
  deeply: [
    ['verb', 'scope', 'sub'],
    ['verb', 'scope', 'accept'],
    ['verb', 'sub', 'dryRun'],
  ],
};

/** Every way to call, each combination of two among them; the same for all types. */
export const VERSION_CALLS: readonly Row[] = covering(CALLS, new Dice('calls'));

/** What is called: where the version lies, the type, and an object. */
export interface Called {
  readonly apiVersion: string;
  readonly plural: string;
  readonly name: string;
  /** What is sent as the object; of no kind that there is unless told. */
  readonly body?: object;
  /** Which objects a deletion of the collection is of; none that there are unless told. */
  readonly selector?: string;
  /** A parameter that has no effect, so that the call is found where it is written down. */
  readonly mark?: string;
}

/** A request, as an actor sends it. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly options: { readonly headers: Readonly<Record<string, string>>; readonly body?: object };
}

/** The request that calls a version in one way. */
export async function callOf(actor: Actor, called: Called, row: Row): Promise<Call> {
  const { apiVersion, plural, name, selector = 'touchstone.example/never=there' } = called;
  const { verb = '', scope, sub, accept = '', form, dryRun, more } = row;
  const within = scope === 'namespace' ? `/namespaces/${await actor.namespace()}` : '';
  const isItem = ITEM_VERBS.includes(verb);
  const path = `/apis/${apiVersion}${within}/${plural}${isItem ? `/${name}` : ''}${sub === 'none' ? '' : `/${sub}`}`;
  const query = [
    verb === 'watch' && 'watch=true&timeoutSeconds=1',
    verb === 'list' && 'limit=1',
    (verb === 'deletecollection' || more === 'selector') && `labelSelector=${encodeURIComponent(selector)}`,
    verb === 'apply' && 'fieldManager=touchstone&force=true',
    dryRun === 'All' && 'dryRun=All',
    more === 'fieldValidation' && 'fieldValidation=Strict',
    more === 'fieldManager' && verb !== 'apply' && 'fieldManager=touchstone',
    more === 'resourceVersion' && 'resourceVersion=0',
    called.mark !== undefined && `asked=${called.mark}`,
  ].filter((part) => part !== false);
  const meta = groupName(actor.dialect, 'meta');
  // A target that has no such form may leave it unserved or answer in JSON.
  const forms: Readonly<Record<string, string>> = {
    yaml: 'application/yaml',
    protobuf: protobufMediaType(actor.dialect),
    table: `application/json;as=Table;v=v1;g=${meta}`,
    partial: `application/json;as=PartialObjectMetadata${verb === 'list' ? 'List' : ''};v=v1;g=${meta}`,
  };
  const wanted = forms[accept];
  const object = called.body ?? { apiVersion, kind: 'Nothing', metadata: { name } };
  const types: Readonly<Record<string, readonly [type: string, body: object]>> = {
    post: [`application/${form}`, object],
    put: [`application/${form}`, object],
    json: [PATCH_TYPES.json, [{ op: 'add', path: '/metadata/annotations', value: { mine: 'no' } }]],
    merge: [PATCH_TYPES.merge, { metadata: { labels: { mine: 'no' } } }],
    strategic: [PATCH_TYPES.strategic, { metadata: { labels: { mine: 'no' } } }],
    apply: [PATCH_TYPES.apply, { apiVersion, kind: 'Nothing', metadata: { name }, ...called.body }],
  };
  const [type, body] = types[verb] ?? [];
  const methods: Readonly<Record<string, string>> = {
    post: 'POST',
    put: 'PUT',
    delete: 'DELETE',
    deletecollection: 'DELETE',
  };
  const method = methods[verb] ?? (READS.includes(verb) ? 'GET' : 'PATCH');
  const options = {
    headers: {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(wanted === undefined ? {} : { accept: `${wanted}, application/json;q=0.5` }),
      ...(more === 'gzip' ? { 'accept-encoding': 'gzip' } : {}),
    },
    ...(body === undefined ? {} : { body }),
  };
  return { method, path: query.length === 0 ? path : `${path}?${query.join('&')}`, options };
}

/** The ways in which each of some types is called: all of few types; of many, every verb of each, and each way of one. */
export function callsOf(place: number, types: number): readonly Row[] {
  const verbs = [...new Set(VERSION_CALLS.map(({ verb }) => verb))];
  return verbs.flatMap((verb) => {
    const own = VERSION_CALLS.filter((row) => row.verb === verb);
    const count = Math.max(1, Math.ceil(own.length / types));
    return Array.from({ length: count }, (_, turn) => own[(place + turn * types) % own.length] as Row);
  });
}
