import type { Dice } from '../../covering/dice.ts';
import type { JsonObject } from '../../harness/json.ts';
import type { Step } from '../step.ts';

const MAPS = '/api/v1/namespaces/{ns}/configmaps';

/** Objects of which what they are called, or which they are, fits in all but one point, and conditions of deletions. */
export function manifests(dice: Dice): Step[] {
  const map = (metadata: JsonObject, more: JsonObject = {}): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    ...more,
  });
  const post = (body: JsonObject, query = ''): Step => ({ as: 'admin', method: 'POST', path: MAPS + query, body });
  const put = (body: JsonObject): Step => ({ as: 'admin', method: 'PUT', path: `${MAPS}/{id}-a`, body });
  const remove = (options: JsonObject, form?: 'yaml' | 'cbor'): Step => ({
    as: 'admin',
    method: 'DELETE',
    path: `${MAPS}/{id}-a`,
    body: { apiVersion: 'v1', kind: 'DeleteOptions', ...options },
    ...(form ? { form } : {}),
  });
  const first = { ...post(map({ name: '{id}-a', labels: { x: '1' }, finalizers: [] })), keep: 'one' };
  const held = post(map({ name: '{id}-h', labels: { x: '1' }, finalizers: ['touchstone.example/a'] }));
  const tried: readonly Step[] = [
    post(map({})),
    post(map({ name: '{id}-b', generateName: '{id}-g-' })),
    post(map({ name: '{id}-c', namespace: '{ns2}' })),
    post(map({ name: '{id}-d' }, { kind: 'Secret' })),
    post(map({ name: '{id}-a' }), '?dryRun=All'),
    post(map({ name: '{id}-e' }), '?dryRun=All'),
    post(map({ name: '{id}-e' })),
    put(map({ name: '{id}-z' })),
    put(map({ name: '{id}-a', namespace: '{ns2}' })),
    put(map({ name: '{id}-a' }, { kind: 'Secret' })),
    { ...put(map({ name: '{id}-a', resourceVersion: '1' })), form: dice.of(['protobuf', 'cbor', 'yaml'] as const) },
    { ...put(map({ name: '{id}-a', resourceVersion: '<<one.metadata.resourceVersion>>' })), keep: 'one' },
    remove({ preconditions: { uid: 'another' } }),
    remove({ preconditions: { resourceVersion: '1' } }),
    remove({ preconditions: { uid: 'another' } }, dice.of(['yaml', 'cbor'] as const)),
    remove({ dryRun: ['All'] }, dice.of(['yaml', 'cbor'] as const)),
    { as: 'admin', method: 'DELETE', path: `${MAPS}?dryRun=All` },
    { as: 'admin', method: 'DELETE', path: `${MAPS}?labelSelector=x%3D1` },
    { as: 'admin', method: 'GET', path: `${MAPS}/{id}-a`, headers: { accept: 'application/cbor' } },
    {
      as: 'admin',
      method: 'GET',
      path: `${MAPS}?watch=true&resourceVersion=0`,
      headers: { accept: 'application/cbor' },
      open: true,
    },
    {
      as: 'admin',
      method: 'GET',
      path: `${MAPS}?watch=true&resourceVersion=0`,
      headers: { accept: 'application/vnd.{vendor}.protobuf;stream=watch' },
      open: true,
    },
  ];
  const chosen = dice.some(tried, 0.7);
  return [first, held, ...chosen, first, { as: 'admin', method: 'GET', path: MAPS }];
}
