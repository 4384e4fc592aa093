import type { Dice } from '../../covering/dice.ts';
import type { Json, JsonObject } from '../../harness/json.ts';
import type { Step, Who } from '../step.ts';
import { collectionOf, type SequenceType, TYPES } from '../types.ts';
import { defining, PATCH, whole } from './objects.ts';

type PatchKind = keyof typeof PATCH;
type Form = 'json' | NonNullable<Step['form']>;

/** A type, with contents of which the text says all that becomes of them. */
export interface CrossedType extends SequenceType {
  /** Another member of the object, as a JSON patch points at it; always there. */
  readonly pointer: string;
}

const NAMES = ['{id}-1', '{id}-1', '{id}-1', '{id}-2', '{id}-3'] as const;
const digits = ['1', '2', '3'] as const;
const HOLD = 'touchstone.example/hold';
/** Which objects of a collection are of the sequence. */
const OWN = { seq: '{id}' };

function typeOf(kind: string): SequenceType {
  const found = TYPES.find((type) => type.kind === kind);
  if (!found) throw new Error(`there is no type ${kind}`);
  return found;
}
const crossed = (kind: string, object: (dice: Dice) => JsonObject, pointer: string): CrossedType => ({
  ...typeOf(kind),
  object,
  change: object,
  pointer,
});
const rules = (dice: Dice): JsonObject => ({
  rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: dice.of([['get'], ['list'], ['get', 'list']]) }],
});
const ref = (kind: string): JsonObject => ({ kind, name: '{id}-none', apiGroup: 'rbac.authorization.{domain}' });
const bound =
  (kind: string) =>
  (dice: Dice): JsonObject => ({
    roleRef: ref(kind),
    subjects: [{ kind: 'User', name: dice.of(['ann', 'ben']), apiGroup: 'rbac.authorization.{domain}' }],
  });
const spec = (dice: Dice): JsonObject => ({
  spec: { note: dice.of(digits), map: { a: dice.of(digits), ...(dice.chance(0.5) ? { b: dice.of(digits) } : {}) } },
});

const ingress = (dice: Dice): JsonObject => ({
  spec: {
    ingressClassName: dice.of(['one', 'two']),
    defaultBackend: { service: { name: 's', port: { number: 80 } } },
  },
});

export type CrossedGroup = 'namespaced' | 'cluster' | 'with-status' | 'custom-namespaced' | 'custom-cluster';
/** The types that are crossed with everything, by what the clauses call them. */
export const CROSSED: Readonly<Record<CrossedGroup, readonly CrossedType[]>> = {
  namespaced: [
    crossed(
      'ConfigMap',
      (dice) => ({ data: { a: dice.of(digits), ...(dice.chance(0.5) ? { b: '1' } : {}) } }),
      '/data/a',
    ),
    crossed('Secret', (dice) => ({ data: { a: dice.of(['MQ==', 'Mg==']) } }), '/data/a'),
    crossed('Lease', (dice) => ({ spec: { holderIdentity: dice.of(digits) } }), '/spec/holderIdentity'),
    crossed('ServiceAccount', () => ({}), '/metadata/labels/seq'),
    crossed('Role', rules, '/rules/0/verbs'),
    crossed('RoleBinding', bound('Role'), '/subjects/0/name'),
  ],
  cluster: [
    crossed('ClusterRole', rules, '/rules/0/verbs'),
    crossed('ClusterRoleBinding', bound('ClusterRole'), '/subjects/0/name'),
  ],
  'with-status': [{ ...crossed('Ingress', ingress, '/spec/ingressClassName'), subresources: ['status'] }],
  'custom-namespaced': [crossed('Widget', spec, '/spec/note')],
  'custom-cluster': [crossed('Planet', spec, '/spec/note')],
};

/** A function that draws a sequence about one of some types. */
export const crossedWith =
  (types: readonly CrossedType[]) =>
  (dice: Dice): Step[] => {
    const type = dice.of(types);
    const steps: Step[] = [...defining(type), ...granting(dice, type), first(dice, type), listed(type)];
    if (dice.chance(0.4)) steps.push(watch(dice, type));
    const count = 16 + dice.below(10);
    for (let at = 0; at < count; at += 1) steps.push(...drawn(dice, type));
    return steps;
  };

