import type { Dice } from '../../covering/dice.ts';
import type { Json, JsonObject } from '../../harness/json.ts';
import type { Step } from '../step.ts';
import { collectionOf, definition, TYPES } from '../types.ts';
import { PATCH } from './objects.ts';

const MAPS = '/api/v1/namespaces/{ns}/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/{ns}/deployments';
const NAME = '{id}-p';
const STALE = { op: 'test', path: '/metadata/resourceVersion', value: '1' };
const OWNED = ['touchstone.example/a', 'touchstone.example/b'];

/** Patches of which each does one thing that works, or fails for one reason, to an object that has something of all. */
export function patches(dice: Dice): Step[] {
  const reading: Step = { as: 'admin', method: 'GET', path: `${MAPS}/${NAME}`, keep: 'one' };
  const patch = (type: string, body: Json, query = '', headers: Record<string, string> = {}): Step => ({
    as: 'admin',
    method: 'PATCH',
    path: `${MAPS}/${NAME}${query}`,
    headers: { 'content-type': type, ...headers },
    body,
  });
  const json = (...body: readonly JsonObject[]): Step => patch(PATCH.json, body);
  const add = (path: string, value: Json): JsonObject => ({ op: 'add', path, value });
  const either = dice.of([PATCH.merge, PATCH.strategic]);
  const all = [either, PATCH.json];
  /** The same change in each kind of patch. */
  const sets = (type: string, member: string, value: Json): Json =>
    type === PATCH.json ? [add(`/${member}`, value)] : { [member]: value };
  const type = dice.of(all);
  const operations: readonly Step[] = [
    json({ op: 'copy', from: '/data/a', path: '/data/copied' }),
    json({ op: 'move', from: '/data/a', path: '/data/moved' }),
    json(add('/metadata/finalizers/0', 'touchstone.example/first')),
    json(add('/metadata/finalizers/1', 'touchstone.example/second')),
    json(add('/metadata/finalizers/-', 'touchstone.example/last')),
    json({ op: 'replace', path: '/metadata/annotations/a~1b', value: '2' }),
    json({ op: 'replace', path: '/metadata/annotations/c~0d', value: '2' }),
    json({ op: 'remove', path: '/metadata/annotations/a~1b' }),
    json(add('/metadata/annotations/e~1f', '1')),
    json({ op: 'remove', path: '/data/a' }),
    json(add('/data/twice', '1'), add('/data/twice', '2')),
    json(add('/data/kept', '1'), { op: 'test', path: '/data/a', value: 'no' }),
    json(add('/data/kept', '1'), { op: 'remove', path: '/data/none' }),
    json({ op: 'fly', path: '/data/a' }),
    json(add('/data/kept', '1'), { op: 'fly', path: '/data/a' }),
    json(STALE, add('/data/stale', '1')),
    json(add('/metadata/resourceVersion', '1'), add('/data/stale', '1')),
    patch(PATCH.json, null),
  ];
  const merges: readonly Step[] = [
    patch(either, { data: { a: null } }),
    patch(either, { data: { a: '2', b: null, c: '3' } }),
    patch(either, { metadata: { annotations: null } }),
    patch(either, { metadata: { labels: null } }),
    patch(either, { data: null }),
    ...['null', '[]', '"x"', '7', '{}'].map((text): Step => {
      const { body: _, ...rest } = patch(PATCH.merge, null);
      return { ...rest, text };
    }),
    patch(PATCH.strategic, { data: { $patch: 'delete' } }),
    patch(PATCH.strategic, { data: { $patch: 'replace', b: '2' } }),
    patch(PATCH.strategic, { metadata: { finalizers: ['touchstone.example/c'] } }),
    patch(PATCH.strategic, { metadata: { '$deleteFromPrimitiveList/finalizers': [OWNED[0] as string] } }),
  ];
  const conditions: readonly Step[] = [
    patch(type, sets(type, 'data', { f: '1' }), '', { 'if-match': '"<<one.metadata.resourceVersion>>"' }),
    patch(type, sets(type, 'data', { f: '1' }), '', { 'if-match': '*' }),
    patch(type, sets(type, 'data', { f: '1' }), '?dryRun=All'),
    patch(type, sets(type, 'data', { f: '1' }), '?dryRun=Some'),
    patch(type, sets(type, 'unknown', '1'), '?fieldValidation=Strict'),
    patch(type, sets(type, 'unknown', '1'), '?fieldValidation=Warn'),
  ];
  const tried = [...dice.some(operations, 0.35), ...dice.some(merges, 0.35), ...dice.some(conditions, 0.5)];
  const metadata = { name: NAME, labels: { l: '1' }, annotations: { 'a/b': '1', c: '1' }, finalizers: OWNED };
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: '1', b: '1' } };
  const whole: Step = { as: 'admin', method: 'PUT', path: `${MAPS}/${NAME}`, body };
  return [
    { as: 'admin', method: 'POST', path: MAPS, body },
    reading,
    ...tried.flatMap((step) => (dice.chance(0.7) ? [step, whole, reading] : [step, reading])),
    ...(dice.chance(0.5) ? keyed(dice) : custom(dice)),
  ];
}

