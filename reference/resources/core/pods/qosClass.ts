import { isObject, type JsonObject } from '../../../api/json.ts';
import { objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { compareQuantities, parseQuantity, type Quantity } from '../../../schema/quantity.ts';
import { sum } from './requests.ts';

const COUNTED = ['cpu', 'memory'];

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
    if (!COUNTED.every((name) => found.has(name))) guaranteed = false;
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
  for (const name of COUNTED) {
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