function drawn(dice: Dice, type: CrossedType): Step[] {
  const name = dice.of(NAMES);
  const roll = dice.below(100);
  if (roll < 14) return [create(dice, type, name, dice.chance(0.6) ? 'sound' : 'flawed')];
  if (roll < 30) return replace(dice, type, name);
  if (roll < 40) return [merge(dice, type, name)];
  if (roll < 48) return [operate(dice, type, name)];
  if (roll < 60) return [apply(dice, type, name)];
  if (roll < 68) return (type.subresources ?? []).length > 0 ? status(dice, type, name) : [read(dice, type, name)];
  if (roll < 78) return [remove(dice, type, name)];
  if (roll < 82) return [removeAll(dice, type)];
  if (roll < 87) return [read(dice, type, name)];
  if (roll < 89) return [watch(dice, type)];
  if (roll < 91) return walk(dice, type);
  return [list(dice, type)];
}

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
/** Gives somebody some of the verbs, on some of what the type has. */
function granting(dice: Dice, type: CrossedType): Step[] {
  const rbac = 'rbac.authorization.{domain}';
  const post = (plural: string, kind: string, rest: JsonObject): Step => ({
    as: 'admin',
    method: 'POST',
    path: `/apis/${rbac}/v1/${plural}`,
    body: { apiVersion: `${rbac}/v1`, kind, metadata: { name: '{id}-ben' }, ...rest },
  });
  const verbs = dice.few(VERBS);
  const resources = dice.few([type.plural, `${type.plural}/status`, `${type.plural}/scale`]);
  const apiGroups = [type.apiVersion.includes('/') ? (type.apiVersion.split('/')[0] as string) : ''];
  return [
    post('clusterroles', 'ClusterRole', { rules: [{ apiGroups, resources, verbs }] }),
    post('clusterrolebindings', 'ClusterRoleBinding', {
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: '{id}-ben' },
      subjects: [{ apiGroup: rbac, kind: 'User', name: '{id}-ben' }],
    }),
  ];
}

/** The object and the list that what follows compares itself with. */
const first = (dice: Dice, type: CrossedType): Step => ({
  as: 'admin',
  method: 'POST',
  path: collectionOf(type),
  headers: { 'user-agent': AGENTS[0] },
  body: { ...whole(type, NAMES[0], type.object(dice)), metadata: { name: NAMES[0], ...marks(dice) } },
  keep: kept(NAMES[0]),
});
const listed = (type: CrossedType): Step => ({
  as: 'admin',
  method: 'GET',
  path: `${collectionOf(type)}?labelSelector=seq%3D{id}`,
  keep: 'list',
});

const itemOf = (type: CrossedType, name: string): string => `${collectionOf(type)}/${name}`;
const kept = (name: string): string => `o${name.slice(-1)}`;
const BEN = { user: '{id}-ben' };
const who = (dice: Dice): Who =>
  dice.chance(0.88) ? 'admin' : dice.of<Who>(['nobody', { user: '{id}-ann' }, BEN, BEN]);
/** Who writes is called so in the records of ownership, unless a parameter says otherwise. */
const AGENTS = ['tool/1.2 (x)', 'other'] as const;

/** Types whose messages are known whole. */
export const IN_PROTOBUF: readonly string[] = [
  'ConfigMap',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'Lease',
];
/** In which form a body goes: Protobuf is of types that are built in. */
const formOf = (dice: Dice, type: CrossedType): Form =>
  dice.of<Form>(['json', 'json', 'yaml', 'cbor', ...(IN_PROTOBUF.includes(type.kind) ? (['protobuf'] as const) : [])]);
const inForm = (form: Form): Pick<Step, 'form'> => (form === 'json' ? {} : { form });

export const TABLE = 'application/json;as=Table;v=v1;g=meta.{domain}';
export const PARTIAL = (kind: string): string => `application/json;as=${kind};v=v1;g=meta.{domain}`;

