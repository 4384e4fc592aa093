import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../api/parts.ts';
import type { Quantity } from '../schema/quantity.ts';
import { type Amounts, amountsOf, count, podAmounts } from './resourceAmounts.ts';

/** A type as quotas see it. */
export interface CountedType {
  readonly group: string;
  readonly resource: string;
}

/** Core types that quotas count under their bare names too. */
const COUNTED = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
]);
/** Amounts of pods that have short names. */
const SHORT = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** What one object uses, by the names that quotas have for it. */
export function usageOf(type: CountedType, object: ApiObject, dialect: Dialect): Map<string, Quantity> {
  const used = new Map<string, Quantity>([[countName(type), count(1)]]);
  if (type.group !== '') return used;
  const spec = objectOf(object.spec);
  switch (type.resource) {
    case 'pods':
      return podUsage(object, used);
    case 'services':
      used.set('services', count(1));
      return serviceUsage(spec, used);
    case 'persistentvolumeclaims':
      used.set('persistentvolumeclaims', count(1));
      return claimUsage(object, used, dialect);
    default:
      if (COUNTED.has(type.resource)) used.set(type.resource, count(1));
      return used;
  }
}

/** Whether quotas know the type by its bare name, or by what its objects ask for. */
export function isCounted({ group, resource }: CountedType): boolean {
  return group === '' && COUNTED.has(resource);
}

/** `count/deployments.apps`. */
export function countName({ group, resource }: CountedType): string {
  return group === '' ? `count/${resource}` : `count/${resource}.${group}`;
}

/** Pods that have ended use nothing but their place in the store. */
function podUsage(pod: ApiObject, used: Map<string, Quantity>): Map<string, Quantity> {
  const phase = textOf(objectOf(pod.status).phase);
  if (phase === 'Failed' || phase === 'Succeeded') return used;
  used.set('pods', count(1));
  const spec = objectOf(pod.spec);
  for (const [name, amount] of podAmounts(spec, 'requests')) {
    used.set(`requests.${name}`, amount);
    if (SHORT.has(name)) used.set(name, amount);
  }
  for (const [name, amount] of podAmounts(spec, 'limits')) if (SHORT.has(name)) used.set(`limits.${name}`, amount);
  return used;
}

function serviceUsage(spec: JsonObject, used: Map<string, Quantity>): Map<string, Quantity> {
  const ports = objectsOf(spec.ports);
  const balanced = spec.type === 'LoadBalancer';
  const allocated = balanced && spec.allocateLoadBalancerNodePorts === false;
  const nodePorts = allocated ? ports.filter(({ nodePort }) => (numberOf(nodePort) ?? 0) !== 0).length : ports.length;
  used.set('services.nodeports', count(balanced || spec.type === 'NodePort' ? nodePorts : 0));
  used.set('services.loadbalancers', count(balanced ? 1 : 0));
  return used;
}

function claimUsage(claim: ApiObject, used: Map<string, Quantity>, dialect: Dialect): Map<string, Quantity> {
  const spec = objectOf(claim.spec);
  const annotated = claim.metadata.annotations?.[`volume.beta.${dialect.labelDomain}/storage-class`];
  const className = annotated ?? textOf(spec.storageClassName);
  const suffix = `${className}.storageclass.${groupName(dialect, 'storage')}`;
  const storage = amountsOf(objectOf(spec.resources).requests).get('storage');
  if (storage) used.set('requests.storage', storage);
  if (className !== '') {
    used.set(`${suffix}/persistentvolumeclaims`, count(1));
    if (storage) used.set(`${suffix}/requests.storage`, storage);
  }
  return used;
}

/** Whether an object is among those that a quota's scopes mean; scopes are about pods alone. */
export function inScopes(quota: JsonObject, type: CountedType, object: ApiObject): boolean {
  const scopes = [
    ...(Array.isArray(quota.scopes) ? quota.scopes.map((scope) => ({ scopeName: scope, operator: 'Exists' })) : []),
    ...objectsOf(objectOf(quota.scopeSelector).matchExpressions),
  ];
  if (scopes.length === 0) return true;
  return type.group === '' && type.resource === 'pods' && scopes.every((scope) => inScope(scope as JsonObject, object));
}

function inScope({ scopeName, operator, values }: JsonObject, pod: ApiObject): boolean {
  const spec = objectOf(pod.spec);
  const deadline = numberOf(spec.activeDeadlineSeconds);
  switch (scopeName) {
    case 'Terminating':
      return deadline !== undefined && deadline >= 0;
    case 'NotTerminating':
      return deadline === undefined;
    case 'BestEffort':
      return isBestEffort(spec);
    case 'NotBestEffort':
      return !isBestEffort(spec);
    case 'PriorityClass': {
      const name = textOf(spec.priorityClassName);
      const listed = Array.isArray(values) && values.includes(name);
      if (operator === 'In') return listed;
      if (operator === 'NotIn') return !listed;
      return (name !== '') === (operator === 'Exists');
    }
    case 'CrossNamespacePodAffinity':
      return crossesNamespaces(asJson(pod).spec ?? null);
    default:
      return false;
  }
}

function isBestEffort(spec: JsonObject): boolean {
  const containers = [...objectsOf(spec.containers), ...objectsOf(spec.initContainers)];
  const asks = (amounts: Amounts): boolean => [...amounts].some(([name, { digits }]) => SHORT.has(name) && digits > 0n);
  return !containers.some(({ resources }) => {
    const { requests, limits } = objectOf(resources);
    return asks(amountsOf(requests)) || asks(amountsOf(limits));
  });
}

/** Whether a term anywhere in the affinity names namespaces. */
function crossesNamespaces(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(crossesNamespaces);
  if (!isObject(value as JsonObject)) return false;
  const { affinity, ...rest } = value as JsonObject;
  const terms = affinity === undefined ? rest : objectOf(affinity);
  if (affinity === undefined && 'topologyKey' in rest) {
    return (Array.isArray(rest.namespaces) && rest.namespaces.length > 0) || rest.namespaceSelector !== undefined;
  }
  return affinity === undefined ? Object.values(terms).some(crossesNamespaces) : crossesNamespaces(terms);
}

/** Amounts that pods must state where a quota limits them; those of other types are always known. */
export function unstated(hard: Iterable<string>, type: CountedType, pod: ApiObject): string[] {
  if (type.group !== '' || type.resource !== 'pods') return [];
  const spec = objectOf(pod.spec);
  const containers = [...objectsOf(spec.containers), ...objectsOf(spec.initContainers)];
  const missing: string[] = [];
  const plainName = (name: string) => name.replace(/^(requests|limits)\./, '');
  for (const name of [...hard].filter((one) => SHORT.has(plainName(one))).sort()) {
    const plain = plainName(name);
    const side = name.startsWith('limits.') ? 'limits' : 'requests';
    const lacking = containers.filter(({ resources }) => objectOf(objectOf(resources)[side])[plain] === undefined);
    if (lacking.length > 0)
      missing.push(
        `${name} for: ${lacking
          .map((one) => textOf(one.name))
          .sort()
          .join(',')}`,
      );
  }
  return missing;
}
