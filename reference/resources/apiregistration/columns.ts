import { isObject } from '../../api/json.ts';
import { objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { AGE, type ApiObject, column, named } from '../columns/column.ts';

function serviceText(object: ApiObject): string {
  const { service } = objectOf(object.spec);
  return isObject(service) ? `${textOf(service.namespace)}/${textOf(service.name)}` : 'Local';
}

function availableText(object: ApiObject): string {
  const condition = objectsOf(objectOf(object.status).conditions).find((one) => one.type === 'Available');
  if (!condition) return 'Unknown';
  return condition.status === 'True' ? 'True' : `${textOf(condition.status)} (${textOf(condition.reason)})`;
}

export const apiServiceColumns = named(
  column('Service', 'Who serves the version.', serviceText),
  column('Available', 'Whether it is reached.', availableText),
  AGE,
);
