import type { Field, ObjectSchema, Schema } from '../schema/schema.ts';

/**
 * A message as Protobuf lays it out: like the object, but for fields that Protobuf keeps in a message of their own
 * where JSON has them among their neighbours (the source of a volume).
 */
export interface Layout {
  /** By number, rising: the order on the wire. */
  readonly parts: readonly LayoutPart[];
  readonly byNumber: ReadonlyMap<number, LayoutPart>;
}
export type LayoutPart =
  | { readonly number: number; readonly field: Field; readonly inner?: undefined }
  /** A message around fields of the same JSON object. */
  | { readonly number: number; readonly inner: Layout; readonly field?: undefined };

const layouts = new WeakMap<ObjectSchema, Layout>();

/** The layout of a type; fields without a number have no place in it. */
export function layoutOf(schema: ObjectSchema): Layout {
  let layout = layouts.get(schema);
  if (!layout) {
    const fields = [...schema.fields.values()].filter((field) => field.number !== undefined);
    layout = arrange(fields.map((field) => ({ field, path: [...(field.within ?? []), field.number as number] })));
    layouts.set(schema, layout);
  }
  return layout;
}

interface Placed {
  readonly field: Field;
  /** Numbers from the outermost message in to the field. */
  readonly path: readonly number[];
}

function arrange(fields: readonly Placed[]): Layout {
  const groups = new Map<number, Placed[]>();
  const parts: LayoutPart[] = [];
  for (const { field, path } of fields) {
    const [number = 0, ...rest] = path;
    if (rest.length === 0) parts.push({ number, field });
    else groups.set(number, [...(groups.get(number) ?? []), { field, path: rest }]);
  }
  for (const [number, inside] of groups) parts.push({ number, inner: arrange(inside) });
  parts.sort((a, b) => a.number - b.number);
  return { parts, byNumber: new Map(parts.map((part) => [part.number, part])) };
}

/**
 * Which union an untyped value with known forms is: a schema or a list of them, a schema or a boolean, a schema or
 * a list of names. Undefined: bytes of JSON.
 */
export function unionOf(schema: Schema): { kind: 'list' | 'boolean' | 'names'; props: ObjectSchema } | undefined {
  const forms = schema.kind === 'untyped' ? schema.forms : undefined;
  const props = forms?.find((form) => form.kind === 'object');
  if (!forms || props?.kind !== 'object') return undefined;
  if (forms.some((form) => form.kind === 'scalar')) return { kind: 'boolean', props };
  const list = forms.find((form) => form.kind === 'list');
  return { kind: list?.kind === 'list' && list.items.kind === 'object' ? 'list' : 'names', props };
}
