import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  notFoundField,
  notSupported,
  required,
} from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject, setMember } from '../../../api/json.ts';
import { dns1123Label, qualifiedName } from '../../../api/nameRules.ts';
import { ensureObject, objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { Pace, type Staged } from '../../../api/staged.ts';
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  scaledValue,
} from '../../../schema/quantity.ts';
import { NEGATIVE, named } from '../../validation/fields.ts';
import { type PodScope, SINCE } from './scope.ts';

type NameCheck = (name: string, path: FieldPath, scope: PodScope) => FieldError[];

/** Faults of what a container asks for and may use. */
export function* validateContainerResources(
  resources: Json | undefined,
  path: FieldPath,
  scope: PodScope & { readonly claimNames: ReadonlySet<string> },
): Staged<FieldError[]> {
  return yield* validateResources(objectOf(resources), path, scope, validateContainerResource);
}

/** Faults of an amount of a resource. */
export function validateAmount(name: string, text: string, path: FieldPath, domain: string): FieldError[] {
  const amount = parseQuantity(text);
  const errors = amount.digits < 0n ? [invalid(path, text, NEGATIVE)] : [];
  if (isWhole(name, domain) && scaledValue(amount, -3) % 1000n !== 0n) {
    errors.push(invalid(path, text, 'must be an integer'));
  }
  return errors;
}

/** Entries that long work passes in the time that a resource takes. */
const OF_A_RESOURCE = 8;

function* validateResources(
  resources: JsonObject,
  path: FieldPath,
  scope: PodScope & { readonly claimNames: ReadonlySet<string> },
  checkName: NameCheck,
): Staged<FieldError[]> {
  const limits = objectOf(resources.limits);
  const requests = objectOf(resources.requests);
  const errors: FieldError[] = [];
  const pace = new Pace();
  for (const [name, amount] of Object.entries(limits)) {
    if (pace.due(OF_A_RESOURCE)) yield;
    const at = path.child('limits').key(name);
    errors.push(...checkName(name, at, scope), ...validateAmount(name, textOf(amount), at, scope.labelDomain));
    errors.push(...validatePages(name, textOf(amount), at));
  }
  for (const [name, amount] of Object.entries(requests)) {
    if (pace.due(OF_A_RESOURCE)) yield;
    const at = path.child('requests').key(name);
    errors.push(...checkName(name, at, scope), ...validateAmount(name, textOf(amount), at, scope.labelDomain));
    errors.push(...validateLimit(name, textOf(amount), limits, path, scope));
    errors.push(...validatePages(name, textOf(amount), at));
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.some((name) => name === 'cpu' || name === 'memory')) {
    errors.push(forbiddenField(path, 'HugePages require cpu or memory'));
  }
  return [...errors, ...validateClaims(resources.claims, path.child('claims'), scope.claimNames)];
}

function validateLimit(
  name: string,
  text: string,
  limits: JsonObject,
  path: FieldPath,
  { labelDomain }: PodScope,
): FieldError[] {
  const flexible = isOvercommittable(name, labelDomain);
  if (!Object.hasOwn(limits, name)) {
    return flexible ? [] : [required(path.child('limits'), 'Limit must be set for non overcommitable resources')];
  }
  const limit = textOf(limits[name]);
  const order = compareQuantities(parseQuantity(text), parseQuantity(limit));
  if (order !== 0 && !flexible) {
    return [invalid(path.child('requests'), text, `must be equal to ${name} limit of ${limit}`)];
  }
  if (order <= 0) return [];
  return [invalid(path.child('requests'), text, `must be less than or equal to ${name} limit of ${limit}`)];
}

/** Huge pages are taken whole; their size is in their name. */
function validatePages(name: string, text: string, path: FieldPath): FieldError[] {
  if (!isHugePages(name)) return [];
  const size = sizeOf(name.slice('hugepages-'.length));
  const amount = parseQuantity(text);
  const bytes = scaledValue(amount, 0);
  if (size !== undefined && size > 0n && bytes % size === 0n && bytes >= 0n) return [];
  return [invalid(path, text, `${text} is not positive integer multiple of ${name}`)];
}