/** Lists whose items have a key, by strategic merge patches and their directives. */
function keyed(dice: Dice): Step[] {
  const labels = { a: 'b' };
  const spec = (more: JsonObject): JsonObject => ({ spec: { template: { spec: more } } });
  const container = (name: string, more: JsonObject = {}): JsonObject => ({ name, image: 'i', ...more });
  const patch = (body: JsonObject): Step => ({
    as: 'admin',
    method: 'PATCH',
    path: `${DEPLOYMENTS}/${NAME}`,
    headers: { 'content-type': PATCH.strategic },
    body,
  });
  const containers = [container('c', { env: [{ name: 'x', value: '1' }] }), container('d')];
  return [
    {
      as: 'admin',
      method: 'POST',
      path: DEPLOYMENTS,
      body: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: NAME },
        spec: {
          replicas: 0,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers } },
        },
      },
    },
    ...dice.few([
      patch(spec({ containers: [container('d', { image: 'j' })] })),
      patch(spec({ containers: [container('e')] })),
      patch(spec({ containers: [{ name: 'd', $patch: 'delete' }] })),
      patch(spec({ containers: [container('f'), { $patch: 'replace' }] })),
      patch(spec({ containers: [container('c', { env: [{ name: 'y', value: '2' }] })] })),
      patch({ spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }),
    ]),
  ];
}

/** The kinds of patches of a custom object, which has no strategic ones. */
function custom(dice: Dice): Step[] {
  const type = TYPES.find((each) => each.custom && each.namespaced) ?? dice.of(TYPES);
  const path = '/apis/apiextensions.{domain}/v1/customresourcedefinitions';
  const item = `${collectionOf(type)}/${NAME}`;
  const body = { apiVersion: type.apiVersion, kind: type.kind, metadata: { name: NAME }, ...type.object(dice) };
  const strict = '?fieldValidation=Strict';
  const patch = (media: string, change: Json, query = ''): Step => ({
    as: 'admin',
    method: 'PATCH',
    path: item + query,
    headers: { 'content-type': media },
    body: change,
  });
  return [
    { as: 'admin', method: 'POST', path, body: definition(type.plural, type.kind, 'Namespaced') },
    { as: 'admin', method: 'POST', path: collectionOf(type) + strict, body: { ...body, unknown: '1' } },
    { as: 'admin', method: 'POST', path: collectionOf(type), body },
    { as: 'admin', method: 'PUT', path: item + strict, body: { ...body, unknown: '1', other: 2 } },
    patch(PATCH.strategic, { metadata: { labels: { a: '1' } } }),
    patch(PATCH.merge, { unknown: '1' }, strict),
    patch(PATCH.json, [{ op: 'add', path: '/unknown', value: '1' }], strict),
    patch(PATCH.apply, { ...body, unknown: '1' }, `${strict}&fieldManager=f`),
  ];
}

/** Three managers who apply overlapping parts of one object, and give them up one after the other. */
export function appliers(dice: Dice): Step[] {
  const managers = ['ann', 'ben', 'cem'];
  const keys = ['a', 'b', 'c'];
  const held = new Map<string, string[]>();
  const steps: Step[] = [];
  const count = 8 + dice.below(6);
  const deployment = dice.chance(0.4);
  for (let at = 0; at < count; at += 1) {
    const manager = dice.of(managers);
    const before = held.get(manager);
    const own = before && dice.chance(0.6) ? before.slice(0, -1) : dice.some(keys, 0.6);
    held.set(manager, own);
    const force = dice.of(['', '', '&force=true', '&force=false']);
    const value = dice.chance(0.75) ? '1' : manager;
    steps.push({
      as: 'admin',
      method: 'PATCH',
      path: `${deployment ? DEPLOYMENTS : MAPS}/${NAME}?fieldManager=${manager}${force}`,
      headers: { 'content-type': PATCH.apply },
      body: deployment ? ofContainers(own, value) : ofData(own, value),
      ...(dice.chance(0.15) ? { form: dice.of(['cbor', 'yaml'] as const) } : {}),
    });
  }
  const entries = dice.of<Json>([[{}], [{}, {}], []]);
  return [
    ...steps,
    {
      as: 'admin',
      method: 'PATCH',
      path: `${deployment ? DEPLOYMENTS : MAPS}/${NAME}`,
      headers: { 'content-type': PATCH.merge },
      body: { metadata: { managedFields: entries } },
    },
  ];
}
const ofData = (keys: readonly string[], value: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: NAME, labels: Object.fromEntries(keys.map((key) => [key, value])) },
  data: Object.fromEntries(keys.map((key) => [key, value])),
});
const ofContainers = (keys: readonly string[], value: string): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: NAME },
  spec: {
    ...(keys.includes('c') ? { replicas: 0 } : {}),
    selector: { matchLabels: { a: 'b' } },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: {
        containers: ['always', ...keys].map((name) => ({ name, image: name === 'always' ? 'i' : `i${value}` })),
      },
    },
  },
});
