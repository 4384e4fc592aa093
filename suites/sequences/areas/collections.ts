import type { Dice } from '../../covering/dice.ts';
import type { JsonObject } from '../../harness/json.ts';
import type { Step } from '../step.ts';
import { collectionOf, type SequenceType, TYPES, texts } from '../types.ts';
import { defining, PATCH, whole } from './objects.ts';

const SORTS = [
  'ConfigMap',
  'Widget',
  'Planet',
  'Secret',
  'ClusterRole',
  'Deployment',
  'ClusterRoleBinding',
  'ValidatingWebhookConfiguration',
  'Lease',
];
const LISTED = TYPES.filter(({ kind }) => SORTS.includes(kind));
const TABLE = 'application/json;as=Table;v=v1;g=meta.{domain}';
const PARTIAL = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.{domain}';
const SELECTORS = [
  'x%3D1',
  'x%3D1,y%3D1',
  'x!%3D1',
  'x',
  '!x',
  'x+in+(1,2)',
  'x+notin+(1)',
  'x%3D1,y!%3D2',
  'x+in+(1),y',
  'y%3D%3D1',
];

/** Several objects, listed in every way, by chunks, at versions and under watches, while they change. */
export function collections(dice: Dice): Step[] {
  const type = dice.of(LISTED);
  const names = ['a', 'b', 'c', 'd', 'e'].slice(0, 2 + dice.below(4)).map((letter) => `{id}-${letter}`);
  const steps = defining(type);
  if (dice.chance(0.2)) steps.push(list(dice, type));
  if (dice.chance(0.5)) steps.push(watch(dice, type));
  for (const name of names) steps.push(create(dice, type, name));
  if (dice.chance(0.4)) steps.push({ as: 'admin', method: 'GET', path: all(type), keep: 'list' });
  const count = 8 + dice.below(12);
  for (let at = 0; at < count; at++) {
    const roll = dice.below(10);
    if (roll < 5) steps.push(list(dice, type));
    else if (roll < 6) steps.push(watch(dice, type));
    else if (roll < 7) steps.push(...walk(dice, type));
    else steps.push(change(dice, type, dice.of(names)));
  }
  return steps;
}

/** A namespaced collection; of a cluster-scoped type what carries the label of the sequence. */
const all = (type: SequenceType): string =>
  type.namespaced ? collectionOf(type) : `${collectionOf(type)}?labelSelector=seq%3D{id}`;

function create(dice: Dice, type: SequenceType, name: string): Step {
  const body = whole(type, name, { ...type.object(dice), metadata: { name, labels: { seq: '{id}', ...texts(dice) } } });
  return {
    as: 'admin',
    method: 'POST',
    path: collectionOf(type, dice.chance(0.8) ? '{ns}' : '{ns2}'),
    body,
    keep: name.slice(-1),
  };
}

function change(dice: Dice, type: SequenceType, name: string): Step {
  const path = `${collectionOf(type)}/${name}`;
  return dice.of<() => Step>([
    () => ({ as: 'admin', method: 'DELETE', path }),
    () => create(dice, type, name),
    () => ({
      as: 'admin',
      method: 'PATCH',
      path,
      headers: { 'content-type': PATCH.merge },
      body: { metadata: { labels: { x: dice.of(['1', '2', null]), y: dice.of(['1', null]) } } },
      keep: name.slice(-1),
    }),
    () => ({
      as: 'admin',
      method: 'PATCH',
      path,
      headers: { 'content-type': PATCH.merge },
      body: { metadata: { finalizers: dice.of<readonly string[]>([['touchstone.example/a'], []]) } },
    }),
    () => ({ as: 'admin', method: 'PATCH', path, headers: { 'content-type': PATCH.merge }, body: type.change(dice) }),
    () => ({ as: 'admin', method: 'GET', path, keep: name.slice(-1) }),
    () => ({ as: 'admin', method: 'PATCH', path, headers: { 'content-type': PATCH.merge }, body: {} }),
  ])();
}

