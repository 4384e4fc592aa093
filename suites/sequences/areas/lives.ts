import type { Dice } from '../../covering/dice.ts';
import { isRecord, type Json, type JsonObject } from '../../harness/json.ts';
import type { Step } from '../step.ts';
import { collectionOf, TYPES } from '../types.ts';
import { defining, PATCH, whole } from './objects.ts';

const NAME = '{id}-1';
const HOLD = 'touchstone.example/a';
const PATCHES = [PATCH.merge, PATCH.strategic] as const;

/** One object from its creation to its end: held when it is deleted, and changed in each way while it goes. */
export function lives(dice: Dice, type = dice.of(TYPES)): Step[] {
  const item = `${collectionOf(type)}/${NAME}`;
  const patched = (body: JsonObject, query = ''): Step => ({
    as: 'admin',
    method: 'PATCH',
    path: item + query,
    headers: { 'content-type': type.custom ? PATCH.merge : dice.of(PATCHES) },
    body,
  });
  const operated = (...body: readonly JsonObject[]): Step => ({
    as: 'admin',
    method: 'PATCH',
    path: item,
    headers: { 'content-type': PATCH.json },
    body,
  });
  const put = (metadata: JsonObject, query = ''): Step => ({
    as: 'admin',
    method: 'PUT',
    path: item + query,
    body: { $of: 'one', ...type.change(dice), metadata },
  });
  const read: Step = { as: 'admin', method: 'GET', path: item, keep: 'one' };
  const finalizers = dice.chance(0.8) ? [HOLD] : [HOLD, 'touchstone.example/b'];
  const created: Step = {
    as: 'admin',
    method: 'POST',
    path: collectionOf(type),
    body: whole(type, NAME, { ...type.object(dice), metadata: { name: NAME, labels: { a: '1' }, finalizers } }),
    keep: 'one',
  };
  const alive = dice.some<Step>(
    [
      operated({ op: 'replace', path: '/metadata/labels/absent', value: '1' }),
      operated({ op: 'replace', path: '/metadata/labels/a', value: '2' }),
      operated({ op: 'remove', path: '/metadata/labels/absent' }),
      operated({ op: 'test', path: '/metadata/labels/a', value: '9' }),
      operated({ op: 'test', path: '/metadata/labels/absent', value: null }),
      operated({ op: 'add', path: '/metadata/finalizers/-', value: 'touchstone.example/c' }),
      operated({ op: 'add', path: '/metadata/finalizers/7', value: 'touchstone.example/c' }),
      operated({ op: 'add', path: '/metadata/absent/deep', value: '1' }),
      operated({ op: 'copy', from: '/metadata/labels/absent', path: '/metadata/labels/b' }),
      operated({ op: 'move', from: '/metadata/labels/a', path: '/metadata/labels/b' }),
      operated({ op: 'add', path: '', value: {} }),
      patched({ metadata: { labels: { a: null, c: '1' } } }),
      patched({ metadata: { managedFields: [{}] } }),
      patched({ metadata: { managedFields: [] } }),
      patched({ metadata: { annotations: { note: 'x' } } }, '?dryRun=All'),
      { ...put({ labels: { d: '1' } }, '?dryRun=All') },
      ...(type.subresources ?? []).flatMap((sub): Step[] => [
        { ...patched({ status: { size: 3, replicas: 2 }, spec: { replicas: 2 } }), path: `${item}/${sub}?dryRun=All` },
        { ...put({ labels: { e: '1' } }), path: `${item}/${sub}?dryRun=All` },
        { ...put({ labels: { e: '1' } }), path: `${item}/${sub}` },
      ]),
    ],
    0.4,
  );
  const leaving = dice.some<Step>(
    [
      patched({ metadata: { deletionTimestamp: null } }),
      patched({ metadata: { deletionGracePeriodSeconds: null, deletionTimestamp: null } }),
      operated({ op: 'remove', path: '/metadata/deletionTimestamp' }),
      operated({ op: 'add', path: '/metadata/finalizers/-', value: 'touchstone.example/new' }),
      patched({ metadata: { finalizers: [HOLD, 'touchstone.example/new'] } }),
      patched({ metadata: { labels: { a: 'leaving' } } }),
      patched(type.change(dice)),
      put({ deletionTimestamp: null }),
      { as: 'admin', method: 'DELETE', path: item },
      { as: 'admin', method: 'DELETE', path: `${item}?gracePeriodSeconds=0` },
      { ...created, keep: 'two' },
    ],
    0.4,
  );
  return [
    ...defining(type),
    created,
    ...alive.flatMap((step) => [step, read]),
    { as: 'admin', method: 'DELETE', path: item },
    read,
    ...leaving.flatMap((step) => [step, read]),
    patched({ metadata: { finalizers: null } }),
    read,
  ];
}