/** In which form the answer is asked for; `more` are forms that only some reads have. */
function accepting(dice: Dice, type: CrossedType, more: readonly string[] = []): Record<string, string> {
  if (dice.chance(0.6)) return {};
  const binary = type.custom ? [] : ['application/vnd.{vendor}.protobuf'];
  const accept = dice.of(['application/yaml', 'application/cbor', ...binary, ...more]);
  // What is not there is passed over, and what is wanted less as well.
  return {
    accept: dice.of([accept, accept, `application/x-none, ${accept}`, `application/json;q=0.5,${accept};q=0.9`]),
  };
}

function headersOf(dice: Dice, type: CrossedType): Record<string, string> {
  return { 'user-agent': dice.of(AGENTS), ...accepting(dice, type) };
}

/** What is tried, and what there is not. */
const TRIES = ['dryRun=All', 'dryRun=All', 'dryRun=All', 'dryRun=All', 'dryRun=Some'] as const;
/** Parameters of a write, each now and then. */
function query(dice: Dice, more: readonly string[] = []): string {
  const all = [
    ...(dice.chance(0.2) ? [dice.of(TRIES)] : []),
    ...(dice.chance(0.25) ? [`fieldManager=${dice.of(['ann', 'ben'])}`] : []),
    ...more,
  ];
  return all.length === 0 ? '' : `?${all.join('&')}`;
}

/** Of an apply: its manager, where it has one, is among `more`. */
function withParameters(dice: Dice, path: string, more: readonly string[]): string {
  const all = [...more, ...(dice.chance(0.15) ? [dice.of(TRIES)] : [])];
  return all.length === 0 ? path : `${path}?${all.join('&')}`;
}

const marks = (dice: Dice): JsonObject => ({
  labels: { ...OWN, x: dice.of(digits), ...(dice.chance(0.5) ? { y: '1' } : {}) },
  ...(dice.chance(0.3) ? { annotations: { note: dice.of(['a', ' b ']) } } : {}),
  ...(dice.chance(0.15) ? { finalizers: [HOLD] } : {}),
});

/** What must be refused, or what must not count, in metadata of a new object. */
const FLAWS: readonly ((name: string) => JsonObject)[] = [
  () => ({}),
  () => ({ name: '{id}-A_b' }),
  (name) => ({ name, namespace: '{id}-elsewhere' }),
  (name) => ({ name, labels: OWN, uid: '11111111-2222-3333-4444-555555555555' }),
  (name) => ({ name, labels: OWN, creationTimestamp: '2001-01-01T00:00:00Z' }),
  (name) => ({ name, labels: OWN, deletionTimestamp: '2001-01-01T00:00:00Z' }),
  () => ({ generateName: '{id}-g-', labels: OWN }),
  () => ({ generateName: '{id}-g-', labels: OWN }),
  (name) => ({ generateName: '{id}-g-', name, labels: OWN }),
];

const VALIDATIONS = ['Strict', 'Warn', 'Ignore'] as const;
/**
 * A field that no type has, at the top, in metadata or among the contents. Such a body has no other flaw: which of two is told is
 * left to the server.
 */
const strangers = (dice: Dice): { readonly metadata: JsonObject; readonly rest: JsonObject } =>
  dice.of([
    { metadata: {}, rest: { stranger: '1' } },
    { metadata: { stranger: '1' }, rest: {} },
    { metadata: { stranger: '1' }, rest: { stranger: { deep: '1' } } },
  ]);

function create(dice: Dice, type: CrossedType, name: string, how: 'sound' | 'flawed'): Step {
  const form = formOf(dice, type);
  const step = (body: JsonObject, more: readonly string[] = []): Step => {
    const headers = headersOf(dice, type);
    return {
      as: how === 'sound' ? 'admin' : who(dice),
      method: 'POST',
      path: collectionOf(type) + query(dice, more),
      headers,
      body,
      ...inForm(form),
      ...('accept' in headers ? {} : { keep: kept(name) }),
    };
  };
  const content = type.object(dice);
  if (how === 'sound' || form === 'protobuf')
    return step({ ...whole(type, name, content), metadata: { name, ...marks(dice) } });
  if (dice.chance(0.4)) {
    const { metadata, rest } = strangers(dice);
    const body = { ...whole(type, name, { ...content, ...rest }), metadata: { name, ...marks(dice), ...metadata } };
    return step(body, [`fieldValidation=${dice.of(VALIDATIONS)}`]);
  }
  return step({ ...whole(type, name, content), metadata: dice.of(FLAWS)(name) });
}

