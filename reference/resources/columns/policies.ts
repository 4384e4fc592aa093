import type { Json, JsonObject } from '../../api/json.ts';
import { isObject } from '../../api/json.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { AGE, type ApiObject, boolean, column, integer, type KindColumns, named } from './column.ts';
import { NONE, UNSET } from './labels.ts';

const spec = (object: ApiObject): JsonObject => objectOf(object.spec);
const amount = (field: string) => (object: ApiObject) => {
  const value = spec(object)[field];
  return value === undefined ? 'N/A' : String(value);
};

export const policyColumns: KindColumns = {
  PodDisruptionBudget: named(
    column('Min Available', 'How many pods must stay.', amount('minAvailable')),
    column('Max Unavailable', 'How many pods may go.', amount('maxUnavailable')),
    column(
      'Allowed Disruptions',
      'How many pods may go now.',
      (object) => numberOf(objectOf(object.status).disruptionsAllowed) ?? 0,
      integer,
    ),
    AGE,
  ),
};

export const schedulingColumns: KindColumns = {
  PriorityClass: named(
    column('Value', 'The priority; more goes first.', (object) => numberOf(object.value as Json) ?? 0, integer),
    column(
      'Global-Default',
      'Whether pods without a class get this one.',
      (object) => object.globalDefault === true,
      boolean,
    ),
    AGE,
    column('PreemptionPolicy', 'Whether others give way.', (object) => textOf(object.preemptionPolicy) || UNSET),
  ),
};

export const coordinationColumns: KindColumns = {
  Lease: named(
    column(
      'Holder',
      'holderIdentity contains the identity of the holder of a current lease. If Coordinated Leader Election is used, the holder identity must be equal to the elected LeaseCandidate.metadata.name field.',
      (object) => textOf(spec(object).holderIdentity),
    ),
    AGE,
  ),
};

export const nodeGroupColumns: KindColumns = {
  RuntimeClass: named(
    column('Handler', 'What runs pods of the class.', (object) => textOf(object.handler)),
    AGE,
  ),
};

const text = (read: (object: ApiObject) => unknown) => (object: ApiObject) => {
  const value = read(object);
  return value === undefined || value === '' ? NONE : String(value);
};
const limited = (object: ApiObject): JsonObject => objectOf(spec(object).limited);
const queuing = (object: ApiObject): JsonObject => objectOf(objectOf(limited(object).limitResponse).queuing);

export const flowcontrolColumns: KindColumns = {
  FlowSchema: named(
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
  ),
  PriorityLevelConfiguration: named(
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
  ),
};

function serviceText(object: ApiObject): string {
  const { service } = spec(object);
  return isObject(service) ? `${textOf(service.namespace)}/${textOf(service.name)}` : 'Local';
}

function availableText(object: ApiObject): string {
  const condition = objectsOf(objectOf(object.status).conditions).find((one) => one.type === 'Available');
  if (!condition) return 'Unknown';
  return condition.status === 'True' ? 'True' : `${textOf(condition.status)} (${textOf(condition.reason)})`;
}

export const apiregistrationColumns: KindColumns = {
  APIService: named(
    column('Service', 'Who serves the version.', serviceText),
    column('Available', 'Whether it is reached.', availableText),
    AGE,
  ),
};

function claimState(claim: ApiObject): string {
  const status = objectOf(claim.status);
  const states: string[] = [];
  if (claim.metadata.deletionTimestamp) states.push('deleted');
  if (isObject(status.allocation)) states.push('allocated');
  if (objectsOf(status.reservedFor).length > 0) states.push('reserved');
  if (!isObject(status.allocation)) states.push('pending');
  return states.join(',');
}

export const resourceColumns: KindColumns = {
  DeviceClass: named(AGE),
  ResourceClaim: named(column('State', 'How far the claim is.', claimState), AGE),
  ResourceClaimTemplate: named(AGE),
  ResourceSlice: named(
    column('Node', 'Where the devices are.', (object) => textOf(spec(object).nodeName)),
    column('Driver', 'Who manages the devices.', (object) => textOf(spec(object).driver)),
    column('Pool', 'The pool they belong to.', (object) => textOf(objectOf(spec(object).pool).name)),
    AGE,
  ),
};
