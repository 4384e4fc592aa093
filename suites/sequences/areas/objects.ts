import type { Dice } from '../../covering/dice.ts';
import type { Json, JsonObject } from '../../harness/json.ts';
import type { Step, Who } from '../step.ts';
import { collectionOf, definition, type SequenceType, TYPES, texts } from '../types.ts';

const NAMES = ['{id}-1', '{id}-2'] as const;
const FINALIZERS = ['touchstone.example/b', 'touchstone.example/a'];
const MANAGERS = ['ann', 'ben', 'cem'] as const;
export const PATCH = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;
type PatchKind = keyof typeof PATCH;

/** What is asked first so that the type is there. */
export function defining(type: SequenceType): Step[] {
  if (!type.custom) return [];
  const path = '/apis/apiextensions.{domain}/v1/customresourcedefinitions';
  const scope = type.namespaced ? 'Namespaced' : 'Cluster';
  return [
    { as: 'admin', method: 'POST', path, body: definition(type.plural, type.kind, scope) },
    { as: 'admin', method: 'GET', path: collectionOf(type), until: 'allowed' },
  ];
}

/** One type written and read in every way, with every parameter, by several managers, by wrong bodies too. */
export function objects(dice: Dice, type = dice.of(TYPES)): Step[] {
  const steps = defining(type);
  const count = 8 + dice.below(14);
  steps.push(created(dice, type, NAMES[0]));
  for (let at = 0; at < count; at++) steps.push(...anyStep(dice, type));
  return steps;
}

export const whole = (type: SequenceType, name: string, rest: JsonObject): JsonObject => ({
  apiVersion: type.apiVersion,
  kind: type.kind,
  metadata: { name },
  ...rest,
});

function created(dice: Dice, type: SequenceType, name: string): Step {
  return {
    as: 'admin',
    method: 'POST',
    path: collectionOf(type),
    body: whole(type, name, { ...type.object(dice), metadata: { name, labels: texts(dice) } }),
    keep: name === NAMES[0] ? 'one' : 'two',
  };
}

function anyStep(dice: Dice, type: SequenceType): Step[] {
  const roll = dice.below(100);
  const name = dice.of(dice.chance(0.7) ? [NAMES[0]] : NAMES);
  const keep = name === NAMES[0] ? 'one' : 'two';
  const as = who(dice);
  if (roll < 14) return [post(dice, type, name, as, keep)];
  if (roll < 28) return [put(dice, type, name, as, keep)];
  if (roll < 62) return [patch(dice, type, name, as, keep)];
  if (roll < 72) return [remove(dice, type, name, as)];
  if (roll < 75) return [removeAll(dice, type, as)];
  if (roll < 83) return [subresource(dice, type, name, as)];
  if (roll < 86) return [odd(dice, type, name)];
  return [get(dice, type, name, as)];
}

const who = (dice: Dice): Who => (dice.chance(0.93) ? 'admin' : dice.of<Who>(['nobody', { user: '{id}-ann' }]));
const itemOf = (type: SequenceType, name: string) => `${collectionOf(type)}/${name}`;

/** The parameters that every write takes, each now and then. */
function parameters(dice: Dice, more: readonly string[] = []): string {
  const rarely = (probability: number, choices: readonly string[]) =>
    dice.chance(probability) ? [dice.of(choices)] : [];
  const all = [
    ...rarely(0.14, ['dryRun=All', 'dryRun=All', 'dryRun=', 'dryRun=Some', 'dryRun=All&dryRun=All']),
    ...rarely(0.22, [
      'fieldValidation=Strict',
      'fieldValidation=Warn',
      'fieldValidation=Ignore',
      'fieldValidation=Loose',
    ]),
    ...rarely(0.3, [
      ...MANAGERS.map((name) => `fieldManager=${name}`),
      'fieldManager=',
      `fieldManager=${'m'.repeat(129)}`,
    ]),
    ...rarely(0.05, ['pretty=true', 'pretty=1']),
    ...more,
  ];
  return all.length === 0 ? '' : `?${all.join('&')}`;
}

