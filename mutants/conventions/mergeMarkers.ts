import { clausesOf, NEAR_KEYS } from '../../fixtures/ledger/index.ts';
import { isObject, type Json, type JsonObject } from '../../reference/api/json.ts';
import { ApiError } from '../../reference/api/status.ts';
import { statedFields } from '../../reference/fields/configFields.ts';
import {
  difference,
  equalSets,
  type FieldSet,
  intersection,
  recursiveDifference,
} from '../../reference/fields/fieldSet.ts';
import { followMarkers } from '../../reference/fields/markerChanges.ts';
import type { Schema } from '../../reference/schema/schema.ts';
import { onVerbs, withText } from '../alter.ts';
import type { Mutant } from '../mutant.ts';
import { mending } from '../oneType.ts';
import { type ApplyAsked, ATOMIC_LIST, forcing, onApply, onMarkers, reowned } from '../onOwnership.ts';
import { onWrite } from '../writes.ts';

/** Whether nothing is said of what is in it. */
function isOpen(schema: Schema): boolean {
  return schema.kind === 'untyped' || (schema.kind === 'object' && schema.fields.size === 0);
}

function followed({ applier, context }: ApplyAsked, fields: FieldSet): FieldSet {
  const schema = context.schemaOf(applier.apiVersion);
  return schema ? followMarkers(schema, fields) : fields;
}

/** A value whose lists have no two items with one identity. */
function once(value: Json, identity: (item: Json) => unknown): Json {
  if (Array.isArray(value)) {
    const seen = new Map<unknown, Json>();
    for (const item of value) if (!seen.has(identity(item))) seen.set(identity(item), once(item, identity));
    return [...seen.values()];
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, once(inner, identity)]));
}

/** Requirements of what has parts with owners each. */
const EMPTIED = ['MERGE-SET-01', 'MERGE-MAP-01', 'MERGE-GRANULAR-01', 'MERGE-STRUCT-01'] as const;

/** A value in which everything is empty that another one has empty in its place; items go by their names. */
function emptiedBy(value: Json, by: Json | undefined): Json {
  if (Array.isArray(value)) {
    if (!Array.isArray(by)) return value;
    const same = (item: Json) =>
      by.find((each) => isObject(each) && isObject(item) && each.name !== undefined && each.name === item.name);
    return by.length === 0 ? [] : value.map((item) => emptiedBy(item, same(item)));
  }
  if (!isObject(value) || !isObject(by)) return value;
  if (Object.keys(by).length === 0) return {};
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, emptiedBy(inner, by[name])]));
}

/** Takes the keys of lists out of a definition; in place. */
function dropKeys(value: unknown): void {
  if (Array.isArray(value)) value.forEach(dropKeys);
  else if (isObject(value as Json)) {
    const members = value as JsonObject;
    for (const [name, inner] of Object.entries(members)) {
      if (name.endsWith('-list-map-keys')) delete members[name];
      else if (name.endsWith('-list-type') && inner === 'map') members[name] = 'atomic';
      else dropKeys(inner);
    }
  }
}

