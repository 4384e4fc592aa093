import type { ApiObject } from '../../api/object.ts';
import type { Column } from '../../contracts/resourceType.ts';
import { DEFAULT_COLUMNS } from '../../contracts/resourceType.ts';
import { ageOf } from './age.ts';

type Cell = Column['cell'];
type Marks = Partial<Pick<Column, 'type' | 'format' | 'priority' | 'description'>>;

/** A column of text unless told otherwise. */
export function column(name: string, description: string, cell: Cell, marks: Marks = {}): Column {
  return { name, type: 'string', format: '', priority: 0, description, cell, ...marks };
}
/** A column that only wide output shows. */
export function wide(name: string, description: string, cell: Cell, marks: Marks = {}): Column {
  return column(name, description, cell, { priority: 1, ...marks });
}
export const integer: Marks = { type: 'integer' };
export const boolean: Marks = { type: 'boolean' };

const [defaultName, created] = DEFAULT_COLUMNS as [Column, Column];

/** The name of the object, as every Table begins. */
export const NAME: Column = defaultName;
/** How long ago the object was created. */
export const AGE: Column = column('Age', created.description, (object, now) =>
  ageOf(object.metadata.creationTimestamp ?? undefined, now),
);

/** The names of a type of its own begin and end like this. */
export function named(...columns: Column[]): readonly Column[] {
  return [NAME, ...columns];
}

export type { ApiObject };
