import type { JsonObject } from '../../api/json.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { AGE, type ApiObject, column, named } from '../columns/column.ts';
import { NONE } from '../columns/labels.ts';

const spec = (object: ApiObject): JsonObject => objectOf(object.spec);
const text = (read: (object: ApiObject) => unknown) => (object: ApiObject) => {
  const value = read(object);
  return value === undefined || value === '' ? NONE : String(value);
};
const limited = (object: ApiObject): JsonObject => objectOf(spec(object).limited);
const queuing = (object: ApiObject): JsonObject => objectOf(objectOf(limited(object).limitResponse).queuing);

export const flowSchemaColumns = named(
  column('PriorityLevel', 'The level that takes the requests.', (object) =>
    textOf(objectOf(spec(object).priorityLevelConfiguration).name),
  ),
  column('MatchingPrecedence', 'Less goes first.', (object) => numberOf(spec(object).matchingPrecedence) ?? 0),
  column(
    'DistinguisherMethod',
    'What tells flows apart.',
    text((object) => objectOf(spec(object).distinguisherMethod).type),
  ),
  AGE,
  column('MissingPL', 'Whether the level is missing.', (object) => {
    const dangling = objectsOf(objectOf(object.status).conditions).find((one) => one.type === 'Dangling');
    return dangling ? textOf(dangling.status) : '?';
  }),
);

export const priorityLevelConfigurationColumns = named(
  column('Type', 'Whether the level has a limit.', (object) => textOf(spec(object).type)),
  column(
    'NominalConcurrencyShares',
    'Its share of all.',
    text((object) => limited(object).nominalConcurrencyShares),
  ),
  column(
    'Queues',
    'Number of queues.',
    text((object) => queuing(object).queues),
  ),
  column(
    'HandSize',
    'Queues dealt to a flow.',
    text((object) => queuing(object).handSize),
  ),
  column(
    'QueueLengthLimit',
    'Most requests in a queue.',
    text((object) => queuing(object).queueLengthLimit),
  ),
  AGE,
);