/** Metadata in which a client may write, and such as it may not, each now and then. */
function metadata(dice: Dice): JsonObject {
  const rarely = (probability: number, part: () => JsonObject): JsonObject => (dice.chance(probability) ? part() : {});
  return {
    ...rarely(0.4, () => ({ labels: texts(dice) })),
    ...rarely(0.2, () => ({ annotations: { note: dice.of([' a ', 'b', '']) } })),
    ...rarely(0.12, () => ({ finalizers: dice.few(FINALIZERS) })),
    ...rarely(0.05, () => ({ uid: dice.of(['11111111-2222-3333-4444-555555555555', '']) })),
    ...rarely(0.05, () => ({ creationTimestamp: '2001-01-01T00:00:00Z' })),
    ...rarely(0.05, () => ({ deletionTimestamp: '2001-01-01T00:00:00Z' })),
    ...rarely(0.03, () => ({ generation: 77 })),
    ...rarely(0.05, () => ({ managedFields: dice.of<readonly Json[]>([[{}], [], [{ manager: 'x' }]]) })),
    ...rarely(0.06, () => ({
      ownerReferences: dice.of<readonly Json[]>([
        [OWNER],
        [
          { ...OWNER, controller: true },
          { ...OWNER, uid: 'u2', controller: true },
        ],
      ]),
    })),
    ...rarely(0.03, () => ({ labels: dice.of<Json>([{ x: 1 }, ['a'], { 'a b': 'c' }, { x: 'b c' }, 'x']) })),
    ...rarely(0.02, () => ({ annotations: dice.of<Json>([{ x: 1 }, { 'a b/c': 'c' }]) })),
    ...rarely(0.02, () => ({ finalizers: dice.of<Json>(['a', [1], ['no slash here']]) })),
  };
}
const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'u1' };

const versions = (keep: string) => [`<<${keep}.metadata.resourceVersion>>`, '1', '999999999', 'abc', ''];

function post(dice: Dice, type: SequenceType, name: string, as: Who, keep: string): Step {
  const rest = { ...type.object(dice), ...(dice.chance(0.3) ? type.change(dice) : {}) };
  const naming = dice.chance(0.75)
    ? { name }
    : dice.of<JsonObject>([
        { generateName: '{id}-g-' },
        { generateName: '{id}-g-', name },
        {},
        { name: 'A_b' },
        { name, namespace: '{ns2}' },
        { name, namespace: '{ns}' },
        { name: `{id}-${'n'.repeat(250)}` },
      ]);
  const body = { ...whole(type, name, rest), metadata: { ...naming, ...metadata(dice) }, ...mistaken(dice, type) };
  return written(dice, {
    as,
    method: 'POST',
    path: collectionOf(type, dice.chance(0.95) ? '{ns}' : dice.of(['{ns2}', '{id}-none'])) + parameters(dice),
    body,
    ...(dice.chance(0.5) ? { keep } : {}),
  });
}

/** Kind and version of another type, or a field that nobody knows. */
function mistaken(dice: Dice, type: SequenceType): JsonObject {
  if (dice.chance(0.85)) return {};
  return dice.of<JsonObject>([
    { kind: 'Other' },
    { apiVersion: 'v7' },
    { kind: undefined },
    { apiVersion: undefined },
    { apiVersion: type.apiVersion.includes('/') ? type.apiVersion.split('/')[1] : `core/${type.apiVersion}` },
    { unknown: '1' },
    { unknown: { deep: '1' }, other: 2 },
    { kind: `${type.kind}List`, items: [] },
  ]);
}

