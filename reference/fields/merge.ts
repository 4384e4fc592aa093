import { isObject, type Json, type JsonObject, member, setMember } from '../api/json.ts';
import { eachPart, entriesOf, isLong, madeWide, type Staged } from '../api/staged.ts';
import type { ListSchema, Schema } from '../schema/schema.ts';
import { sameValue } from './compare.ts';
import type { PathElement } from './pathElement.ts';
import { fieldSchema, indexItems, itemElement, itemsOf, MAX_NESTING, membersOf, shapeOf } from './shape.ts';

/**
 * Lays a configuration over a live value: where both state a field the configuration wins
 * (1/server-side-apply-rules/9). Parts that do not change are shared with the live value.
 * @throws UnidentifiedItem when an item of the live value has no key
 */
export function merge(schema: Schema, live: Json | undefined, config: Json): Json {
  return mergeAt(schema, live, config, 0);
}

function mergeAt(schema: Schema, live: Json | undefined, config: Json, depth: number): Json {
  if (live === undefined || live === config || depth > MAX_NESTING) return config;
  const was = shapeOf(schema, live);
  const is = shapeOf(schema, config);
  if (is === 'record') {
    // Null does not empty a record that has fields, and what was no record is replaced.
    if (was === 'record') return mergeRecords(schema, live, config, depth);
    return config;
  }
  if (is === 'items') return mergeItems(schema as ListSchema, live, config, depth);
  return sameValue(live, config) ? live : config;
}

function mergeRecords(schema: Schema, live: Json, config: Json, depth: number): Json {
  const old = membersOf(live);
  const stated = membersOf(config);
  if (Object.keys(old).length === 0 && Object.keys(stated).length === 0) {
    return (live === null) === (config === null) ? live : config;
  }
  if (!isObject(live)) return config;
  let merged: JsonObject | undefined;
  for (const name of Object.keys(stated)) {
    const before = member(old, name);
    const after = mergeAt(fieldSchema(schema, name), before, member(stated, name) as Json, depth + 1);
    if (after === before) continue;
    merged ??= copyOf(live);
    setMember(merged, name, after);
  }
  return merged ?? live;
}

/** What {@link merge} makes, with turns for others meanwhile where the configuration is large. @throws as it does */
export function* mergeInParts(schema: Schema, live: Json | undefined, config: Json, depth = 0): Staged<Json> {
  const records = isObject(live) && isObject(config) && depth <= MAX_NESTING && shapeOf(schema, live) === 'record';
  if (!records || shapeOf(schema, config) !== 'record' || !isLong(config)) {
    return mergeAt(schema, live, config, depth);
  }
  const changed = new Map<string, Json>();
  const put = (name: string, after: Json): void => {
    if (after !== member(live, name)) changed.set(name, after);
  };
  yield* eachPart({
    keys: Object.keys(config),
    size: (name, enough) => entriesOf(config[name], enough),
    small: (name) => put(name, mergeAt(fieldSchema(schema, name), member(live, name), config[name] as Json, depth + 1)),
    *large(name) {
      put(name, yield* mergeInParts(fieldSchema(schema, name), member(live, name), config[name] as Json, depth + 1));
    },
  });
  return changed.size === 0 ? live : yield* withMembers(live, changed);
}

/** A shallow copy with other members in place of its own, new ones behind. */
function* withMembers(object: JsonObject, changed: ReadonlyMap<string, Json>): Staged<JsonObject> {
  const copy: JsonObject = {};
  madeWide(copy);
  const size = (): number => 0;
  const none = (): Staged<never> => {
    throw new Error('a member that is copied has no parts');
  };
  yield* eachPart({
    keys: Object.keys(object),
    size,
    small: (name) => setMember(copy, name, changed.has(name) ? (changed.get(name) as Json) : (object[name] as Json)),
    large: none,
  });
  yield* eachPart({
    keys: changed,
    size,
    small: ([name, value]) => {
      if (!Object.hasOwn(object, name)) setMember(copy, name, value);
    },
    large: none,
  });
  return copy;
}

/** A shallow copy; safe for members called `__proto__`. */
export function copyOf(object: JsonObject): JsonObject {
  return { ...object };
}

/**
 * Items of both sides. Those that both have stand in the configuration's order; items of one side only keep their
 * place behind the item that they follow, live ones first. Repeated live items that the configuration does not
 * state stay repeated; those that it states become one.
 */
function mergeItems(list: ListSchema, live: Json, config: Json, depth: number): Json {
  const old = itemsOf(live);
  const stated = itemsOf(config);
  if (old.length === 0 && stated.length === 0) return (live === null) === (config === null) ? live : config;
  if (stated.length === 0) return live;
  const oldSteps = old.map((item) => itemElement(list, item));
  const oldByStep = indexItems(list, old);
  const steps = stated.map((item) => itemElement(list, item));
  const statedSteps = new Set(steps);
  const shared = steps.filter((step) => oldByStep.has(step));
  const placed = new Set<PathElement>();
  const merged: Json[] = [];

  const place = (at: number): void => {
    const step = steps[at] as PathElement;
    const same = oldByStep.get(step);
    merged.push(mergeAt(list.items, same?.length === 1 ? same[0] : undefined, stated[at] as Json, depth + 1));
    placed.add(step);
  };

  let left = 0;
  let right = 0;
  let next = 0;
  while (left < old.length || right < steps.length) {
    const step = oldSteps[left];
    if (step !== undefined && !statedSteps.has(step)) {
      merged.push(old[left++] as Json);
      continue;
    }
    if (step !== undefined && right < steps.length) {
      const meets = step === steps[right];
      if (!meets && next < shared.length && step !== shared[next]) {
        // A shared item whose turn in the configuration's order is not now.
        left++;
        continue;
      }
      if (meets) left++;
      else if (placed.has(step)) left++;
    } else if (step !== undefined) {
      left++;
      continue;
    }
    if (right < steps.length) {
      if (shared[next] === steps[right]) next++;
      place(right++);
    }
  }
  return sameItems(old, merged) ? live : merged;
}

function sameItems(a: readonly Json[], b: readonly Json[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