/** Objects of one type with one fault each within the body: a member left out, or another value in its place. */
export function flaws(dice: Dice, type = dice.of(TYPES)): Step[] {
  const steps = defining(type);
  const count = 8 + dice.below(6);
  for (let at = 0; at < count; at += 1) {
    const name = `{id}-${at}`;
    const sound = whole(type, name, { ...type.object(dice), ...(dice.chance(0.5) ? type.change(dice) : {}) });
    const body = flawed(dice, sound);
    const strict = dice.chance(0.3) ? '?fieldValidation=Strict' : '';
    steps.push({ as: 'admin', method: 'POST', path: collectionOf(type) + strict, body, keep: 'one' });
    if (dice.chance(0.3)) {
      steps.push({ as: 'admin', method: 'PUT', path: `${collectionOf(type)}/${name}`, body: flawed(dice, sound) });
    }
  }
  return steps;
}

/** A body with one place of it otherwise, apart from what says which object it is. */
function flawed(dice: Dice, body: JsonObject): JsonObject {
  const places = [...placesIn(body, [])].filter(([first]) => !['apiVersion', 'kind', 'metadata'].includes(first ?? ''));
  if (places.length === 0) return body;
  return at(body, dice.of(places), (value) => flaw(dice, value)) as JsonObject;
}
function* placesIn(value: Json | undefined, path: readonly string[]): Generator<readonly string[]> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* placesIn(inner as Json, [...path, key]);
}
function at(
  value: Json | undefined,
  [first, ...rest]: readonly string[],
  change: (value: Json | undefined) => Json | undefined,
): Json | undefined {
  if (first === undefined) return change(value);
  if (Array.isArray(value)) {
    const items = value.map((item: Json, index) => (String(index) === first ? at(item, rest, change) : item));
    return items.filter((item) => item !== undefined) as Json[];
  }
  if (!isRecord(value)) return value;
  const { [first]: inner, ...others } = value as JsonObject;
  const changed = at(inner, rest, change);
  return changed === undefined ? others : { ...others, [first]: changed };
}

function flaw(dice: Dice, value: Json | undefined): Json | undefined {
  if (dice.chance(0.4)) return undefined;
  if (typeof value === 'string') {
    return dice.of<Json>(['', `${value}/`, `-${value}`, 'A b', '*', 'x'.repeat(300), `${value}-`, 7, null, [value]]);
  }
  if (typeof value === 'number') return dice.of<Json>([-1, 0, 1, 70_000, 2 ** 33, 1.5, String(value), null]);
  if (typeof value === 'boolean') return dice.of<Json>([!value, 'true', null]);
  if (Array.isArray(value)) return dice.of<Json>([[], [...value, ...value], [...value].reverse(), {}, null, [null]]);
  return dice.of<Json>([{}, null, [], 'x', { ...(value as JsonObject), unknown: '1' }]);
}

/** Text in every way in which JSON can write it, and numbers in odd ones. */
export function texts(dice: Dice): Step[] {
  const path = '/api/v1/namespaces/{ns}/configmaps';
  const written = [
    '\\u0041\\u00e4',
    '\\u00E4\\u20AC',
    '\\ud83d\\ude00',
    '\\uD83D\\uDE00',
    '\\/ \\b \\f \\n \\r \\t \\" \\\\',
    'ä€😀',
    '\\u0000',
    '\\ud83d',
    '\u2028',
    '\\u007f',
  ];
  return dice.few(written).flatMap((text, index): Step[] => {
    const name = `{id}-${index}`;
    const body = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":{"k":"${text}","\\u006b2":"${text}"}}`;
    const headers = { 'content-type': 'application/json' };
    return [
      { as: 'admin', method: 'POST', path, headers, text: body },
      {
        as: 'admin',
        method: 'PATCH',
        path: `${path}/${name}`,
        headers: { 'content-type': PATCH.merge },
        text: `{"data":{"k3":"${text}"}}`,
      },
      ...dice
        .some(['application/yaml', 'application/cbor', 'application/vnd.{vendor}.protobuf'])
        .map((accept): Step => ({ as: 'admin', method: 'GET', path: `${path}/${name}`, headers: { accept } })),
    ];
  });
}