function put(dice: Dice, type: SequenceType, name: string, as: Who, keep: string): Step {
  const fresh = dice.chance(0.2);
  const version = dice.chance(0.25) ? { resourceVersion: dice.of(versions(keep)) } : {};
  const named = dice.chance(0.94)
    ? {}
    : dice.of<JsonObject>([{ name: '{id}-3' }, { namespace: '{ns2}' }, { name: null }]);
  const change = dice.chance(0.6) ? type.change(dice) : {};
  const body = fresh
    ? { ...whole(type, name, type.object(dice)), metadata: { name, ...metadata(dice), ...version, ...named } }
    : { $of: keep, ...change, metadata: { ...metadata(dice), ...version, ...named }, ...mistaken(dice, type) };
  return written(dice, {
    as,
    method: 'PUT',
    path: itemOf(type, fresh && dice.chance(0.4) ? '{id}-3' : name) + parameters(dice),
    body,
    ...(dice.chance(0.6) ? { keep } : {}),
  });
}

function patch(dice: Dice, type: SequenceType, name: string, as: Who, keep: string): Step {
  const kind = dice.of<PatchKind>(['json', 'merge', 'strategic', 'apply', 'apply', 'merge']);
  const headers = { 'content-type': PATCH[kind], ...agent(dice) };
  const base = { as, method: 'PATCH', headers, ...(dice.chance(0.4) ? { keep } : {}) } as const;
  if (kind === 'json') {
    const body = operations(dice, type, keep);
    return {
      ...base,
      path: itemOf(type, name) + parameters(dice),
      ...(dice.chance(0.97) ? { body } : { text: 'null' }),
    };
  }
  const version = dice.chance(0.12) ? { resourceVersion: dice.of(versions(keep)) } : {};
  const meta = {
    ...metadata(dice),
    ...version,
    ...(dice.chance(0.04) ? { name: '{id}-3' } : {}),
    ...(dice.chance(0.04) ? { namespace: '{ns2}' } : {}),
  };
  if (kind !== 'apply') {
    const body: JsonObject = {
      ...type.change(dice),
      ...(Object.keys(meta).length > 0 ? { metadata: meta } : {}),
      ...(dice.chance(0.08) ? { unknown: dice.of<Json>(['1', null]) } : {}),
    };
    const freed = dice.chance(0.06)
      ? { metadata: { finalizers: dice.of<Json>([null, [FINALIZERS[0] as string]]) } }
      : body;
    const text = dice.chance(0.05)
      ? dice.of([
          'null',
          '[]',
          '"x"',
          '{"metadata":{"labels":{"x":"1","x":"2"}}}',
          '{',
          '{"metadata":{"annotations":{"n":12345678901234567890}}}',
        ])
      : undefined;
    return {
      ...base,
      path: itemOf(type, name) + parameters(dice),
      ...(text === undefined ? { body: freed } : { text }),
    };
  }
  const force = dice.chance(0.3) ? [dice.of(['force=true', 'force=false', 'force=1'])] : [];
  const manager = dice.chance(0.9) ? [`fieldManager=${dice.of(MANAGERS)}`] : [];
  const rest = dice.chance(0.35) ? type.object(dice) : type.change(dice);
  const body = { ...whole(type, name, rest), metadata: { name, ...meta }, ...mistaken(dice, type) };
  const path = itemOf(type, dice.chance(0.9) ? name : '{id}-4');
  return {
    ...base,
    path: path + dryOnly(dice, [...manager, ...force]),
    body,
    ...(dice.chance(0.15) ? { form: 'yaml' as const } : {}),
  };
}

/** Of an apply: its manager is among the others. */
function dryOnly(dice: Dice, more: readonly string[]): string {
  const rarely = (probability: number, choices: readonly string[]) =>
    dice.chance(probability) ? [dice.of(choices)] : [];
  const all = [
    ...rarely(0.12, ['dryRun=All', 'dryRun=', 'dryRun=Some']),
    ...rarely(0.15, [
      'fieldValidation=Strict',
      'fieldValidation=Warn',
      'fieldValidation=Ignore',
      'fieldValidation=Loose',
    ]),
    ...more,
  ];
  return all.length === 0 ? '' : `?${all.join('&')}`;
}

