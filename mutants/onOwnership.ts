import type { ManagedFieldsEntry } from '../reference/api/object.ts';
import { atOnce } from '../reference/api/staged.ts';
import type { Applied, ApplyContext } from '../reference/fields/applyConfiguration.ts';
import { OwnershipConflict } from '../reference/fields/conflicts.ts';
import type { FieldOwnership } from '../reference/fields/fieldOwnership.ts';
import { type FieldSet, isEmpty, node } from '../reference/fields/fieldSet.ts';
import { decodeEntries, encodeEntries, type Owner, type Owners, ownerKey } from '../reference/fields/managers.ts';
import { type OwnershipContext, withEntries } from '../reference/fields/ownership.ts';
import type { Schema } from '../reference/schema/schema.ts';
import type { Seams } from '../reference/seams.ts';

/** What an apply is given, by name. */
export interface ApplyAsked {
  readonly live: Parameters<FieldOwnership['apply']>[0];
  readonly config: Parameters<FieldOwnership['apply']>[1];
  readonly applier: Parameters<FieldOwnership['apply']>[2];
  readonly context: ApplyContext;
}
/** What any other write is given, by name. */
export interface UpdateAsked {
  readonly live: Parameters<FieldOwnership['update']>[0];
  readonly next: Parameters<FieldOwnership['update']>[1];
  readonly writer: Parameters<FieldOwnership['update']>[2];
  readonly context: OwnershipContext;
}
type Serve<Asked, Answer> = (asked: Asked) => Answer;

/** Puts something between applies and the rules that merge them. */
export function onApply(around: (asked: ApplyAsked, serve: Serve<ApplyAsked, Applied>) => Applied): Seams {
  return {
    ownership: ({ apply, ...rest }) => ({
      ...rest,
      *apply(live, config, applier, context) {
        const applied = around({ live, config, applier, context }, (asked) =>
          atOnce(apply(asked.live, asked.config, asked.applier, asked.context)),
        );
        // What a mutant makes of it may share anything with the live object.
        return { ...applied, completed: false };
      },
    }),
  };
}

/** Puts something between other writes and the rules that record them. */
export function onUpdate(
  around: (asked: UpdateAsked, serve: Serve<UpdateAsked, UpdateAsked['next']>) => UpdateAsked['next'],
): Seams {
  return {
    ownership: ({ update, ...rest }) => ({
      ...rest,
      *update(live, next, writer, context) {
        return around({ live, next, writer, context }, (asked) =>
          atOnce(update(asked.live, asked.next, asked.writer, asked.context)),
        );
      },
    }),
  };
}

/** The object with other owners than its own. */
export function reowned<Kept extends ApplyAsked['live']>(
  object: Kept,
  change: (owners: Owners) => Iterable<Owner>,
): Kept {
  if (!object) return object;
  const entries: ManagedFieldsEntry[] = encodeEntries(change(decodeEntries(object.metadata.managedFields)));
  return withEntries(object, entries) as Kept;
}

/** The same result with other owners. */
export function withOwners(applied: Applied, change: (owners: Owners) => Iterable<Owner>): Applied {
  return { ...applied, changed: true, object: reowned(applied.object, change) };
}

/** What an applier owns by applies; undefined where it owns nothing. */
export function ownerIn(owners: Owners, { applier, context }: ApplyAsked): Owner | undefined {
  const { manager, apiVersion } = applier;
  return owners.get(ownerKey({ manager, operation: 'Apply', apiVersion, subresource: context.subresource }));
}

/** Where a schema stands: levels below the object, and the name of the field. */
export interface SchemaPosition {
  readonly depth: number;
  readonly field: string;
  /** Whether the field has a patch strategy. */
  readonly merged: boolean;
}
type Markers = Partial<{ listType: string; mapType: string; keys: readonly string[]; default: undefined }>;

/** Lets ownership see other markers than the types have; nothing else sees them. */
export function onMarkers(change: (schema: Schema, place: SchemaPosition) => Markers | undefined): Seams {
  const known = new WeakMap<Schema, Schema>();
  const remarked = (schema: Schema, place: SchemaPosition): Schema => {
    const before = known.get(schema);
    if (before) return before;
    const below = (inner: Schema, field: string, merged = false) =>
      remarked(inner, { depth: place.depth + 1, field, merged });
    const parts: Record<string, () => unknown> = {};
    if (schema.kind === 'object') {
      parts.fields = once(() => {
        const fields = [...schema.fields].map(([name, field]) => {
          const merged = field.patch?.strategies.includes('merge') ?? false;
          return [name, { ...field, schema: below(field.schema, name, merged) }] as const;
        });
        return new Map(fields);
      });
    } else if (schema.kind === 'map') parts.values = once(() => below(schema.values, ''));
    else if (schema.kind === 'list') parts.items = once(() => below(schema.items, ''));
    for (const [name, value] of Object.entries(change(schema, place) ?? {})) parts[name] = () => value;
    // What is not changed is that of the schema itself, whose own getters resolve when they are first asked.
    const made = Object.create(
      schema,
      Object.fromEntries(Object.entries(parts).map(([name, get]) => [name, { get, enumerable: true }])),
    ) as Schema;
    known.set(schema, made);
    return made;
  };
  const seen = <Context extends OwnershipContext>(context: Context): Context => ({
    ...context,
    schemaOf: (apiVersion) => {
      const schema = context.schemaOf(apiVersion);
      return schema && (remarked(schema, { depth: 0, field: '', merged: false }) as typeof schema);
    },
  });
  return {
    ownership: ({ apply, update }) => ({
      apply: (live, config, applier, context) => apply(live, config, applier, seen(context)),
      update: (live, next, writer, context) => update(live, next, writer, seen(context)),
    }),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export const ATOMIC_LIST = { listType: 'atomic', keys: [] } as const;

/** Forces applies whose conflict is of a kind. */
export const forcing = (when: (conflict: OwnershipConflict, asked: ApplyAsked) => boolean) =>
  onApply((asked, serve) => {
    try {
      return serve(asked);
    } catch (error) {
      if (!(error instanceof OwnershipConflict) || !when(error, asked)) throw error;
      return serve({ ...asked, applier: { ...asked.applier, force: true } });
    }
  });

/** A set without some steps and all below them. */
export function without(set: FieldSet, forgotten: (step: string) => boolean): FieldSet {
  if (!set.below) return set;
  const left = [...set.below].flatMap(([step, below]) =>
    forgotten(step) ? [] : [[step, without(below, forgotten)] as const],
  );
  return node(set.owned, new Map(left.filter(([, below]) => !isEmpty(below))));
}
