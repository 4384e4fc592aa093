import type { Row } from '../../covering/covering.ts';
import type { JsonObject } from '../../harness/json.ts';
import { TABLE } from '../areas/crossed.ts';
import { PATCH, whole } from '../areas/objects.ts';
import type { Step } from '../step.ts';
import { collectionOf, type SequenceType } from '../types.ts';
import { contentsOf } from './contents.ts';
import { AGENT } from './manner.ts';
import { HOLD, OWN } from './states.ts';

const SELECTED: Readonly<Record<string, string>> = {
  equal: 'labelSelector=seq%3D{id},x%3D1',
  unequal: 'labelSelector=seq%3D{id},x!%3D1',
  in: 'labelSelector=seq%3D{id},x+in+(1,2)',
  notin: 'labelSelector=seq%3D{id},x+notin+(1)',
  exists: 'labelSelector=seq%3D{id},y',
  missing: 'labelSelector=seq%3D{id},!y',
  name: 'labelSelector=seq%3D{id}&fieldSelector=metadata.name%3D{id}-oa',
  'other-names': 'labelSelector=seq%3D{id}&fieldSelector=metadata.name!%3D{id}-oa',
};
/** The parameter by which a row selects. */
export const selectedBy = ({ selector = '' }: Row): string => SELECTED[selector] ?? 'labelSelector=seq%3D{id}';

/** Some objects, and lists of them from whose versions watches and lists go on. */
export function setting(type: SequenceType): Step[] {
  const post = (name: string, labels: JsonObject, finalizers: readonly string[], namespace = '{ns}'): Step => ({
    as: 'admin',
    method: 'POST',
    path: collectionOf(type, namespace),
    headers: AGENT,
    body: {
      ...whole(type, name, contentsOf(type).base),
      metadata: {
        name,
        labels: { ...OWN, ...labels },
        ...(finalizers.length > 0 ? { finalizers: [...finalizers] } : {}),
      },
    },
    keep: `o${name.slice(-1)}`,
    unseen: true,
  });
  return [
    post('{id}-oa', { x: '1', y: '1' }, []),
    post('{id}-ob', { x: '2' }, []),
    post('{id}-oc', { x: '1' }, []),
    post('{id}-od', { x: '3', y: '1' }, [HOLD]),
    ...going(type, '{id}-od'),
    ...(type.namespaced ? [post('{id}-oe', { x: '1', y: '1' }, [], '{ns2}')] : []),
    ...Object.entries(LISTED).map(
      ([keep, [query, accept]]): Step => ({
        as: 'admin',
        method: 'GET',
        path: `${type.root}/${type.plural}?${query}`,
        ...(accept === undefined ? {} : { headers: { accept } }),
        keep,
      }),
    ),
  ];
}
const going = (type: SequenceType, name: string): Step[] =>
  type.kind === 'Namespace'
    ? []
    : [{ as: 'admin', method: 'DELETE', path: `${collectionOf(type)}/${name}`, unseen: true }];

/** Each of them enters or leaves a selection, changes otherwise, or goes. */
export function moving(type: SequenceType): Step[] {
  const patch = (name: string, metadata: JsonObject): Step => ({
    as: 'admin',
    method: 'PATCH',
    path: `${collectionOf(type)}/${name}`,
    headers: { ...AGENT, 'content-type': PATCH.merge },
    body: { metadata },
    unseen: true,
  });
  const [, , last] = setting(type);
  const name = '{id}-of';
  const { body, ...post } = last as Step;
  const more = { ...(body as JsonObject), metadata: { name, labels: { ...OWN, x: '1', y: '1' } } };
  return [
    patch('{id}-oa', { labels: { x: '2', y: null } }),
    patch('{id}-ob', { labels: { x: '1', y: '1' } }),
    patch('{id}-ob', { annotations: { note: 'b' } }),
    ...going(type, '{id}-oc'),
    patch('{id}-od', { finalizers: null }),
    { ...post, body: more, keep: 'of' },
    // What changes nothing is told to nobody.
    patch('{id}-of', { labels: { x: '1' } }),
  ];
}

/** The collection that a row is about. */
export const scopeOf = (type: SequenceType, { scope }: Row): string =>
  scope === 'all' ? `${type.root}/${type.plural}` : collectionOf(type);

/** Lists from whose version watches go on, by the name under which each is kept. */
export const LISTED: Readonly<Record<string, readonly [query: string, accept?: string]>> = {
  'list-of-name': ['labelSelector=seq%3D{id}&fieldSelector=metadata.name%3D{id}-oa'],
  'list-of-nothing': ['labelSelector=seq%3D{id},x%3Dnone'],
  'list-as-table': ['labelSelector=seq%3D{id}', TABLE],
  chunk: ['labelSelector=seq%3D{id}&limit=1'],
  list: ['labelSelector=seq%3D{id}'],
};