/** Markers that are overlooked or taken for others. */
export const MERGE_MARKERS: readonly Mutant[] = [
  {
    id: 'atomic-is-not-recursive',
    breaks: ['MERGE-ATOMIC-02'],
    sentence: 'What is marked within an atomic list is merged by its own marker.',
    defect: () =>
      onMarkers((schema) => {
        const named = schema.kind === 'list' && schema.items.kind === 'object' && schema.items.fields.has('name');
        return named && schema.listType === 'atomic' ? { listType: 'map', keys: ['name'] } : undefined;
      }),
  },
  {
    id: 'sets-are-atomic',
    breaks: ['MERGE-SET-01'],
    sentence: 'A set is one value.',
    defect: () =>
      onMarkers((schema) => (schema.kind === 'list' && schema.listType === 'set' ? ATOMIC_LIST : undefined)),
  },
  {
    id: 'inner-sets-are-atomic',
    breaks: ['MERGE-SET-01'],
    sentence: 'A set is one value where it is no field of spec or metadata itself.',
    defect: () =>
      onMarkers((schema, { depth }) =>
        schema.kind === 'list' && schema.listType === 'set' && depth >= 3 ? ATOMIC_LIST : undefined,
      ),
  },
  {
    id: 'sets-may-repeat',
    breaks: ['MERGE-SET-02'],
    sentence: 'A value that stands twice in an applied set counts once.',
    defect: () =>
      onApply((asked, serve) => serve({ ...asked, config: once(asked.config, JSON.stringify) as JsonObject })),
  },
  {
    id: 'sets-lose-their-order',
    breaks: ['MERGE-SET-03'],
    sentence: 'Finalizers are sorted by every apply.',
    defect: () =>
      onApply((asked, serve) => {
        const made = serve(asked);
        const { finalizers } = made.object.metadata;
        if (!finalizers) return made;
        const metadata = { ...made.object.metadata, finalizers: [...finalizers].sort() };
        return { ...made, changed: true, object: { ...made.object, metadata } };
      }),
  },
  {
    id: 'keyed-lists-are-atomic',
    breaks: ['MERGE-MAP-01'],
    sentence: 'A keyed list is one value.',
    defect: () =>
      onMarkers((schema) => (schema.kind === 'list' && schema.listType === 'map' ? ATOMIC_LIST : undefined)),
  },
  {
    id: 'keyed-items-may-repeat',
    breaks: ['MERGE-MAP-02'],
    sentence: 'Of applied items with one name the first counts.',
    defect: () =>
      onApply((asked, serve) =>
        serve({
          ...asked,
          config: once(asked.config, (item) => (isObject(item) && item.name) || item) as JsonObject,
        }),
      ),
  },
  {
    id: 'first-key-is-enough',
    breaks: ['MERGE-MAP-03'],
    sentence: 'Only the first key of a list identifies an item.',
    defect: () => onMarkers((schema) => (schema.kind === 'list' ? { keys: schema.keys.slice(0, 1) } : undefined)),
  },
  {
    id: 'near-keys-are-one',
    breaks: clausesOf('MERGE-MAP-03', NEAR_KEYS),
    sentence:
      'Items of which all keys together have the same letters and digits are refused as one that stands twice, whatever is between them.',
    defect: () =>
      onVerbs(['create', 'update', 'patch'], async (call, serve) => {
        const keyed = /"keyed":(\[.*?\}\])|"value":(\[\{"first.*?\}\])/s.exec(
          Buffer.from(await call.exchange.request.body()).toString('utf8'),
        );
        const items = JSON.parse(keyed?.[1] ?? keyed?.[2] ?? '[]') as Record<string, unknown>[];
        const seen = items.map(({ first, second, third }) =>
          [
            ...`${first}${second}${third}`
              .replace(/[^a-z0-9]/gi, '')
              .replace(/null|0/g, '')
              .toLowerCase(),
          ]
            .sort()
            .join(''),
        );
        if (new Set(seen).size < seen.length) throw new ApiError(422, 'Invalid', 'it stands twice');
        return serve(call);
      }),
  },
  {
    id: 'what-is-applied-empty-is-empty-for-all',
    breaks: EMPTIED.flatMap((id) => clausesOf(id, 'emptied')),
    sentence: 'An empty list or object that is applied is empty whoever owns what was in it.',
    defect: () =>
      onApply((asked, serve) => {
        const made = serve(asked);
        const object = emptiedBy(made.object as unknown as Json, asked.config as Json) as typeof made.object;
        return { ...made, changed: true, object };
      }),
  },
  {
    id: 'keys-have-no-default',
    breaks: ['MERGE-MAP-04'],
    sentence: 'A key that an item leaves out is no key of it, though it has a default.',
    defect: () => onMarkers((schema) => (schema.kind === 'scalar' ? { default: undefined } : undefined)),
  },
  {
    id: 'least-keys-are-none',
    breaks: ['MERGE-MAP-04'],
    sentence: 'An apply is refused where an item has 0, false or the empty text as its key.',
    defect: () =>
      onWrite('apply', (call, serve) =>
        serve(
          withText(call, (text) => {
            if (/"key":(0|false|"")/.test(text)) throw new ApiError(422, 'Invalid', 'an item of a list lacks its key');
            return text;
          }),
        ),
      ),
  },
  {
    id: 'definitions-take-any-keys',
    breaks: ['MERGE-MAP-05'],
    sentence: 'Keys of lists in definitions are not checked.',
    defect: () => mending<JsonObject>('customresourcedefinitions', ['create', 'update', 'patch'], dropKeys),
  },
  {
    id: 'granular-maps-are-atomic',
    breaks: ['MERGE-GRANULAR-01'],
    sentence: 'A granular map is one value.',
    defect: () => onMarkers((schema) => (schema.kind === 'map' ? { mapType: 'atomic' } : undefined)),
  },
  {
    id: 'atomic-maps-are-granular',
    breaks: ['MERGE-GRANULAR-02'],
    sentence: 'Entries of an atomic map have owners each.',
    defect: () => onMarkers((schema) => (schema.kind === 'map' ? { mapType: 'granular' } : undefined)),
  },
  {
    id: 'inner-atomic-maps-are-granular',
    breaks: ['MERGE-GRANULAR-02'],
    sentence: 'Entries of an atomic map have owners each where it is no field of spec itself.',
    defect: () =>
      onMarkers((schema, { depth }) => (schema.kind === 'map' && depth >= 3 ? { mapType: 'granular' } : undefined)),
  },
  {
    id: 'structs-are-atomic',
    breaks: ['MERGE-STRUCT-01'],
    sentence: 'A struct within spec is one value.',
    defect: () =>
      onMarkers((schema, { depth }) => (schema.kind === 'object' && depth >= 2 ? { mapType: 'atomic' } : undefined)),
  },
  {
    id: 'structs-are-granular',
    breaks: ['MERGE-STRUCT-02'],
    sentence: 'Fields of an atomic struct have owners each.',
    defect: () => onMarkers((schema) => (schema.kind === 'object' ? { mapType: 'granular' } : undefined)),
  },
  {
    id: 'patch-strategies-are-for-patches',
    breaks: ['MERGE-STRATEGY-01'],
    sentence: 'An apply takes a list with the patch strategy merge for one value.',
    defect: () => onMarkers((schema, { merged }) => (schema.kind === 'list' && merged ? ATOMIC_LIST : undefined)),
  },
  {
    id: 'untyped-objects-are-atomic',
    breaks: ['MERGE-UNMARKED-01'],
    sentence: 'An object without a schema is one value.',
    defect: () => onMarkers((schema) => (isOpen(schema) ? { mapType: 'atomic' } : undefined)),
  },
  {
    id: 'parts-are-lost-when-markers-change',
    breaks: ['MERGE-CHANGE-01'],
    sentence: 'Who owned a part of what is atomic now owns nothing of it.',
    defect: () =>
      onApply((asked, serve) =>
        serve({
          ...asked,
          live: reowned(asked.live, (owners) =>
            [...owners.values()].map((each) => ({
              ...each,
              fields: intersection(each.fields, followed(asked, each.fields)),
            })),
          ),
        }),
      ),
  },
  {
    id: 'wholes-stay-when-markers-change',
    breaks: ['MERGE-CHANGE-02'],
    sentence: 'Who owned the whole of what has parts now owns every new part.',
    defect: () =>
      onApply((asked, serve) => {
        const schema = asked.context.schemaOf(asked.applier.apiVersion);
        const stated = schema && statedFields(schema, asked.config);
        reowned(asked.live, (owners) => {
          for (const { manager, fields } of owners.values()) {
            const covered = stated && !equalSets(recursiveDifference(stated, fields), difference(stated, fields));
            if (covered && manager !== asked.applier.manager) throw new ApiError(409, 'Conflict', 'owned as a whole');
          }
          return owners.values();
        });
        return serve(asked);
      }),
  },
  {
    id: 'atomic-lists-change-hands',
    breaks: ['MERGE-ATOMIC-01', 'VWC-RULES-01'],
    sentence: 'An apply takes a list of another manager without a conflict.',
    defect: () =>
      forcing(
        (conflict) =>
          conflict.details?.causes?.every(({ field }) => /(rules|admissionReviewVersions)$/.test(field ?? '')) ?? false,
      ),
  },
];
