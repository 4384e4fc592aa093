import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import { ensureObject, objectOf, objectsOf } from '../api/parts.ts';
import { forbidden, tooLarge } from '../api/status.ts';
import type { Admission, AdmissionAttributes } from '../contracts/admission.ts';
import type { Store } from '../contracts/store.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';
import { amountsOf, podAmounts } from '../objects/resourceAmounts.ts';
import { compareQuantities, formatQuantity, type Quantity } from '../schema/quantity.ts';
import { onlyTypes } from './onlyTypes.ts';

const RANGES = { group: '', resource: 'limitranges' };
const CONTAINERS = ['initContainers', 'containers'] as const;

/**
 * Plugin LimitRanger: containers get the requests and limits that the ranges of their namespace say by default, and
 * containers, pods and claims outside of those ranges are refused (403).
 */
export function limitRanger({ store, dialect }: { readonly store: Store; readonly dialect: Dialect }): Admission {
  const annotation = `${dialect.labelDomain}/limit-ranger`;
  const itemsOf = async (namespace: string): Promise<JsonObject[]> => {
    const { entries } = await store.range({ prefix: collectionPrefix(RANGES, namespace) });
    return entries.flatMap(({ object }) => [...objectsOf(objectOf(asJson(object).spec).limits)]);
  };
  return {
    name: 'LimitRanger',
    concerns: onlyTypes('', 'pods', 'persistentvolumeclaims'),
    async mutate(attributes) {
      const { object } = attributes;
      if (!concerns(attributes) || attributes.endpoint.type.resource !== 'pods' || !object) return;
      const items = (await itemsOf(attributes.namespace)).filter(({ type }) => type === 'Container');
      if (items.length > 0) fillContainers(object, items, annotation);
    },
    async validate(attributes) {
      const { endpoint, object } = attributes;
      if (!concerns(attributes) || !object) return;
      const faults: string[] = [];
      for (const item of await itemsOf(attributes.namespace)) {
        for (const some of faultsOf(item, object, endpoint.type.resource)) {
          for (const fault of some) faults.push(fault);
          if (faults.length > MOST_FAULTS) break;
        }
        if (faults.length > MOST_FAULTS) break;
      }
      if (faults.length === 0) return;
      const name = object.metadata.name || object.metadata.generateName || 'Unknown';
      throw forbidden(endpoint.type, name, faults.length === 1 ? (faults[0] as string) : `[${faults.join(', ')}]`);
    },
  };
}

/** Pods cannot change what they ask for, but for what they are made with; claims can. */
function concerns({ operation, endpoint, namespace }: AdmissionAttributes): boolean {
  const { type, subresource } = endpoint;
  if (subresource || type.group !== '' || namespace === '') return false;
  if (type.resource === 'pods') return operation === 'CREATE';
  return type.resource === 'persistentvolumeclaims' && (operation === 'CREATE' || operation === 'UPDATE');
}

/** Values that ranges may add to one pod: many containers could take many each. */
const MOST_FILLED = 100_000;
/** Faults after which a pod is judged no further. */
const MOST_FAULTS = 20_000;

/** Throws ApiError 413 where ranges would add more than memory should hold. */
function fillContainers(pod: ApiObject, items: readonly JsonObject[], annotation: string): void {
  const requests: JsonObject = {};
  const limits: JsonObject = {};
  for (const item of items) {
    Object.assign(requests, item.defaultRequest);
    Object.assign(limits, item.default);
  }
  const notes: string[] = [];
  let added = 0;
  for (const part of CONTAINERS) {
    const noun = part === 'containers' ? 'container' : 'init container';
    for (const container of objectsOf(objectOf(pod.spec)[part])) {
      const set = [
        ...filled(container, 'requests', requests).map((name) => `${name} request`),
        ...filled(container, 'limits', limits).map((name) => `${name} limit`),
      ];
      added += set.length;
      if (added > MOST_FILLED) {
        throw tooLarge(`Request entity too large: limit ranges would add more than ${MOST_FILLED} values to the pod`);
      }
      for (const side of ['request', 'limit']) {
        const names = set.filter((one) => one.endsWith(side)).map((one) => one.split(' ')[0] as string);
        if (names.length > 0) notes.push(`${names.sort().join(', ')} ${side} for ${noun} ${String(container.name)}`);
      }
    }
  }
  if (notes.length === 0) return;
  const text = `LimitRanger plugin set: ${notes.join('; ')}`;
  pod.metadata.annotations = { ...pod.metadata.annotations, [annotation]: text };
}