/** The version of some object, of a list, or one that says nothing. */
const version = (dice: Dice): string =>
  dice.of([
    '0',
    '',
    '<<a.metadata.resourceVersion>>',
    '<<b.metadata.resourceVersion>>',
    '<<list.metadata.resourceVersion>>',
    '<<page.metadata.resourceVersion>>',
    '99999999',
    'abc',
  ]);

function scoped(dice: Dice, type: SequenceType): { path: string; own: boolean } {
  if (!type.namespaced) return { path: collectionOf(type), own: false };
  if (dice.chance(0.2)) return { path: `${type.root}/${type.plural}`, own: false };
  return { path: collectionOf(type, dice.chance(0.9) ? '{ns}' : '{ns2}'), own: true };
}

function selections(dice: Dice, own: boolean): string[] {
  const selected = dice.chance(0.4) ? [dice.of(SELECTORS)] : [];
  // Of collections that all share, only the own objects.
  const labels = own ? selected : ['seq%3D{id}', ...selected];
  return [
    ...(labels.length > 0 ? [`labelSelector=${labels.join(',')}`] : []),
    ...(dice.chance(0.12)
      ? [
          `fieldSelector=${dice.of(['metadata.name%3D{id}-a', 'metadata.name!%3D{id}-a', 'metadata.namespace%3D{ns}', 'metadata.namespace!%3D{ns2}', 'none%3D1', 'metadata.name%3D{id}-a,metadata.namespace%3D{ns}'])}`,
        ]
      : []),
  ];
}

function list(dice: Dice, type: SequenceType): Step {
  const { path, own } = scoped(dice, type);
  const parts = [
    ...selections(dice, own),
    ...(dice.chance(0.35) ? [`limit=${dice.of(['1', '2', '3', '0', '500', 'x', '-1'])}`] : []),
    ...(dice.chance(0.4) ? [`resourceVersion=${version(dice)}`] : []),
    ...(dice.chance(0.3)
      ? [`resourceVersionMatch=${dice.of(['Exact', 'NotOlderThan', 'Exact', 'NotOlderThan', 'Roughly'])}`]
      : []),
    ...(dice.chance(0.1)
      ? [`continue=${dice.of(['<<page.metadata.continue>>', 'bm9uZQ', '<<page.metadata.continue>>'])}`]
      : []),
    ...(dice.chance(0.05) ? ['timeoutSeconds=5'] : []),
  ];
  const accept = dice.chance(0.2)
    ? {
        headers: {
          accept: dice.of([
            TABLE,
            PARTIAL,
            'application/yaml',
            'application/vnd.{vendor}.protobuf',
            'application/cbor',
          ]),
        },
      }
    : {};
  return {
    as: 'admin',
    method: 'GET',
    path: join(path, parts),
    ...accept,
    ...(dice.chance(0.3) && !('headers' in accept) ? { keep: dice.of(['list', 'page']) } : {}),
  };
}

/** All chunks of a list, one after another, with writes between them. */
function walk(dice: Dice, type: SequenceType): Step[] {
  const { path, own } = scoped(dice, type);
  const chosen = selections(dice, own);
  const limit = `limit=${dice.of(['1', '2'])}`;
  const accept = dice.chance(0.2) ? { headers: { accept: dice.of([TABLE, PARTIAL]) } } : {};
  const first: Step = { as: 'admin', method: 'GET', path: join(path, [...chosen, limit]), keep: 'page', ...accept };
  const odd = dice.chance(0.2) ? [`resourceVersion=${dice.of(['0', '<<page.metadata.resourceVersion>>'])}`] : [];
  const next: Step = { ...first, path: join(path, [...chosen, limit, 'continue=<<page.metadata.continue>>', ...odd]) };
  const between = (): Step[] => (dice.chance(0.5) ? [change(dice, type, `{id}-${dice.of(['a', 'b', 'c'])}`)] : []);
  const again = dice.chance(0.2) ? [{ ...next }] : [];
  const { keep: _, ...kept } = next;
  return [first, ...between(), ...(dice.chance(0.3) ? [kept] : again), next, ...between(), next, next];
}