/** The object is read first, most of the time, so that the version is the stored one. */
function replace(dice: Dice, type: CrossedType, name: string): Step[] {
  const keep = kept(name);
  const form = formOf(dice, type);
  const headers = headersOf(dice, type);
  const validated = form !== 'protobuf' && dice.chance(0.25);
  const { metadata, rest } = validated ? strangers(dice) : { metadata: {}, rest: {} };
  const odd = dice.chance(0.15)
    ? dice.of<JsonObject>([
        { name: '{id}-9' },
        { creationTimestamp: '2001-01-01T00:00:00Z' },
        { deletionTimestamp: '2001-01-01T00:00:00Z' },
        ...(type.custom ? [] : [{ resourceVersion: null }]),
      ])
    : {};
  const put: Step = {
    as: who(dice),
    method: 'PUT',
    path: itemOf(type, name) + query(dice, validated ? [`fieldValidation=${dice.of(VALIDATIONS)}`] : []),
    headers,
    body: {
      // What is kept has times, which the messages take as numbers: such a body names no version.
      ...(form === 'protobuf' ? {} : { $of: keep }),
      ...whole(type, name, { ...type.change(dice), ...rest }),
      metadata: { name, ...marks(dice), ...metadata, ...(form === 'protobuf' || validated ? {} : odd) },
    },
    ...inForm(form),
    ...(dice.chance(0.6) && !('accept' in headers) ? { keep } : {}),
  };
  const read: Step = { as: 'admin', method: 'GET', path: itemOf(type, name), keep };
  return type.custom || dice.chance(0.75) ? [read, put] : [put];
}

/** The version that is kept of an object, which may be an older one. */
const condition = (dice: Dice, name: string): JsonObject =>
  name === NAMES[0] && dice.chance(0.3) ? { resourceVersion: `<<${kept(name)}.metadata.resourceVersion>>` } : {};

/** Changes of metadata, one of which is refused unless they have to be sound. */
const changes = (dice: Dice, isSound: boolean): JsonObject =>
  dice.of<JsonObject>([
    { labels: { x: dice.of(digits) } },
    { labels: { x: null, z: dice.of(digits) } },
    { annotations: { note: null } },
    { annotations: { note: 'c', more: '1' } },
    { finalizers: null },
    { finalizers: [HOLD] },
    isSound ? {} : { name: '{id}-9' },
    {},
  ]);

function merge(dice: Dice, type: CrossedType, name: string): Step {
  const kind = dice.of(['merge', 'strategic'] as const);
  const path = itemOf(type, name);
  // Records are cleared by what changes nothing else: what becomes of both at once is open.
  if (dice.chance(0.04)) {
    const body = { metadata: { managedFields: [{}] } };
    return { as: 'admin', method: 'PATCH', path, headers: { 'content-type': PATCH[kind] }, body };
  }
  const validated = dice.chance(0.25);
  const { metadata, rest } = validated ? strangers(dice) : { metadata: {}, rest: {} };
  // Of a binding the role may not change, and items of lists are merged by keys: metadata alone.
  const content =
    dice.chance(0.4) && type.kind !== 'RoleBinding' && type.kind !== 'ClusterRoleBinding' ? type.change(dice) : {};
  return {
    as: who(dice),
    method: 'PATCH',
    path: path + query(dice, validated ? [`fieldValidation=${dice.of(VALIDATIONS)}`] : []),
    headers: { ...headersOf(dice, type), 'content-type': PATCH[kind] },
    body: {
      ...content,
      ...rest,
      metadata: { ...changes(dice, validated), ...(validated ? metadata : condition(dice, name)) },
    },
  };
}