function sizeOf(text: string): bigint | undefined {
  try {
    return scaledValue(parseQuantity(text), 0);
  } catch {
    return undefined;
  }
}

function validateClaims(claims: Json | undefined, path: FieldPath, known: ReadonlySet<string>): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  /** Names of which a request is claimed. */
  const requested = new Set<string>();
  let words: string | undefined;
  objectsOf(claims).forEach((claim, index) => {
    const at = path.index(index);
    const name = textOf(claim.name);
    if (name === '') {
      errors.push(required(at));
      return;
    }
    const request = textOf(claim.request);
    const key = request === '' ? name : `${name}/${request}`;
    if (seen.has(name)) errors.push(duplicate(at, name));
    else {
      if (request !== '') errors.push(...named(request, dns1123Label, at.child('request')));
      if (seen.has(key)) errors.push(duplicate(at, key));
      else if (request === '' && requested.has(name)) errors.push(duplicate(at, name));
      seen.add(key);
      if (request !== '') requested.add(name);
    }
    if (!known.has(name)) {
      words ??= known.size === 0 ? ' which is empty' : `: ${[...known].sort().join(', ')}`;
      const missing = notFoundField(at, name);
      errors.push({
        ...missing,
        message: `${missing.message}: must be one of the names in pod.spec.resourceClaims${words}`,
      });
    }
  });
  return errors;
}

/** Faults of what a pod as a whole asks for: it must cover what its containers do. */
export function* validatePodResources(
  spec: JsonObject,
  path: FieldPath,
  scope: PodScope & { readonly claimNames: ReadonlySet<string> },
): Staged<FieldError[]> {
  if (!isObject(spec.resources)) return [];
  const errors: FieldError[] = [];
  if (objectsOf(spec.resources.claims).length > 0) {
    errors.push(forbiddenField(path.child('claims'), 'claims cannot be set for Resources at pod-level'));
  }
  errors.push(...(yield* validateResources(spec.resources, path, scope, validatePodResource)));
  const requests = objectOf(spec.resources.requests);
  for (const [name, amount] of containerRequests(spec)) {
    const whole = Object.hasOwn(requests, name) ? textOf(requests[name]) : '0';
    if (compareQuantities(amount, parseQuantity(whole)) <= 0) continue;
    const detail = `must be greater than or equal to aggregate container requests of ${formatQuantity(amount)}`;
    errors.push(invalid(path.child('requests').key(name), whole, detail));
  }
  return [...errors, ...limitsWithin(spec, objectOf(spec.resources.limits), path)];
}

function limitsWithin(spec: JsonObject, whole: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const limits = new Map<string, Quantity>(
    Object.entries(whole).map(([name, amount]) => [name, parseQuantity(textOf(amount))]),
  );
  objectsOf(spec.containers).forEach((container, index) => {
    for (const [name, amount] of Object.entries(objectOf(objectOf(container.resources).limits))) {
      const limit = limits.get(name);
      if (!limit || compareQuantities(parseQuantity(textOf(amount)), limit) <= 0) continue;
      const at = path.child('containers').index(index).key(name).child('limits');
      errors.push(invalid(at, amount, `must be less than or equal to pod limits of ${textOf(whole[name])}`));
    }
  });
  return errors;
}

/*
 * Names of resources: a few plain ones, those of the service's own domain, and those of others, which are whole
 * things and cannot be promised twice.
 */

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const STANDARD = new Set([
  ...COMPUTE,
  ...COMPUTE.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'storage',
  'requests.storage',
  'services.nodeports',
  'services.loadbalancers',
]);
/** Resources that are counted. */
const COUNTED = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

/** Whether the name belongs to the service. */
function isNative(name: string, domain: string): boolean {
  return !name.includes('/') || name.includes(`${domain}/`);
}

/** Whether the name is a proper one of somebody else's. */
function isExtended(name: string, domain: string): boolean {
  if (isNative(name, domain) || name.startsWith('requests.')) return false;
  return qualifiedName(`requests.${name}`).length === 0;
}

