import type { Row } from '../../covering/covering.ts';
import type { Json, JsonObject } from '../../harness/json.ts';
import { whole } from '../areas/objects.ts';
import type { Step } from '../step.ts';
import { collectionOf, type SequenceType } from '../types.ts';
import { contentsOf } from './contents.ts';
import { AGENT, acceptOf, formed, withQuery } from './manner.ts';
import { type Asked, asking, placeIn, type Right } from './rights.ts';
import { HOLD, OWN } from './states.ts';

/** Options of a deletion, in its query or its body. */
function optionsOf(row: Row, keep: string): { readonly query: readonly (string | false)[]; readonly body?: Json } {
  const { options, dryRun, more = '', says } = row;
  const inBody = options !== 'none';
  const [name, value] = MORE_OPTIONS[more] ?? [];
  const query = [
    (dryRun === 'query' || dryRun === 'both') && 'dryRun=All',
    dryRun === 'query-Some' && 'dryRun=Some',
    !inBody && name !== undefined && `${name}=${value}`,
  ];
  if (!inBody) return { query };
  const preconditions: JsonObject | undefined = {
    uid: { uid: `<<${keep}.metadata.uid>>` },
    version: { resourceVersion: `<<${keep}.metadata.resourceVersion>>` },
    stale: { resourceVersion: `<<${keep}.metadata.resourceVersion>>` },
    both: { uid: `<<${keep}.metadata.uid>>`, resourceVersion: `<<${keep}.metadata.resourceVersion>>` },
    half: { uid: `<<${keep}.metadata.uid>>`, resourceVersion: `<<${keep}.metadata.resourceVersion>>` },
    'other-uid': { uid: '11111111-2222-3333-4444-555555555555' },
  }[says ?? ''];
  return {
    query,
    body: {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      ...(preconditions ? { preconditions } : {}),
      ...(dryRun === 'body' || dryRun === 'both' ? { dryRun: ['All'] } : {}),
      ...(dryRun === 'body-Some' ? { dryRun: ['Some'] } : {}),
      ...(name === undefined ? {} : { [name]: value as Json }),
    },
  };
}
const MORE_OPTIONS: Readonly<Record<string, readonly [string, Json]>> = {
  Background: ['propagationPolicy', 'Background'],
  Orphan: ['propagationPolicy', 'Orphan'],
  grace: ['gracePeriodSeconds', 0],
  'no-policy': ['propagationPolicy', 'Never'],
  pretty: ['pretty', 'true'],
  timeout: ['timeoutSeconds', 30],
  'odd-limit': ['limit', 'x'],
  'no-grace': ['gracePeriodSeconds', 'soon'],
};

export const removing = (type: SequenceType, row: Row): Asked => {
  const right = { who: row.who ?? '', verb: 'delete', place: placeIn(row) };
  return {
    right,
    steps: (name, keep) => {
      const { query, body } = optionsOf(row, keep);
      return [
        {
          as: asking(right),
          method: 'DELETE',
          path: withQuery(`${collectionOf(type)}/${name}`, query),
          headers: { ...AGENT, ...acceptOf(row) },
          ...(body === undefined ? {} : { body, ...formed(row) }),
        },
      ];
    },
  };
};

export function sweeping(type: SequenceType, row: Row, right: Right, at: number): Step[] {
  const name = `{id}-s${at}`;
  const { query, body } = optionsOf(row, '');
  const label = `s${at}`;
  const selected: Readonly<Record<string, string>> = {
    equal: `labelSelector=sweep%3D${label}`,
    in: `labelSelector=sweep+in+(${label})`,
    exists: `labelSelector=${label}`,
    name: `fieldSelector=metadata.name%3D${name}`,
    both: `labelSelector=seq%3D{id}&fieldSelector=metadata.name%3D${name}`,
  };
  const held = row.state === 'held' || row.state === 'leaving' ? { finalizers: [HOLD] } : {};
  return [
    {
      as: 'admin',
      method: 'POST',
      path: collectionOf(type),
      headers: AGENT,
      body: {
        ...whole(type, name, contentsOf(type).base),
        metadata: { name, labels: { ...OWN, sweep: label, [label]: '1' }, ...held },
      },
      unseen: true,
    },
    ...(row.state === 'leaving' ? going(type, name) : []),
    {
      as: asking(right),
      method: 'DELETE',
      path: withQuery(collectionOf(type), [selected[row.selector ?? ''] ?? '', ...query]),
      headers: { ...AGENT, ...acceptOf(row) },
      ...(body === undefined ? {} : { body, ...formed(row) }),
    },
  ];
}

/** A deletion, of what can be deleted. */
export const going = (type: SequenceType, name: string): Step[] =>
  type.kind === 'Namespace'
    ? []
    : [{ as: 'admin', method: 'DELETE', path: `${collectionOf(type)}/${name}`, unseen: true }];