function operate(dice: Dice, type: CrossedType, name: string): Step {
  const { pointer } = type;
  const operations: readonly JsonObject[] = [
    { op: 'add', path: '/metadata/labels/x', value: dice.of(digits) },
    { op: 'replace', path: '/metadata/labels', value: { ...OWN, x: dice.of(digits) } },
    { op: 'remove', path: '/metadata/labels/y' },
    { op: 'test', path: '/metadata/labels/seq', value: '{id}' },
    { op: 'test', path: '/metadata/labels/seq', value: 'no' },
    { op: 'copy', from: '/metadata/labels/seq', path: '/metadata/labels/w' },
    { op: 'move', from: '/metadata/labels/x', path: '/metadata/labels/v' },
    { op: 'copy', from: pointer, path: pointer },
    { op: 'test', path: pointer, value: ['nothing', 'like', 'it'] },
    { op: 'add', path: '/metadata/annotations', value: { 'a/b': '1' } },
    { op: 'add', path: '/metadata/annotations/a~1b', value: '2' },
    { op: 'add', path: '/metadata/finalizers', value: [HOLD] },
    { op: 'add', path: '/metadata/finalizers/-', value: 'touchstone.example/more' },
    { op: 'remove', path: '/metadata/finalizers' },
  ];
  const version =
    name === NAMES[0] && dice.chance(0.25)
      ? [{ op: 'test', path: '/metadata/resourceVersion', value: `<<${kept(name)}.metadata.resourceVersion>>` }]
      : [];
  const validated = dice.chance(0.2);
  return {
    as: who(dice),
    method: 'PATCH',
    path: itemOf(type, name) + query(dice, validated ? [`fieldValidation=${dice.of(VALIDATIONS)}`] : []),
    headers: { ...headersOf(dice, type), 'content-type': PATCH.json },
    body: [
      ...version,
      dice.of(operations),
      ...(dice.chance(0.5) ? [dice.of(operations)] : []),
      ...(validated ? [{ op: 'add', path: '/stranger', value: '1' }] : []),
    ],
  };
}

function apply(dice: Dice, type: CrossedType, name: string): Step {
  const form = dice.of(['json', 'yaml', 'cbor'] as const);
  const validated = dice.chance(0.2);
  const { metadata, rest } = validated ? strangers(dice) : { metadata: {}, rest: {} };
  const manager = dice.chance(0.95) ? [`fieldManager=${dice.of(['ann', 'ben'])}`] : [];
  const more = [
    ...manager,
    ...(dice.chance(0.4) ? ['force=true'] : []),
    // What becomes of unknown fields that are not refused is open.
    ...(validated ? ['fieldValidation=Strict'] : []),
  ];
  const odd = dice.chance(0.1) ? dice.of<JsonObject>([{ managedFields: [{ manager: 'x' }] }, { name: '{id}-9' }]) : {};
  const labels = { labels: { ...OWN, ...(dice.chance(0.6) ? { x: dice.of(digits) } : {}) } };
  const content = dice.chance(0.6)
    ? type.change(dice)
    : type.kind.endsWith('Binding')
      ? { roleRef: type.object(dice).roleRef }
      : {};
  return {
    as: who(dice),
    method: 'PATCH',
    path: withParameters(dice, itemOf(type, name), more),
    headers: {
      ...accepting(dice, type),
      'content-type': form === 'cbor' ? 'application/apply-patch+cbor' : PATCH.apply,
    },
    body: {
      ...whole(type, name, { ...content, ...rest }),
      metadata: { name, ...labels, ...metadata, ...(validated ? {} : { ...condition(dice, name), ...odd }) },
    },
    ...inForm(form),
  };
}

/** What a write of the status changes, and what it must leave as it is. */
const statusOf = (type: CrossedType, value: number): { readonly status: JsonObject; readonly spec: JsonObject } =>
  type.custom
    ? { status: { size: value }, spec: { note: '9' } }
    : { status: { loadBalancer: { ingress: [{ ip: `10.0.0.${value}` }] } }, spec: { ingressClassName: 'nine' } };