function watch(dice: Dice, type: SequenceType): Step {
  const { path, own } = scoped(dice, type);
  const initial = dice.chance(0.3);
  const parts = [
    'watch=true',
    ...selections(dice, own),
    ...(dice.chance(0.5) ? [`resourceVersion=${version(dice)}`] : []),
    ...(dice.chance(0.3) || initial ? ['allowWatchBookmarks=true'] : []),
    ...(initial ? [`sendInitialEvents=${dice.of(['true', 'false', 'true'])}`] : []),
    ...((initial && dice.chance(0.85)) || dice.chance(0.1)
      ? [`resourceVersionMatch=${dice.of(['NotOlderThan', 'NotOlderThan', 'Exact'])}`]
      : []),
    ...(dice.chance(0.08) ? ['limit=1'] : []),
    ...(dice.chance(0.1) ? ['timeoutSeconds=300'] : []),
  ];
  const accept = dice.chance(0.2)
    ? {
        headers: {
          accept: dice.of([
            'application/json;as=Table;v=v1;g=meta.{domain}',
            'application/json;as=PartialObjectMetadata;v=v1;g=meta.{domain}',
            'application/cbor',
            'application/vnd.{vendor}.protobuf;stream=watch',
            'application/json;stream=watch',
            'application/yaml',
          ]),
        },
      }
    : {};
  return { as: 'admin', method: 'GET', path: join(path, parts), open: true, ...accept };
}

const join = (path: string, parts: readonly string[]): string =>
  parts.length === 0 ? path : `${path}?${parts.join('&')}`;

/** Owners and dependents, deleted in every order and by every policy. */
export function dependents(dice: Dice): Step[] {
  const maps = collectionOf(TYPES[0] as SequenceType);
  const named = (name: string, more: JsonObject = {}): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...more },
  });
  const owned = (name: string): JsonObject => ({
    ownerReferences: [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name,
        uid: `<<${name.slice(-1)}.metadata.uid>>`,
        ...(dice.chance(0.5) ? { blockOwnerDeletion: true } : {}),
      },
    ],
  });
  const policy = dice.of(['Orphan', 'Background', 'Foreground', undefined]);
  const query = policy === undefined ? '' : `?propagationPolicy=${policy}`;
  return [
    {
      as: 'admin',
      method: 'POST',
      path: maps,
      body: named('{id}-o', dice.chance(0.3) ? { finalizers: ['touchstone.example/a'] } : {}),
      keep: 'o',
    },
    { as: 'admin', method: 'POST', path: maps, body: named('{id}-p'), keep: 'p' },
    { as: 'admin', method: 'POST', path: maps, body: named('{id}-d', owned('{id}-o')), keep: 'd' },
    { as: 'admin', method: 'POST', path: maps, body: named('{id}-e', owned('{id}-p')), keep: 'e' },
    { as: 'admin', method: 'DELETE', path: `${maps}/{id}-o${query}` },
    { as: 'admin', method: 'GET', path: `${maps}/{id}-d` },
    { as: 'admin', method: 'GET', path: `${maps}/{id}-e` },
    ...dice.some<Step>([
      { as: 'admin', method: 'DELETE', path: `${maps}/{id}-o` },
      {
        as: 'admin',
        method: 'PATCH',
        path: `${maps}/{id}-o`,
        headers: { 'content-type': PATCH.merge },
        body: { metadata: { finalizers: [] } },
      },
      { as: 'admin', method: 'POST', path: maps, body: named('{id}-o') },
      { as: 'admin', method: 'DELETE', path: '/api/v1/namespaces/{ns2}' },
      { as: 'admin', method: 'GET', path: '/api/v1/namespaces/{ns2}' },
      { as: 'admin', method: 'POST', path: '/api/v1/namespaces/{ns2}/configmaps', body: named('{id}-l') },
    ]),
    { as: 'admin', method: 'GET', path: maps },
  ];
}
