import type { Row } from '../../covering/covering.ts';
import { defining, whole } from '../areas/objects.ts';
import type { Step } from '../step.ts';
import { collectionOf, type SequenceType } from '../types.ts';
import { CONTENTS, contentsOf } from './contents.ts';
import { AGENT, acceptOf, withQuery } from './manner.ts';
import { sweeping } from './removing.ts';
import { asking, granting, placeIn, type Right, rightIn, subOf } from './rights.ts';
import { LISTED, moving, scopeOf, selectedBy, setting } from './setting.ts';
import { OWN } from './states.ts';

/** Some objects, read, and watched while they change. */
export function watched(type: SequenceType, reads: readonly Row[], watches: readonly Row[]): Step[] {
  return [
    ...defining(type),
    ...granting(type, [...reads.map((row) => rightIn(row, 'get')), ...watches.map((row) => rightIn(row, 'watch'))]),
    ...setting(type),
    ...watches.map((row) => watching(type, row, rightIn(row, 'watch'))),
    ...reads.map((row): Step => {
      const right = rightIn(row, 'get');
      const name = { there: '{id}-oa', leaving: '{id}-od' }[row.state ?? ''] ?? '{id}-none';
      const sub = subOf(placeIn(row));
      return {
        as: asking(right),
        method: 'GET',
        path: withQuery(`${collectionOf(type)}/${name}${sub === '' ? '' : `/${sub}`}`, [
          row.version === 'current' && `resourceVersion=<<o${name.slice(-1)}.metadata.resourceVersion>>`,
        ]),
        headers: acceptOf(row),
      };
    }),
    ...moving(type),
  ];
}

/** Some objects that changed, listed as they are and as they were, and swept away. */
export function listed(type: SequenceType, lists: readonly Row[], sweeps: readonly Row[]): Step[] {
  return [
    ...defining(type),
    ...granting(type, [
      ...lists.map((row) => rightIn(row, 'list')),
      ...sweeps.map((row) => rightIn(row, 'deletecollection')),
    ]),
    ...setting(type),
    ...moving(type),
    ...lists.flatMap((row, at) => listing(type, row, rightIn(row, 'list'), at)),
    ...sweeps.flatMap((row, at) => sweeping(type, row, rightIn(row, 'deletecollection'), at)),
  ];
}

/** One large object, by itself and in a list. */
export function reading(type: SequenceType, rows: readonly Row[]): Step[] {
  const name = '{id}-l';
  const { base } = contentsOf(type);
  const encodings: Readonly<Record<string, string>> = { gzip: 'gzip', 'no-gzip': 'gzip;q=0' };
  return [
    ...defining(type),
    {
      as: 'admin',
      method: 'POST',
      path: collectionOf(type),
      headers: AGENT,
      body: {
        ...whole(type, name, base),
        metadata: { name, labels: OWN, annotations: { large: 'large '.repeat(LARGE) } },
      },
      unseen: true,
    },
    ...rows.map((row): Step => {
      const encoding = encodings[row.encoding ?? ''];
      const list = row.verb === 'list';
      return {
        as: 'admin',
        method: 'GET',
        path: list ? `${scopeOf(type, row)}?labelSelector=seq%3D{id}` : `${collectionOf(type)}/${name}`,
        headers: {
          ...acceptOf(row, list ? 'PartialObjectMetadataList' : undefined),
          ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
        },
      };
    }),
  ];
}

/** Times of a word that make more than 128 KiB. */
const LARGE = 25_000;

function watching(type: SequenceType, row: Row, right: Right): Step {
  const from: Readonly<Record<string, readonly string[]>> = {
    ...Object.fromEntries(
      Object.keys(LISTED).map((keep) => [keep, [`resourceVersion=<<${keep}.metadata.resourceVersion>>`]]),
    ),
    zero: ['resourceVersion=0'],
    'initial-at': [
      'sendInitialEvents=true',
      'resourceVersionMatch=NotOlderThan',
      'resourceVersion=<<list.metadata.resourceVersion>>',
    ],
    object: ['resourceVersion=<<ob.metadata.resourceVersion>>'],
    initial: ['sendInitialEvents=true', 'resourceVersionMatch=NotOlderThan'],
    'initial-of-none': ['sendInitialEvents=true'],
  };
  return {
    as: asking(right),
    method: 'GET',
    path: withQuery(scopeOf(type, row), [
      'watch=true',
      selectedBy(row),
      ...(from[row.from ?? ''] ?? []),
      row.bookmarks === 'yes' && 'allowWatchBookmarks=true',
      row.bookmarks === 'declined' && 'allowWatchBookmarks=false',
    ]),
    headers: acceptOf(row),
    open: true,
  };
}

function listing(type: SequenceType, row: Row, right: Right, at: number): Step[] {
  const listed = 'resourceVersion=<<list.metadata.resourceVersion>>';
  const version: Readonly<Record<string, readonly string[]>> = {
    zero: ['resourceVersion=0'],
    at: [listed],
    exact: [listed, 'resourceVersionMatch=Exact'],
    'not-older': [listed, 'resourceVersionMatch=NotOlderThan'],
    'not-older-than-zero': ['resourceVersion=0', 'resourceVersionMatch=NotOlderThan'],
    'exact-of-none': ['resourceVersionMatch=Exact'],
    'exact-of-zero': ['resourceVersion=0', 'resourceVersionMatch=Exact'],
    'not-older-than-none': ['resourceVersionMatch=NotOlderThan'],
  };
  const { limit, selector } = row;
  const step = (parts: readonly string[]): Step => ({
    as: asking(right),
    method: 'GET',
    path: withQuery(scopeOf(type, row), [...(selector === 'any' ? [] : [selectedBy(row)]), ...parts]),
    headers: acceptOf(row, 'PartialObjectMetadataList'),
  });
  const asked = version[row.version ?? ''] ?? [];
  if (limit === 'none') return [step(asked)];
  const next = 'continue=<<page.metadata.continue>>';
  const page: Step = { ...step(['limit=1', ...asked]), keep: 'page' };
  if (limit === 'walk-at') return [page, step(['limit=1', next, listed])];
  // Where the first chunk is refused there is no token.
  if (row.version?.includes('-of-') || row.version === 'not-older-than-none') return [page];
  // What comes and goes in between is not seen by later chunks.
  const [first, later] = [`{id}-w${at}`, `{id}-v${at}`];
  const make = (name: string): Step => ({
    as: 'admin',
    method: 'POST',
    path: collectionOf(type),
    headers: AGENT,
    body: { ...whole(type, name, contentsOf(type).base), metadata: { name, labels: { ...OWN, x: '1', y: '1' } } },
    unseen: true,
  });
  const take = (name: string): Step => ({
    as: 'admin',
    method: 'DELETE',
    path: `${collectionOf(type)}/${name}`,
    unseen: true,
  });
  const rest: Step = { ...step(['limit=1', next]), gathers: 'page' };
  if (contentsOf(type) === CONTENTS.Namespace) return [page, rest];
  return [make(first), page, take(first), make(later), rest, take(later)];
}