const agent = (dice: Dice): Record<string, string> =>
  dice.chance(0.15) ? { 'user-agent': dice.of(['tool/1.2 (x)', 'other', 'a'.repeat(140)]) } : {};

/** Operations of a JSON patch (RFC 6902) for what a change would set, and such as fail. */
function operations(dice: Dice, type: SequenceType, keep: string): Json {
  const leaves = [...leavesOf(type.change(dice), '')].slice(0, 4);
  const own = leaves.map(([path, value]) => ({
    op: dice.of(['add', 'add', 'replace', 'test', 'remove']),
    path,
    value,
  }));
  const more = dice.some<JsonObject>(
    [
      { op: 'add', path: '/metadata/labels', value: texts(dice) },
      { op: 'add', path: '/metadata/annotations', value: { 'a/b': '1', 'c~d': '2' } },
      { op: 'test', path: '/metadata/annotations/a~1b', value: '1' },
      { op: 'replace', path: '/metadata/annotations/c~0d', value: '3' },
      { op: 'test', path: '/metadata/resourceVersion', value: `<<${keep}.metadata.resourceVersion>>` },
      { op: 'replace', path: '/metadata/uid', value: 'u' },
      { op: 'test', path: '/metadata/labels/none', value: null },
      { op: 'copy', from: '/metadata/name', path: '/metadata/labels/y' },
      { op: 'move', from: '/metadata/labels/x', path: '/metadata/labels/z' },
      { op: 'remove', path: '/metadata/labels/x' },
      { op: 'replace', path: '/metadata/labels/w', value: '1' },
      { op: 'fly', path: '/metadata/labels/x' },
      { op: 'remove', path: '/metadata/finalizers' },
      { op: 'add', path: '/metadata/finalizers', value: [FINALIZERS[0] as string] },
      { op: 'add', path: '/unknown', value: '1' },
      { op: 'add', path: '/metadata/labels', value: { y: '9' } },
      { op: 'add', path: '/metadata/labels/y', value: '1' },
      { op: 'add', path: '/metadata/labels/y', value: '2' },
    ],
    0.12,
  );
  return dice.chance(0.5) ? [...own, ...more] : [...more, ...own];
}
function* leavesOf(value: Json, path: string): Generator<readonly [string, Json]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) yield [path, value];
  else
    for (const [key, inner] of Object.entries(value))
      yield* leavesOf(inner ?? null, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

function remove(dice: Dice, type: SequenceType, name: string, as: Who): Step {
  const keep = name === NAMES[0] ? 'one' : 'two';
  const query = dice.chance(0.3)
    ? `?${dice.of(['dryRun=All', 'dryRun=', 'dryRun=Some', 'propagationPolicy=Foreground', 'propagationPolicy=Orphan', 'propagationPolicy=Background', 'propagationPolicy=Never', 'gracePeriodSeconds=0', 'gracePeriodSeconds=-5', 'gracePeriodSeconds=x', 'orphanDependents=true', 'pretty=true'])}`
    : '';
  const body = dice.chance(0.4)
    ? dice.of<JsonObject>([
        {},
        { preconditions: { uid: `<<${keep}.metadata.uid>>` } },
        { preconditions: { resourceVersion: `<<${keep}.metadata.resourceVersion>>` } },
        { preconditions: { uid: 'another' } },
        { preconditions: { resourceVersion: '1' } },
        { dryRun: ['All'] },
        { dryRun: ['Some'] },
        { propagationPolicy: 'Foreground' },
        { propagationPolicy: 'Orphan' },
        { propagationPolicy: 'Never' },
        { propagationPolicy: 'Orphan', orphanDependents: true },
        { gracePeriodSeconds: 0 },
        { kind: 'DeleteOptions', apiVersion: 'v1' },
      ])
    : undefined;
  return { as, method: 'DELETE', path: itemOf(type, name) + query, ...(body ? { body } : {}) };
}

function removeAll(dice: Dice, type: SequenceType, as: Who): Step {
  // Of cluster-scoped types only those of the sequence may go.
  const selection = type.namespaced
    ? dice.of(['', 'labelSelector=x%3D1', 'labelSelector=x', 'fieldSelector=metadata.name%3D{id}-1', 'limit=1'])
    : 'fieldSelector=metadata.name%3D{id}-1';
  const more = dice.chance(0.35)
    ? dice.of([
        'dryRun=All',
        'dryRun=',
        'dryRun=Some',
        'propagationPolicy=Orphan',
        'propagationPolicy=Never',
        'gracePeriodSeconds=0',
        'resourceVersion=0',
        'pretty=true',
      ])
    : '';
  const query = [selection, more].filter((each) => each !== '').join('&');
  return {
    as,
    method: 'DELETE',
    path: `${collectionOf(type)}${query === '' ? '' : `?${query}`}`,
    ...(dice.chance(0.15) ? { body: { propagationPolicy: 'Background' } } : {}),
  };
}

function subresource(dice: Dice, type: SequenceType, name: string, as: Who): Step {
  const sub = dice.of([...(type.subresources ?? []), 'status', 'scale', 'nothing']);
  const path = `${itemOf(type, name)}/${sub}`;
  const scale = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name, namespace: '{ns}' },
    spec: { replicas: dice.below(4) },
  };
  const body: JsonObject =
    sub === 'scale'
      ? scale
      : dice.chance(0.5)
        ? { $of: 'one', ...type.change(dice) }
        : { $of: 'one', status: { size: 2, replicas: 1 }, metadata: { labels: texts(dice) } };
  return dice.of<() => Step>([
    () => ({ as, method: 'GET', path }),
    () => ({ as, method: 'PUT', path: path + parameters(dice), body }),
    () => ({
      as,
      method: 'PATCH',
      path: path + parameters(dice),
      headers: { 'content-type': PATCH.merge },
      body:
        sub === 'scale'
          ? { spec: { replicas: dice.below(4) } }
          : dice.of<JsonObject>([{ status: { size: 3, replicas: 2 } }, type.change(dice)]),
    }),
    () => ({
      as,
      method: 'PATCH',
      path: `${path}?fieldManager=${dice.of(MANAGERS)}${dice.chance(0.5) ? '&force=true' : ''}`,
      headers: { 'content-type': PATCH.apply },
      body: sub === 'scale' ? scale : whole(type, name, { status: { size: dice.below(3) } }),
    }),
    () => ({ as, method: 'POST', path, body: {} }),
  ])();
}

