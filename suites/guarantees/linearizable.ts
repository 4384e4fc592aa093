import { isRecord } from '../harness/json.ts';
import { isDryRun } from './changes.ts';
import type { Guarantee, GuaranteeResult, GuaranteeViolation } from './guarantee.ts';
import { type History, type Operation, objectOf } from './history.ts';

/** Orders tried for one object before we give up on it. */
const BOUND = 200_000;

export const linearizable: Guarantee = {
  name: 'linearizable',
  sentence: 'Reads and writes of one object can be put in one order that explains every answer.',
  examine: (history) => {
    const violations: GuaranteeViolation[] = [];
    let cases = 0;
    let bound: string | undefined;
    for (const [key, steps] of stepsByObject(history)) {
      const verdict = explain(steps);
      if (verdict === 'bound') bound = `more than ${BOUND} orders of the operations on ${key}`;
      else cases += 1;
      if (verdict === 'none') {
        const sentence = `no order of these operations on ${key} explains their answers`;
        violations.push({ sentence, operations: steps.map(({ number }) => number) });
      }
    }
    const finding: GuaranteeResult = { violations, cases };
    return bound === undefined ? finding : { ...finding, bound };
  },
};

/** The state of an object: its version, or that it is not there, or that nobody knows. */
type State = string | typeof ABSENT | typeof UNKNOWN;
const ABSENT: unique symbol = Symbol('absent');
const UNKNOWN: unique symbol = Symbol('unknown');

/** An operation as a step from state to state. */
type Need = { readonly state: State } | { readonly not: State };
interface Step {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  /** What the object has to be for the answer to be true. */
  readonly needs?: Need;
  /** What it is afterwards; unchanged where absent. */
  readonly becomes?: State;
}