/** Fills what a container lacks; the names of what was filled. */
function filled(container: JsonObject, side: 'requests' | 'limits', defaults: JsonObject): string[] {
  const missing = Object.entries(defaults).filter(
    ([name]) => objectOf(objectOf(container.resources)[side])[name] === undefined,
  );
  if (missing.length === 0) return [];
  const resources = ensureObject(container, 'resources');
  resources[side] = { ...objectOf(resources[side]), ...Object.fromEntries(missing) };
  return missing.map(([name]) => name);
}

type Amounts = ReadonlyMap<string, Quantity>;
interface Asked {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** What an item objects to, container by container. */
function* faultsOf(item: JsonObject, object: ApiObject, resource: string): Generator<readonly string[]> {
  const spec = objectOf(object.spec);
  const told = String(item.type);
  if (resource === 'persistentvolumeclaims') {
    if (told !== 'PersistentVolumeClaim') return;
    const requests = amountsOf(objectOf(spec.resources).requests);
    yield [...minimum(item, { requests, limits: new Map() }, told), ...largestRequest(item, requests, told)];
  } else if (told === 'Pod') {
    yield bounds(item, { requests: podAmounts(spec, 'requests'), limits: podAmounts(spec, 'limits') }, told);
  } else if (told === 'Container') {
    for (const { resources } of [...objectsOf(spec.containers), ...objectsOf(spec.initContainers)]) {
      const { requests, limits } = objectOf(resources);
      yield bounds(item, { requests: amountsOf(requests), limits: amountsOf(limits) }, told);
    }
  }
}

function bounds(item: JsonObject, asked: Asked, type: string): string[] {
  return [...minimum(item, asked, type), ...maximum(item, asked, type), ...ratio(item, asked, type)];
}

function minimum(item: JsonObject, { requests, limits }: Asked, type: string): string[] {
  return [...amountsOf(item.min)].flatMap(([name, least]) => {
    const what = `minimum ${name} usage per ${type} is ${formatQuantity(least)}`;
    const request = requests.get(name);
    const limit = limits.get(name);
    if (!request) return [`${what}.  No request is specified`];
    if (compareQuantities(request, least) < 0) return [`${what}, but request is ${formatQuantity(request)}`];
    if (limit && compareQuantities(limit, least) < 0) return [`${what}, but limit is ${formatQuantity(limit)}`];
    return [];
  });
}

function maximum(item: JsonObject, { requests, limits }: Asked, type: string): string[] {
  return [...amountsOf(item.max)].flatMap(([name, most]) => {
    const what = `maximum ${name} usage per ${type} is ${formatQuantity(most)}`;
    const request = requests.get(name);
    const limit = limits.get(name);
    if (!limit) return [`${what}.  No limit is specified`];
    if (compareQuantities(limit, most) > 0) return [`${what}, but limit is ${formatQuantity(limit)}`];
    if (request && compareQuantities(request, most) > 0) return [`${what}, but request is ${formatQuantity(request)}`];
    return [];
  });
}

/** What only asks has no limits. */
function largestRequest(item: JsonObject, requests: Amounts, type: string): string[] {
  return [...amountsOf(item.max)].flatMap(([name, most]) => {
    const what = `maximum ${name} usage per ${type} is ${formatQuantity(most)}`;
    const request = requests.get(name);
    if (!request) return [`${what}.  No request is specified`];
    return compareQuantities(request, most) > 0 ? [`${what}, but request is ${formatQuantity(request)}`] : [];
  });
}

function ratio(item: JsonObject, { requests, limits }: Asked, type: string): string[] {
  return [...amountsOf(item.maxLimitRequestRatio)].flatMap(([name, most]) => {
    const what = `${name} max limit to request ratio per ${type} is ${formatQuantity(most)}`;
    const [request, limit] = [requests.get(name), limits.get(name)];
    if (!request || request.digits === 0n) return [`${what}, but no request is specified or request is 0`];
    if (!limit || limit.digits === 0n) return [`${what}, but no limit is specified or limit is 0`];
    const found = numberOf(limit) / numberOf(request);
    return found > numberOf(most) ? [`${what}, but provided ratio is ${found.toFixed(6)}`] : [];
  });
}

function numberOf({ digits, scale }: Quantity): number {
  return Number(digits) * 10 ** scale;
}
