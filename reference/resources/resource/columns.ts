import { isObject, type JsonObject } from '../../api/json.ts';
import { objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { AGE, type ApiObject, column, named } from '../columns/column.ts';

const spec = (object: ApiObject): JsonObject => objectOf(object.spec);

function claimState(claim: ApiObject): string {
  const status = objectOf(claim.status);
  const states: string[] = [];
  if (claim.metadata.deletionTimestamp) states.push('deleted');
  if (isObject(status.allocation)) states.push('allocated');
  if (objectsOf(status.reservedFor).length > 0) states.push('reserved');
  if (!isObject(status.allocation)) states.push('pending');
  return states.join(',');
}

export const deviceClassColumns = named(AGE);

export const resourceClaimColumns = named(column('State', 'How far the claim is.', claimState), AGE);

export const resourceClaimTemplateColumns = named(AGE);

export const resourceSliceColumns = named(
  column('Node', 'Where the devices are.', (object) => textOf(spec(object).nodeName)),
  column('Driver', 'Who manages the devices.', (object) => textOf(spec(object).driver)),
  column('Pool', 'The pool they belong to.', (object) => textOf(objectOf(spec(object).pool).name)),
  AGE,
);
