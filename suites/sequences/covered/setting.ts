import type { Row } from '../../covering/covering.ts';
import type { JsonObject } from '../../harness/json.ts';
import { TABLE } from '../areas/crossed.ts';
import { PATCH, whole } from '../areas/objects.ts';
import type { Step } from '../step.ts';
import { collectionOf, type SequenceType } from '../types.ts';
import { contentsOf } from './contents.ts';
import { AGENT } from './manner.ts';
import { going } from './removing.ts';
import { HOLD, OWN, roleRefOf } from './states.ts';

const SELECTED: Readonly<Record<string, string>> = {
  equal: 'labelSelector=seq%3D{id},x%3D1',
  unequal: 'labelSelector=seq%3D{id},x!%3D1',
  in: 'labelSelector=seq%3D{id},x+in+(1,2)',
  notin: 'labelSelector=seq%3D{id},x+notin+(1)',
  exists: 'labelSelector=seq%3D{id},y',
  missing: 'labelSelector=seq%3D{id},!y',
  name: 'labelSelector=seq%3D{id}&fieldSelector=metadata.name%3D{id}-oa',
  'other-names': 'labelSelector=seq%3D{id}&fieldSelector=metadata.name!%3D{id}-oa',
  both: 'labelSelector=seq%3D{id},x%3D1&fieldSelector=metadata.name!%3D{id}-oa',
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
/** Each of them enters or leaves a selection, changes otherwise, or goes, by a write of every kind. */
export function moving(type: SequenceType): Step[] {
  const at = (name: string): Pick<Step, 'as' | 'path' | 'unseen'> => ({
    as: 'admin',
    path: `${collectionOf(type)}/${name}`,
    unseen: true,
  });
  const patch = (name: string, metadata: JsonObject): Step => ({
    ...at(name),
    method: 'PATCH',
    headers: { ...AGENT, 'content-type': PATCH.merge },
    body: { metadata },
  });
  const post = (name: string, more: JsonObject = {}): Step => ({
    as: 'admin',
    method: 'POST',
    path: collectionOf(type),
    headers: AGENT,
    body: {
      ...whole(type, name, contentsOf(type).base),
      metadata: { name, labels: { ...OWN, x: '1', y: '1' }, ...more },
    },
    unseen: true,
  });
  const tried = patch('{id}-oa', { labels: { x: '1', y: '1' } });
  const isLasting = type.kind === 'Namespace';
  return [
    patch('{id}-oa', { labels: { x: '2', y: null } }),
    patch('{id}-ob', { labels: { x: '1', y: '1' } }),
    patch('{id}-ob', { annotations: { note: 'b' } }),
    ...going(type, '{id}-oc'),
    patch('{id}-od', { finalizers: null }),
    { ...post('{id}-of'), keep: 'of' },
    // What changes nothing, and what is only tried, is told to nobody.
    patch('{id}-of', { labels: { x: '1' } }),
    { ...tried, path: `${tried.path}?dryRun=All` },
    {
      ...at('{id}-of'),
      method: 'PATCH',
      headers: { ...AGENT, 'content-type': PATCH.json },
      body: [{ op: 'replace', path: '/metadata/labels/x', value: '2' }],
    },
    {
      ...at('{id}-oa'),
      method: 'PATCH',
      path: `${collectionOf(type)}/{id}-oa?fieldManager=cem`,
      headers: { 'content-type': PATCH.apply },
      body: { ...whole(type, '{id}-oa', roleRefOf(type)), metadata: { name: '{id}-oa', labels: { y: '1' } } },
    },
    ...(type.subresources?.includes('status')
      ? [
          {
            ...at('{id}-ob'),
            method: 'PATCH',
            path: `${collectionOf(type)}/{id}-ob/status`,
            headers: { ...AGENT, 'content-type': PATCH.merge },
            body: { status: contentsOf(type).status ?? {} },
          },
        ]
      : []),
    { ...at('{id}-ob'), method: 'GET', keep: 'read' },
    { ...at('{id}-ob'), method: 'PUT', headers: AGENT, body: { $of: 'read', metadata: { labels: { y: null } } } },
    // A name that is used again, and an object that something holds.
    ...(isLasting ? [] : [post('{id}-oc'), post('{id}-og', { finalizers: [HOLD] }), ...going(type, '{id}-og')]),
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
