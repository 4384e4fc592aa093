import { isObject, type JsonObject, setMember } from '../../../api/json.ts';
import { ensureObject, objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { compareQuantities, formatQuantity, parseQuantity, type Quantity } from '../../../schema/quantity.ts';

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
export function containerRequests(spec: JsonObject): Amounts {
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
export function sum(a: Quantity, b: Quantity): Quantity {
  const scale = Math.min(a.scale, b.scale);
  const digits = a.digits * 10n ** BigInt(a.scale - scale) + b.digits * 10n ** BigInt(b.scale - scale);
  return { digits, scale, format: a.digits === 0n ? b.format : a.format };
}