/** The subresources of an object: what they write, and what they leave as it is. */
function status(dice: Dice, type: CrossedType, name: string): Step[] {
  const keep = kept(name);
  const sub = dice.of(['status', 'status', ...(type.subresources ?? [])]);
  const path = `${itemOf(type, name)}/${sub}`;
  const size = 1 + dice.below(4);
  const both: JsonObject = sub === 'status' ? statusOf(type, size) : { spec: { replicas: size } };
  const validated = sub === 'status' && dice.chance(0.25);
  const rest: JsonObject = validated ? { stranger: '1' } : {};
  const more = validated ? [`fieldValidation=${dice.of(VALIDATIONS)}`] : [];
  const method = dice.of(['PUT', 'PATCH', 'PATCH', 'PATCH', 'GET']);
  const get: Step = { as: who(dice), method: 'GET', path, ...headed(accepting(dice, type)) };
  if (method === 'GET') return [get];
  const form = dice.of(['json', 'yaml', 'cbor'] as const);
  const headers = headersOf(dice, type);
  if (method === 'PUT') {
    const from = sub === 'status' ? itemOf(type, name) : path;
    const body: JsonObject = { $of: keep, ...both, ...rest };
    const put: Step = { as: who(dice), method, path: path + query(dice, more), headers, body, ...inForm(form) };
    const first: Step = { as: 'admin', method: 'GET', path: from, keep };
    // An object that was kept earlier may be of an older version.
    if (sub === 'status' && name === NAMES[0] && dice.chance(0.3)) return [put];
    // What is kept is the whole object again for the steps that follow.
    const last: Step = { as: 'admin', method: 'GET', path: itemOf(type, name), keep };
    return [first, put, last];
  }
  const kind = dice.of<PatchKind>(
    sub === 'status' ? ['merge', 'merge', 'json', 'apply', 'strategic'] : ['merge', 'merge', 'json'],
  );
  const [member, value] = sub === 'status' ? (['status', both.status] as const) : (['spec/replicas', size] as const);
  const manager = dice.chance(0.9) ? ['fieldManager=cem', 'force=true'] : [];
  const body: Json =
    kind === 'json'
      ? [
          { op: 'add', path: `/${member}`, value: value as Json },
          ...(validated ? [{ op: 'add', path: '/stranger', value: '1' }] : []),
        ]
      : kind === 'apply'
        ? whole(type, name, { status: both.status })
        : { ...both, ...rest, metadata: condition(dice, name) };
  const asked = kind === 'apply' ? withParameters(dice, path, manager) : path + query(dice, more);
  return [{ as: who(dice), method, path: asked, headers: { ...headers, 'content-type': PATCH[kind] }, body }];
}
const headed = (headers: Record<string, string>): Pick<Step, 'headers'> =>
  Object.keys(headers).length === 0 ? {} : { headers };

function remove(dice: Dice, type: CrossedType, name: string): Step {
  const known: readonly JsonObject[] = [
    { preconditions: { uid: `<<${kept(name)}.metadata.uid>>` } },
    { preconditions: { resourceVersion: `<<${kept(name)}.metadata.resourceVersion>>` } },
  ];
  const options = dice.chance(0.5)
    ? dice.of<JsonObject>([
        ...(name === NAMES[0] ? known : []),
        { preconditions: { uid: '11111111-2222-3333-4444-555555555555' } },
        { dryRun: ['All'] },
        { dryRun: ['Some'] },
        {},
      ])
    : undefined;
  const form = dice.of(['json', 'yaml', 'cbor'] as const);
  return {
    as: who(dice),
    method: 'DELETE',
    path: `${itemOf(type, name)}${options === undefined && dice.chance(0.3) ? `?${dice.of(TRIES)}` : ''}`,
    ...headed(accepting(dice, type)),
    // Of a body that comes with parameters, which of the two counts is open.
    ...(options
      ? {
          body: {
            apiVersion: 'v1',
            kind: 'DeleteOptions',
            ...(dice.chance(0.3) ? { dryRun: ['All'] } : {}),
            ...options,
          },
          ...inForm(form),
        }
      : {}),
  };
}