/** The steps on each object; objects of which an answer leaves open what it did are left out. */
function stepsByObject({ operations }: History): Map<string, Step[]> {
  const objects = new Map<string, (Step | undefined)[]>();
  const wiped = operations.flatMap(wipedBy);
  for (const operation of operations) {
    const { scope, method, query } = operation;
    if (!scope || isDryRun(operation) || (method === 'GET' && (scope.name === '' || query.has('resourceVersion'))))
      continue;
    const name = scope.name || nameSent(operation);
    if (name === '' || !['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method)) continue;
    const key = `${scope.type} ${scope.namespace}/${name}`;
    const whole = scope.subresource === '' || scope.subresource === 'status';
    const steps = objects.get(key) ?? [];
    if (method !== 'GET' || whole) steps.push(whole ? stepOf(operation) : undefined);
    objects.set(key, steps);
  }
  const plain = [...objects].flatMap(([key, steps]): [string, Step[]][] => {
    const known = steps.filter((step) => step !== undefined);
    const swept = wiped.some(({ covers, start }) => covers(key) && known.some(({ end }) => end > start));
    return known.length < steps.length || swept || !selfContained(known) ? [] : [[key, known]];
  });
  return new Map(plain.filter(([, steps]) => steps.length > 1));
}

/** A delete of a collection or of a namespace: which objects it may have removed, and from when on. */
interface Wipe {
  readonly covers: (key: string) => boolean;
  readonly start: number;
}
function wipedBy({ method, scope, start }: Operation): Wipe[] {
  if (method !== 'DELETE' || !scope) return [];
  if (scope.name === '') return [{ start, covers: (key) => key.startsWith(`${scope.type} ${scope.namespace}`) }];
  return scope.type === 'v1/namespaces' ? [{ start, covers: (key) => key.includes(` ${scope.name}/`) }] : [];
}

/** Whether every version that is read was written by one of the steps; otherwise there are writers we do not see. */
function selfContained(steps: readonly Step[]): boolean {
  const written = new Set(steps.flatMap(({ becomes }) => (typeof becomes === 'string' ? [becomes] : [])));
  return steps.every(({ needs }) => {
    const state = needs && 'state' in needs ? needs.state : undefined;
    return typeof state !== 'string' || written.has(state);
  });
}

/** `undefined` where the answer does not tell what happened. */
function stepOf(operation: Operation): Step | undefined {
  const { method, status = 0, number, start, end } = operation;
  const about = { number, start, end };
  const object = objectOf(operation);
  const version = object?.metadata.resourceVersion;
  if (status === 0 || status >= 500) return method === 'GET' ? about : undefined;
  if (status === 404) return method === 'POST' ? about : { ...about, needs: { state: ABSENT } };
  if (status === 409) return { ...about, ...refusedBecause(operation) };
  if (status >= 400) return about;
  // What is on its way out, and what is owned, the service itself removes when it sees fit.
  if (object?.metadata.deletionTimestamp !== undefined || object?.metadata.ownerReferences !== undefined)
    return undefined;
  if (method === 'DELETE') return deletion(operation, about);
  if (version === undefined) return undefined;
  if (method === 'GET') return { ...about, needs: { state: version } };
  if (status === 201) return { ...about, needs: { state: ABSENT }, becomes: version };
  const expected = versionSent(operation);
  const needs: Need = expected === undefined ? { not: ABSENT } : { state: expected };
  return { ...about, needs, becomes: version };
}

function deletion({ answer, status }: Operation, about: Step): Step | undefined {
  const plain = isRecord(answer) && answer.kind === 'Status' && status === 200;
  return plain ? { ...about, needs: { not: ABSENT }, becomes: ABSENT } : undefined;
}

function refusedBecause(operation: Operation): Pick<Step, 'needs'> {
  if (operation.method === 'POST') return { needs: { not: ABSENT } };
  const expected = versionSent(operation);
  return expected === undefined ? {} : { needs: { not: expected } };
}
function versionSent({ body }: Operation): string | undefined {
  const metadata = isRecord(body) ? body.metadata : undefined;
  const version = isRecord(metadata) ? metadata.resourceVersion : undefined;
  return typeof version === 'string' && version !== '' ? version : undefined;
}
function nameSent({ method, body, answer }: Operation): string {
  const named = (value: unknown) => (isRecord(value) && isRecord(value.metadata) ? value.metadata.name : undefined);
  const name = method === 'POST' ? (named(body) ?? named(answer)) : undefined;
  return typeof name === 'string' ? name : '';
}

/** Looks for an order in which each step finds what it needs, and none comes before one that was over before it began. */
function explain(steps: readonly Step[]): 'some' | 'none' | 'bound' {
  const dead = new Set<string>();
  let tried = 0;
  const search = (done: bigint, state: State): boolean | undefined => {
    if (done === (1n << BigInt(steps.length)) - 1n) return true;
    const place = `${done} ${String(state)}`;
    if (dead.has(place)) return false;
    tried += 1;
    if (tried > BOUND) return undefined;
    const open = steps.flatMap((step, at) => ((done >> BigInt(at)) & 1n ? [] : [{ step, at }]));
    const earliestEnd = Math.min(...open.map(({ step }) => step.end));
    for (const { step, at } of open) {
      if (step.start > earliestEnd || !holds(step, state) || returns(step, state, steps, done)) continue;
      const result = search(done | (1n << BigInt(at)), step.becomes ?? after(step, state));
      if (result !== false) return result;
    }
    dead.add(place);
    return false;
  };
  const result = search(0n, UNKNOWN);
  return result === undefined ? 'bound' : result ? 'some' : 'none';
}

function holds({ needs }: Step, state: State): boolean {
  if (!needs || state === UNKNOWN) return true;
  return 'state' in needs ? needs.state === state : needs.not !== state;
}
/** A read tells what the state is where nobody knew. */
function after({ needs }: Step, state: State): State {
  return state === UNKNOWN && needs && 'state' in needs ? needs.state : state;
}
/** Whether a step would bring back a version that was there before and is no more: no write does that. */
function returns({ becomes }: Step, state: State, steps: readonly Step[], done: bigint): boolean {
  if (typeof becomes !== 'string' || becomes === state) return false;
  return steps.some((step, at) => (done >> BigInt(at)) & 1n && step.becomes === becomes);
}
