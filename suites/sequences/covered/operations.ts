import type { Row } from '../../covering/covering.ts';
import type { Json, JsonObject } from '../../harness/json.ts';
import type { SequenceType } from '../types.ts';
import type { Contents } from './contents.ts';
import { chosenOf, type Said, THIRD } from './said.ts';
import { OWN } from './states.ts';

/** What only a JSON patch can say. */
const POINTED: Readonly<Record<string, readonly JsonObject[]>> = {
  copy: [{ op: 'copy', from: '/metadata/labels/x', path: '/metadata/labels/w' }],
  move: [{ op: 'move', from: '/metadata/labels/x', path: '/metadata/labels/w' }],
  escape: [{ op: 'add', path: '/metadata/annotations/a~1b', value: '1' }],
  // A tilde and a one, which no name of an annotation may have.
  tilde: [{ op: 'add', path: '/metadata/annotations/a~01b', value: '1' }],
  take: [{ op: 'remove', path: '/metadata/finalizers/0' }],
  append: [{ op: 'add', path: '/metadata/finalizers/-', value: THIRD }],
  insert: [{ op: 'add', path: '/metadata/finalizers/1', value: THIRD }],
  exchange: [{ op: 'replace', path: '/metadata/finalizers/1', value: THIRD }],
  // The members of an object have no order.
  tested: [
    { op: 'test', path: '/metadata/labels', value: { y: '1', x: '1', ...OWN } },
    { op: 'add', path: '/metadata/labels/w', value: '1' },
  ],
  test: [
    { op: 'add', path: '/metadata/labels/w', value: '1' },
    { op: 'test', path: '/metadata/labels', value: ['nothing', 'like', 'it'] },
  ],
};

export function operations(
  contents: Contents,
  said: Said,
  { resourceVersion }: JsonObject,
  row: Row,
  type: SequenceType,
): Json {
  const { stranger, content } = row;
  const change = (member: string, texts: Said['labels']): JsonObject[] =>
    Object.entries(texts).map(([name, value]) =>
      value === null
        ? { op: 'remove', path: `/metadata/${member}/${name}` }
        : { op: 'add', path: `/metadata/${member}/${name}`, value },
    );
  const value = said.contents === 'wrong' ? contents.wrongAt : contents.at;
  const replaced =
    stranger === 'inner' ? contents.inner : said.contents === undefined ? chosenOf(contents, said, row) : undefined;
  const all: JsonObject[] = [
    ...(resourceVersion === undefined
      ? []
      : [{ op: 'test', path: '/metadata/resourceVersion', value: resourceVersion as Json }]),
    ...change('labels', said.labels),
    ...change('annotations', said.annotations),
    ...(said.finalizers === undefined
      ? []
      : [{ op: 'add', path: '/metadata/finalizers', value: [...said.finalizers] }]),
    ...Object.entries(said.metadata).map(([name, inner]) => ({
      op: 'add',
      path: `/metadata/${name}`,
      value: inner as Json,
    })),
    ...(said.contents === undefined || type.kind.endsWith('Binding')
      ? []
      : [{ op: 'replace', path: contents.pointer, value }]),
    ...Object.entries(replaced ?? {}).map(([name, inner]) => ({ op: 'add', path: `/${name}`, value: inner as Json })),
    ...(content === 'elsewhere' ? [{ op: 'add', path: '/metadata/namespace', value: '{ns2}' }] : []),
    ...(stranger === 'top' ? [{ op: 'add', path: '/stranger', value: '1' }] : []),
  ];
  all.push(...(POINTED[content ?? ''] ?? []));
  if (content === 'same' || all.length === 0)
    return [...all, { op: 'test', path: '/metadata/labels/seq', value: '{id}' }];
  return all;
}