const SELECTORS = ['x%3D1', 'x%3D1,y%3D1', 'x!%3D1', 'y', '!y', 'x+in+(1,2)', 'x+notin+(1)', 'x%3D%3D2'] as const;
const ownOnly = (dice: Dice): string => `labelSelector=seq%3D{id}${dice.chance(0.5) ? `,${dice.of(SELECTORS)}` : ''}`;
const byName = (dice: Dice): string[] =>
  dice.chance(0.2) ? [`fieldSelector=metadata.name${dice.of(['%3D', '!%3D'])}{id}-1`] : [];

function removeAll(dice: Dice, type: CrossedType): Step {
  const parts = [ownOnly(dice), ...byName(dice), ...(dice.chance(0.4) ? [dice.of(TRIES)] : [])];
  return { as: who(dice), method: 'DELETE', path: `${collectionOf(type)}?${parts.join('&')}` };
}

function read(dice: Dice, type: CrossedType, name: string): Step {
  const headers = accepting(dice, type, [TABLE, PARTIAL('PartialObjectMetadata')]);
  return {
    as: who(dice),
    method: 'GET',
    path: itemOf(type, name),
    ...headed(headers),
    ...('accept' in headers ? {} : { keep: kept(name) }),
  };
}

/** A list of one namespace, of all, or of what has none; at the version of an earlier one too. */
function list(dice: Dice, type: CrossedType): Step {
  const path = type.namespaced && dice.chance(0.35) ? `${type.root}/${type.plural}` : collectionOf(type);
  const headers = accepting(dice, type, [TABLE, PARTIAL('PartialObjectMetadataList')]);
  const at = dice.chance(0.3)
    ? [`resourceVersion=<<list.metadata.resourceVersion>>&resourceVersionMatch=${dice.of(['Exact', 'NotOlderThan'])}`]
    : [];
  return {
    as: who(dice),
    method: 'GET',
    path: `${path}?${[ownOnly(dice), ...byName(dice), ...at].join('&')}`,
    ...headed(headers),
    ...('accept' in headers ? {} : { keep: 'list' }),
  };
}

/** Chunks of one object each, to the end and beyond; of types of which a server makes no objects in a namespace. */
function walk(dice: Dice, type: CrossedType): Step[] {
  if (!type.custom && !['Lease', 'Role', 'RoleBinding', 'Ingress'].includes(type.kind)) return [list(dice, type)];
  const path = type.custom && dice.chance(0.4) ? `${type.root}/${type.plural}` : collectionOf(type);
  const chunk = (token: string): Step => ({
    as: 'admin',
    method: 'GET',
    path: `${path}?limit=1${token}`,
    ...headed(dice.chance(0.2) ? { accept: dice.of([TABLE, PARTIAL('PartialObjectMetadataList')]) } : {}),
    keep: 'page',
  });
  const next = '&continue=<<page.metadata.continue>>';
  return [chunk(''), chunk(next), chunk(next)];
}

/** A watch of one namespace, of all, or of what has none, from a version on which changes may have followed already. */
function watch(dice: Dice, type: CrossedType): Step {
  const path = type.namespaced && dice.chance(0.35) ? `${type.root}/${type.plural}` : collectionOf(type);
  const from = dice.of([
    ['resourceVersion=<<list.metadata.resourceVersion>>'],
    ['resourceVersion=<<list.metadata.resourceVersion>>'],
    [`resourceVersion=<<${kept(NAMES[0])}.metadata.resourceVersion>>`],
    [],
    ['sendInitialEvents=true', 'resourceVersionMatch=NotOlderThan', 'allowWatchBookmarks=true'],
  ]);
  const accept = dice.chance(0.25) ? { accept: dice.of([TABLE, PARTIAL('PartialObjectMetadata')]) } : {};
  return {
    as: who(dice),
    method: 'GET',
    path: `${path}?watch=true&${[ownOnly(dice), ...byName(dice), ...from].join('&')}`,
    ...headed(accept),
    open: true,
  };
}
