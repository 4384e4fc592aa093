import type { Row } from '../../covering/covering.ts';
import type { Json } from '../../harness/json.ts';
import { defining, whole } from '../areas/objects.ts';
import type { Step } from '../step.ts';
import { collectionOf, type SequenceType } from '../types.ts';
import { contentsOf } from './contents.ts';
import { AGENT, acceptOf, PATCHED, patchType, withQuery } from './manner.ts';
import { UNKNOWN } from './rights.ts';
import { SAID, type Said } from './said.ts';
import { metadataOf, OWN } from './states.ts';

/** Requests to paths that are not those of an object, beside the one that is meant. */
export function misplacing(type: SequenceType, rows: readonly Row[]): Step[] {
  const name = '{id}-m';
  const as = 'admin';
  const { base } = contentsOf(type);
  const post = (namespace: string): Step => ({
    as,
    method: 'POST',
    path: collectionOf(type, namespace),
    headers: AGENT,
    body: { ...whole(type, name, base), metadata: metadataOf(name) },
    keep: 'm',
    unseen: true,
  });
  const seen: Step = { as, method: 'GET', path: `${type.root}/${type.plural}?labelSelector=seq%3D{id}` };
  return [
    ...defining(type),
    ...(type.namespaced ? [post('default')] : []),
    post('{ns}'),
    ...rows.flatMap((row) => [
      misplaced(type, name, row),
      ...(row.verb === 'get' || row.dryRun === 'All' ? [] : [seen]),
    ]),
  ];
}

/** A type of which a path does not lead to one of another scope. */
function misplaced(type: SequenceType, name: string, row: Row): Step {
  const { where = '', verb = '' } = row;
  const { root, plural, namespaced } = type;
  const within = namespaced ? '/namespaces/{ns}' : '';
  const collections: Readonly<Record<string, string>> = {
    'other-scope': namespaced ? `${root}/${plural}` : `${root}/namespaces/{ns}/${plural}`,
    'other-version': `${root.replace(/\/[^/]+$/, '/v9')}${within}/${plural}`,
    'other-group': `/apis/none.example/v1${within}/${plural}`,
    'other-type': `${root}${within}/${plural}s`,
    'sub-of-all': `${root}${within}/${plural}/status`,
  };
  const own = collectionOf(type);
  const collection = collections[where] ?? own;
  const isOfAll = ['list', 'watch', 'create', 'deletecollection'].includes(verb);
  const item = where === 'sub-of-all' ? collection : `${collection}/${name}${where === 'other-sub' ? '/other' : ''}`;
  // What is for one object goes to all, and the other way round.
  const path = (where === 'swapped' ? !isOfAll : isOfAll) ? collection : item;
  const method = { create: 'POST', update: 'PUT', delete: 'DELETE', deletecollection: 'DELETE' }[verb];
  const { labels, annotations } = SAID.change as Said;
  const change = { metadata: { ...metadataOf(name), labels: { ...OWN, ...labels }, annotations } };
  const object = { ...whole(type, name, contentsOf(type).base), ...change };
  const bodies: Readonly<Record<string, Json>> = {
    create: where === 'other-scope' || where === 'swapped' ? { ...object, metadata: metadataOf('{id}-n') } : object,
    update: { ...object, metadata: { ...object.metadata, resourceVersion: '<<m.metadata.resourceVersion>>' } },
    json: [{ op: 'add', path: '/metadata/labels/z', value: '2' }],
    merge: change,
    strategic: change,
    apply: { ...object, metadata: { ...change.metadata, name } },
  };
  const body = bodies[verb];
  const isDeletion = verb === 'delete' || verb === 'deletecollection';
  return {
    as: row.who === 'unknown' ? { token: UNKNOWN } : 'admin',
    method: method ?? (PATCHED.has(verb) ? 'PATCH' : 'GET'),
    path: withQuery(path, [
      row.dryRun === 'All' && 'dryRun=All',
      verb === 'apply' && 'fieldManager=ann&force=true',
      verb === 'watch' && 'watch=true',
      (verb === 'list' || verb === 'watch' || isDeletion) && path === collection && 'labelSelector=seq%3D{id}',
    ]),
    headers: { ...acceptOf(row), ...patchType(row) },
    ...(body === undefined ? {} : { body }),
    ...(verb === 'watch' ? { open: true } : {}),
    // What is left is seen in the list that follows.
    unseen: true,
  };
}
