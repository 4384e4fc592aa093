import type { Schema } from '../schema/schema.ts';
import { type DeclaredField, type DeclaredType, DYN } from './declaredType.ts';
import { escapeName } from './escapeName.ts';

const STRING: DeclaredType = { kind: 'string' };
const TIME: DeclaredType = { kind: 'timestamp' };
const SCALARS: Readonly<Record<string, DeclaredType>> = {
  string: STRING,
  bytes: { kind: 'bytes' },
  boolean: { kind: 'bool' },
  int32: { kind: 'int' },
  int64: { kind: 'int' },
  double: { kind: 'double' },
  time: TIME,
  microTime: TIME,
  duration: { kind: 'duration' },
};
/** Of custom types, whose texts have formats. */
const FORMATS: Readonly<Record<string, DeclaredType>> = {
  byte: { kind: 'bytes' },
  date: TIME,
  'date-time': TIME,
  duration: { kind: 'duration' },
};

/** The type that expressions see of a whole object of a schema; `metadata` is the schema of its metadata. */
export function typeOfObject(schema: Schema, metadata: Schema): DeclaredType {
  const type = typeOfSchema(schema, []);
  if (type.kind !== 'object') return type;
  const fields = new Map(type.fields);
  for (const name of ['apiVersion', 'kind']) fields.set(name, { type: STRING, source: name });
  fields.set('metadata', { type: typeOfSchema(metadata, []), source: 'metadata' });
  return { ...type, fields };
}

/** @param around the schemas that this one is inside of; one that comes again is not looked into */
function typeOfSchema(schema: Schema, around: readonly Schema[]): DeclaredType {
  if (around.includes(schema)) return DYN;
  const inside = [...around, schema];
  switch (schema.kind) {
    case 'scalar':
      return (schema.type === 'string' && FORMATS[schema.rules?.format ?? '']) || (SCALARS[schema.type] ?? DYN);
    case 'list':
      return { kind: 'list', items: typeOfSchema(schema.items, inside) };
    case 'map':
      return { kind: 'map', values: typeOfSchema(schema.values, inside) };
    case 'object': {
      if (schema.preserveUnknown) return DYN;
      const fields = new Map<string, DeclaredField>();
      for (const [source, field] of schema.fields) {
        const name = escapeName(source);
        if (name !== undefined) fields.set(name, { type: typeOfSchema(field.schema, inside), source });
      }
      return { kind: 'object', fields };
    }
    case 'untyped':
      return DYN;
  }
}