/** Whether more can be allowed of a resource than is there. */
export function isOvercommittable(name: string, domain: string): boolean {
  return isNative(name, domain) && !isHugePages(name);
}

/** Whether a resource comes in whole pieces. */
function isWhole(name: string, domain: string): boolean {
  return COUNTED.has(name) || isExtended(name, domain);
}

/** Faults of the name of a resource. */
export function validateResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = qualifiedName(name).map((fault) => invalid(path, name, fault));
  if (errors.length > 0 || name.includes('/')) return errors;
  if (STANDARD.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-')) return [];
  return [invalid(path, name, 'must be a standard resource type or fully qualified')];
}

/** Faults of the name of a resource that a container asks for. */
export function validateContainerResource(name: string, path: FieldPath, { labelDomain }: PodScope): FieldError[] {
  const errors = validateResourceName(name, path);
  if (errors.length > 0) return errors;
  if (!name.includes('/')) {
    if (COMPUTE.includes(name) || isHugePages(name)) return [];
    return [invalid(path, name, 'must be a standard resource for containers')];
  }
  if (isNative(name, labelDomain) || isExtended(name, labelDomain)) return [];
  return [invalid(path, name, "doesn't follow extended resource name standard")];
}

/** First release in which pods as a whole can ask for huge pages. */
const POD_PAGES_SINCE = SINCE.podResources;

/** Faults of the name of a resource that a pod as a whole asks for. */
function validatePodResource(name: string, path: FieldPath, { release }: PodScope): FieldError[] {
  const errors = validateResourceName(name, path);
  const pages = release >= POD_PAGES_SINCE;
  if (errors.length > 0 || name === 'cpu' || name === 'memory' || (pages && isHugePages(name))) return errors;
  return [notSupported(path, name, pages ? ['cpu', 'hugepages-', 'memory'] : ['cpu', 'memory'])];
}

/** Amounts are kept in thousandths; what is finer is rounded up. */
const FINEST = -3;

/** Rounds `limits` and `requests` of a container, volume claim or node, in place. */
export function roundAmounts(resources: JsonObject): void {
  roundList(resources.limits);
  roundList(resources.requests);
}

/** Rounds named amounts, in place. */
export function roundList(amounts: unknown): void {
  if (!isObject(amounts)) return;
  for (const name of Object.keys(amounts)) {
    const rounded = roundAmount(textOf(amounts[name]));
    if (rounded !== undefined) setMember(amounts, name, rounded);
  }
}

/** The rounded text; undefined where nothing changes. Decoding has proved the text to be a quantity. */
function roundAmount(text: string): string | undefined {
  // Only these suffixes, and fractions, can mean less than a thousandth.
  if (!/[nu.eEm]/.test(text)) return undefined;
  const amount = parseQuantity(text);
  if (amount.scale >= FINEST) return undefined;
  const digits = scaledValue(amount, FINEST);
  if (digits * 10n ** BigInt(FINEST - amount.scale) === amount.digits) return undefined;
  return formatQuantity({ digits, scale: FINEST, format: amount.format });
}

/*
 * What containers ask for together. Containers run side by side; init containers one after the other before them,
 * except those that keep running.
 */

type Amounts = Map<string, Quantity>;

/** Resources that a pod as a whole can ask for. */
const isPodLevel = (name: string): boolean => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');

/** What is limited and not requested is requested to its limit. In place. */
export function requestLimits(container: JsonObject): void {
  const limits = objectOf(objectOf(container.resources).limits);
  const names = Object.keys(limits);
  if (names.length === 0) return;
  const requests = ensureObject(ensureObject(container, 'resources'), 'requests');
  for (const name of names) if (!Object.hasOwn(requests, name)) setMember(requests, name, limits[name] ?? '');
}

