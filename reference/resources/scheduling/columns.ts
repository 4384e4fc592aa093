import type { Json } from '../../api/json.ts';
import { numberOf, textOf } from '../../api/parts.ts';
import { AGE, boolean, column, integer, named } from '../columns/column.ts';
import { UNSET } from '../columns/labels.ts';

export const priorityClassColumns = named(
  column('Value', 'The priority; more goes first.', (object) => numberOf(object.value as Json) ?? 0, integer),
  column(
    'Global-Default',
    'Whether pods without a class get this one.',
    (object) => object.globalDefault === true,
    boolean,
  ),
  AGE,
  column('PreemptionPolicy', 'Whether others give way.', (object) => textOf(object.preemptionPolicy) || UNSET),
);
