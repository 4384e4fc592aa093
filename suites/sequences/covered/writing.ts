import type { Row } from '../../covering/covering.ts';
import type { Json, JsonObject } from '../../harness/json.ts';
import { PATCH, whole } from '../areas/objects.ts';
import type { Step } from '../step.ts';
import { collectionOf, type SequenceType } from '../types.ts';
import { contentsOf } from './contents.ts';
import { AGENT, acceptOf, formed, PATCHED, patchType, withQuery } from './manner.ts';
import { operations } from './operations.ts';
import { type Asked, asking, placeIn, subOf } from './rights.ts';
import { chosenOf, NOTHING, OTHER_KIND, SAID, type Said, strangersOf, versionOf } from './said.ts';
import { appliedIn, HOLD, MORE, metadataOf, OWN, roleRefOf } from './states.ts';
import { throughSub } from './subresources.ts';

/** A write in the state, with the parameters and in the encoding that a row names. */
export const writing = (type: SequenceType, row: Row): Asked => {
  const { verb = '', content = '' } = row;
  const place = placeIn(row);
  const right = { who: row.who ?? '', verb: PATCHED.has(verb) ? 'patch' : verb, place };
  return {
    right,
    ...(verb === 'apply' && (content === 'same' || content === 'removal') ? { before: 'apply' } : {}),
    steps: (name, keep) => {
      const item = `${collectionOf(type)}/${name}`;
      const sub = subOf(place);
      const query = [
        row.dryRun !== 'none' && `dryRun=${row.dryRun}`,
        row.fields !== 'none' && `fieldValidation=${row.fields}`,
        row.manager === 'named' && 'fieldManager=ann',
        row.force === 'yes' && 'force=true',
      ];
      const target = verb === 'create' ? collectionOf(type) : sub === '' ? item : `${item}/${sub}`;
      const step: Step = {
        as: asking(right),
        method: verb === 'create' ? 'POST' : verb === 'update' ? 'PUT' : 'PATCH',
        path: withQuery(target, query),
        headers: { ...AGENT, ...acceptOf(row), ...patchType(row) },
        body: sub === '' ? written(type, name, keep, row) : throughSub(type, name, keep, row),
        ...formed(row),
      };
      const before: Step[] =
        verb === 'apply' && (content === 'same' || content === 'removal')
          ? [
              {
                ...step,
                as: 'admin',
                path: `${item}?fieldManager=ann&force=true`,
                headers: { 'content-type': PATCH.apply },
                body: applied(type, name, content === 'removal' ? { labels: { w: '1' } } : {}),
                unseen: true,
              },
            ]
          : [];
      const { form: _, ...inJson } = before[0] ?? step;
      // The same once more is another object.
      const again = content === 'generated' ? [step] : [];
      return [...(before.length > 0 ? [inJson] : []), ...reread(row, item, keep, before), step, ...again];
    },
  };
};
/** The version is read again where the object was applied to in between. */
const reread = ({ version }: Row, item: string, keep: string, before: readonly Step[]): Step[] =>
  before.length > 0 && version === 'current' ? [{ as: 'admin', method: 'GET', path: item, keep }] : [];

/** What an apply says: nothing that its creator says otherwise, so that only what was applied by others conflicts. */
const applied = (type: SequenceType, name: string, metadata: JsonObject, contents?: JsonObject): JsonObject => ({
  ...whole(type, name, contents ?? contentsOf(type).base),
  metadata: { name, ...metadata },
});

export function written(type: SequenceType, name: string, keep: string, row: Row): Json {
  const { verb = '', content = '', state = '' } = row;
  const contents = contentsOf(type);
  const said = SAID[content] ?? NOTHING;
  const { metadata, rest } = strangersOf(row);
  const version = versionOf(row, keep);
  if (verb === 'json') return operations(contents, said, version, row, type);
  const chosen = chosenOf(contents, said, row);
  const finalizers = said.finalizers === undefined ? {} : { finalizers: [...said.finalizers] };
  const elsewhere: JsonObject = content === 'elsewhere' ? { namespace: '{ns2}' } : {};
  if (verb === 'merge' || verb === 'strategic') {
    return {
      ...(type.kind.endsWith('Binding') && said.contents !== undefined && row.stranger !== 'inner' ? {} : chosen),
      ...rest,
      metadata: {
        ...(Object.keys(said.labels).length > 0 ? { labels: said.labels } : {}),
        ...(Object.keys(said.annotations).length > 0 ? { annotations: said.annotations } : {}),
        ...(said.finalizers === undefined ? {} : { finalizers: content === 'freed' ? null : [...said.finalizers] }),
        ...said.metadata,
        ...elsewhere,
        ...version,
        ...metadata,
      },
    };
  }
  if (verb === 'apply') {
    const set = (texts: Said['labels']) =>
      Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null));
    const own = {
      ...(content === 'same' || content === 'removal' ? {} : { labels: { ...set(said.labels), ...OWN } }),
      ...(Object.keys(set(said.annotations)).length > 0 ? { annotations: set(said.annotations) } : {}),
      ...finalizers,
      ...said.metadata,
      ...elsewhere,
      ...version,
      ...metadata,
    };
    const isOther = said.contents !== 'other' || row.stranger === 'inner';
    const body = applied(type, name, own, isOther && chosen ? { ...roleRefOf(type), ...chosen } : undefined);
    return { ...body, ...rest };
  }
  if (content === 'list') {
    const items = [{ ...whole(type, name, contents.base), metadata: metadataOf(name) }];
    return { apiVersion: type.apiVersion, kind: `${type.kind}List`, metadata: {}, items };
  }
  const base = metadataOf(name);
  const there = appliedIn(row);
  const texts = (had: unknown, more: JsonObject, change: Said['labels']): JsonObject =>
    Object.fromEntries(
      Object.entries({ ...(had as JsonObject), ...more, ...change }).filter(([, text]) => text !== null),
    ) as JsonObject;
  const held = verb === 'update' && (state === 'held' || state === 'leaving') ? { finalizers: [HOLD, MORE] } : {};
  const named: JsonObject =
    content === 'generated'
      ? { generateName: '{id}-g-' }
      : content === 'elsewhere'
        ? type.namespaced
          ? { name, namespace: '{ns2}' }
          : {}
        : { name };
  return {
    ...whole(type, name, { ...(chosen ? { ...roleRefOf(type), ...chosen } : contents.base), ...rest }),
    ...(content === 'kind' ? { kind: OTHER_KIND } : {}),
    metadata: {
      ...named,
      labels: texts(base.labels, there.labels as JsonObject, said.labels),
      annotations: texts(base.annotations, there.annotations as JsonObject, said.annotations),
      ...held,
      ...finalizers,
      ...said.metadata,
      ...version,
      ...metadata,
    },
  };
}
