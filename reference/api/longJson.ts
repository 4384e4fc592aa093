import { cloneJson, type Json, type JsonObject, setMember } from './json.ts';
import { eachPart, entriesOf, isLong, madeWide, type Staged } from './staged.ts';

/** What `cloneJson` makes, with turns for others meanwhile. */
export function* cloneInParts<T extends Json>(value: T): Staged<T> {
  if (typeof value !== 'object' || value === null || !isLong(value)) return cloneJson(value);
  if (Array.isArray(value)) {
    const items: Json[] = [];
    madeWide(items);
    yield* eachPart({
      keys: value.keys(),
      size: (at, enough) => entriesOf(value[at], enough),
      small: (at) => items.push(cloneJson(value[at] as Json)),
      *large(at) {
        items.push(yield* cloneInParts(value[at] as Json));
      },
    });
    return items as T;
  }
  const copy: JsonObject = {};
  madeWide(copy);
  const object = value as JsonObject;
  yield* eachPart({
    keys: Object.keys(object),
    size: (name, enough) => entriesOf(object[name], enough),
    small: (name) => setMember(copy, name, cloneJson(object[name] as Json)),
    *large(name) {
      setMember(copy, name, yield* cloneInParts(object[name] as Json));
    },
  });
  return copy as T;
}

/** A shallow copy, with turns for others meanwhile where the object has many members. */
export function* shallowCopyInParts(object: JsonObject): Staged<JsonObject> {
  const names = Object.keys(object);
  if (names.length <= MEMBERS_PER_TURN) return { ...object };
  const copy: JsonObject = {};
  madeWide(copy);
  for (const [at, name] of names.entries()) {
    if (at > 0 && at % MEMBERS_PER_TURN === 0) yield;
    setMember(copy, name, object[name] as Json);
  }
  return copy;
}

/** Members of a container that are copied or compared in one turn. */
const MEMBERS_PER_TURN = 16_384;

/** What `equalJson` says, with turns for others meanwhile. */
export function* equalInParts(a: Json | undefined, b: Json | undefined): Staged<boolean> {
  const left: (Json | undefined)[] = [a];
  const right: (Json | undefined)[] = [b];
  let passed = 0;
  while (left.length > 0) {
    const one = left.pop();
    const other = right.pop();
    if (one === other) continue;
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
    if (Array.isArray(one) !== Array.isArray(other)) return false;
    if (Array.isArray(one) && one.length !== (other as Json[]).length) return false;
    const names = Object.keys(one);
    if (names.length !== Object.keys(other).length) return false;
    for (const name of names) {
      if (++passed % MEMBERS_PER_TURN === 0) yield;
      const x = (one as JsonObject)[name];
      const y = (other as JsonObject)[name];
      if (x === y ? x !== undefined : typeof x === 'object' && typeof y === 'object') {
        if (x === y) continue;
        left.push(x);
        right.push(y);
      } else return false;
    }
  }
  return true;
}
