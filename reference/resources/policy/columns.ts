import { numberOf, objectOf } from '../../api/parts.ts';
import { AGE, type ApiObject, column, integer, named } from '../columns/column.ts';

const amount = (field: string) => (object: ApiObject) => {
  const value = objectOf(object.spec)[field];
  return value === undefined ? 'N/A' : String(value);
};

export const podDisruptionBudgetColumns = named(
  column('Min Available', 'How many pods must stay.', amount('minAvailable')),
  column('Max Unavailable', 'How many pods may go.', amount('maxUnavailable')),
  column(
    'Allowed Disruptions',
    'How many pods may go now.',
    (object) => numberOf(objectOf(object.status).disruptionsAllowed) ?? 0,
    integer,
  ),
  AGE,
);