/** Requests of the whole pod where it has limits: those of its containers together, else the limits. In place. */
export function requestPodLimits(spec: JsonObject): void {
  if (!isObject(spec.resources)) return;
  const limits = objectOf(spec.resources.limits);
  if (Object.keys(limits).length === 0) return;
  const missing = (name: string): boolean =>
    isPodLevel(name) && !Object.hasOwn(objectOf(objectOf(spec.resources).requests), name);
  const request = (name: string, amount: string): void =>
    setMember(ensureObject(ensureObject(spec, 'resources'), 'requests'), name, amount);
  for (const [name, amount] of containerRequests(spec)) {
    if (missing(name) && !name.startsWith('hugepages-')) request(name, formatQuantity(amount));
  }
  for (const name of Object.keys(limits)) if (missing(name)) request(name, textOf(limits[name]));
}

/** What the containers of a pod ask for together, at most at any time. */
function containerRequests(spec: JsonObject): Amounts {
  const total = new Map<string, Quantity>();
  for (const container of objectsOf(spec.containers)) addAll(total, amountsOf(container));
  const running = new Map<string, Quantity>();
  const first = new Map<string, Quantity>();
  for (const container of objectsOf(spec.initContainers)) {
    const amounts = amountsOf(container);
    if (container.restartPolicy === 'Always') {
      addAll(total, amounts);
      addAll(running, amounts);
      raiseAll(first, running);
    } else {
      const together = new Map(amounts);
      addAll(together, running);
      raiseAll(first, together);
    }
  }
  raiseAll(total, first);
  return total;
}

function amountsOf(container: JsonObject): Amounts {
  const amounts = objectOf(objectOf(container.resources).requests);
  return new Map(Object.keys(amounts).map((name) => [name, parseQuantity(textOf(amounts[name]))]));
}

function addAll(total: Amounts, more: Amounts): void {
  for (const [name, amount] of more) {
    const present = total.get(name);
    total.set(name, present ? sum(present, amount) : amount);
  }
}

function raiseAll(total: Amounts, more: Amounts): void {
  for (const [name, amount] of more) {
    const present = total.get(name);
    if (!present || compareQuantities(amount, present) > 0) total.set(name, amount);
  }
}

/** The sum, in the family of suffixes of the first; a first of nothing takes that of the second. */
function sum(a: Quantity, b: Quantity): Quantity {
  const scale = Math.min(a.scale, b.scale);
  const digits = a.digits * 10n ** BigInt(a.scale - scale) + b.digits * 10n ** BigInt(b.scale - scale);
  return { digits, scale, format: a.digits === 0n ? b.format : a.format };
}

const QOS_RESOURCES = ['cpu', 'memory'];

/**
 * How well a pod is served when resources get scarce: Guaranteed where all its containers limit processor and memory
 * and ask for just that, BestEffort where none asks for anything, else Burstable.
 */
export function qosClass(spec: JsonObject): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  // What the pod as a whole asks for counts instead of what its containers do.
  const whole = isObject(spec.resources) && hasAmounts(spec.resources);
  const all = whole
    ? [objectOf(spec.resources)]
    : [...objectsOf(spec.containers), ...objectsOf(spec.initContainers)].map((one) => objectOf(one.resources));
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let guaranteed = true;
  for (const resources of all) {
    collect(requests, objectOf(resources.requests));
    const found = collect(limits, objectOf(resources.limits));
    if (!QOS_RESOURCES.every((name) => found.has(name))) guaranteed = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const same = [...requests].every(([name, amount]) => {
    const limit = limits.get(name);
    return limit !== undefined && compareQuantities(limit, amount) === 0;
  });
  return guaranteed && same && requests.size === limits.size ? 'Guaranteed' : 'Burstable';
}

function hasAmounts(resources: JsonObject): boolean {
  return Object.keys(objectOf(resources.requests)).length > 0 || Object.keys(objectOf(resources.limits)).length > 0;
}

/** Adds what is counted to the total; gives the names that have an amount. */
function collect(total: Map<string, Quantity>, amounts: JsonObject): Set<string> {
  const found = new Set<string>();
  for (const name of QOS_RESOURCES) {
    const text = textOf(amounts[name]);
    if (text === '') continue;
    const amount = parseQuantity(text);
    if (amount.digits <= 0n) continue;
    found.add(name);
    const before = total.get(name);
    total.set(name, before === undefined ? amount : sum(before, amount));
  }
  return found;
}
