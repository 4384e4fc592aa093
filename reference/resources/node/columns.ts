import { textOf } from '../../api/parts.ts';
import { AGE, column, named } from '../columns/column.ts';

export const runtimeClassColumns = named(
  column('Handler', 'What runs pods of the class.', (object) => textOf(object.handler)),
  AGE,
);