/** What is asked of the wrong path or with the wrong method. */
function odd(dice: Dice, type: SequenceType, name: string): Step {
  const collection = collectionOf(type);
  return dice.of<Step>([
    { as: 'admin', method: 'POST', path: itemOf(type, name), body: {} },
    { as: 'admin', method: 'PUT', path: collection, body: {} },
    { as: 'admin', method: 'PATCH', path: collection, headers: { 'content-type': PATCH.merge }, body: {} },
    { as: 'admin', method: 'BREW', path: collection },
    { as: 'admin', method: 'GET', path: `${type.root}/${type.plural}/${name}` },
    { as: 'admin', method: 'GET', path: `${type.root}/namespaces/{ns2}/${type.plural}/${name}` },
    { as: 'admin', method: 'POST', path: collection, text: '' },
    { as: 'admin', method: 'POST', path: collection, text: '{' },
    { as: 'admin', method: 'POST', path: collection, headers: { 'content-type': 'text/plain' }, text: 'x' },
    {
      as: 'admin',
      method: 'POST',
      path: collection,
      headers: { 'content-type': 'application/yaml' },
      text: `apiVersion: ${type.apiVersion}\nkind: ${type.kind}\nmetadata: {name: "{id}-2"}\n---\napiVersion: v1\n`,
    },
    {
      as: 'admin',
      method: 'PATCH',
      path: itemOf(type, name),
      headers: { 'content-type': 'application/json' },
      body: {},
    },
    {
      as: 'admin',
      method: 'PATCH',
      path: itemOf(type, name),
      headers: { 'content-type': PATCH.apply },
      text: 'not: [',
    },
    { as: 'admin', method: 'OPTIONS', path: itemOf(type, name) },
    { as: 'admin', method: 'HEAD', path: itemOf(type, name) },
  ]);
}

const ACCEPTS = [
  'application/yaml',
  'application/vnd.{vendor}.protobuf',
  'application/cbor',
  'application/json;as=Table;v=v1;g=meta.{domain}',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.{domain}',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.{domain}',
  'application/yaml;as=Table;v=v1;g=meta.{domain}',
  'application/*',
  'text/html',
  'text/html, application/json;q=0.5',
  'application/json;q=0, application/yaml',
  'application/json;q=0',
  '*/*',
  'application/yaml, application/json',
  'application/json;pretty=1',
] as const;

function get(dice: Dice, type: SequenceType, name: string, as: Who): Step {
  const keep = name === NAMES[0] ? 'one' : 'two';
  const item = dice.chance(0.65);
  const queries = item
    ? [
        'resourceVersion=0',
        `resourceVersion=<<${keep}.metadata.resourceVersion>>`,
        'resourceVersion=abc',
        'pretty=true',
        'resourceVersion=99999999',
      ]
    : [
        'resourceVersion=0',
        'labelSelector=x%3D1',
        'labelSelector=x%3D1,y',
        'fieldSelector=metadata.name%3D{id}-1',
        'limit=1',
        'limit=x',
        'pretty=true',
        'fieldSelector=spec.none%3D1',
        'labelSelector=%3D%3D',
      ];
  const query = dice.chance(0.35) ? `?${dice.of(queries)}` : '';
  // Collections that the sequence does not own are not asked by chunks.
  const own = type.namespaced || item || !query.includes('limit');
  const headers = dice.chance(0.4)
    ? { accept: dice.of(ACCEPTS) }
    : dice.chance(0.1)
      ? { 'accept-encoding': dice.of(['gzip', 'gzip;q=0', 'identity', 'br']) }
      : undefined;
  return {
    as,
    method: 'GET',
    path: `${item ? itemOf(type, name) : collectionOf(type)}${own ? query : ''}`,
    ...(headers ? { headers } : {}),
    ...(item && !headers && dice.chance(0.4) ? { keep } : {}),
  };
}

/** The kinds that the harness can write in Protobuf. */
const PROTOBUF_KINDS: ReadonlySet<string> = new Set(['ConfigMap', 'Role']);

/** A body now and then in another encoding, as text with mistakes, or sent by another program. */
function written(dice: Dice, step: Step): Step {
  const roll = dice.below(100);
  if (roll < 6 && PROTOBUF_KINDS.has(String((step.body as JsonObject).kind)) && step.method === 'POST')
    return { ...step, form: 'protobuf' };
  if (roll < 8) return { ...step, form: 'yaml' };
  if (roll < 12) return { ...step, form: 'cbor' };
  if (roll < 20) return { ...step, headers: agent(dice) };
  if (roll < 24 && !step.path.includes('?')) {
    const { body, ...rest } = step;
    const text = JSON.stringify(body).replace(/"metadata":\{/, '"metadata":{"name":"{id}-2","name":"{id}-1",');
    return text.includes('$of')
      ? step
      : { ...rest, path: `${rest.path}?fieldValidation=${dice.of(['Strict', 'Warn', 'Ignore'])}`, text };
  }
  return step;
}
