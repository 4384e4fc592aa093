import type { Actor, Exchange } from '../harness/index.ts';
import { configMaps, segments, valueAt } from '../harness/index.ts';
import * as match from '../harness/match.ts';
import type { Ask, Step } from './command.ts';
import { commandOf } from './commands/index.ts';
import type { Judge } from './judge.ts';
import { Memory } from './memory.ts';
import type { ComparedRequest, Oracle, Said } from './oracle.ts';

const PARTS = ['metadata.labels', 'metadata.finalizers', 'data'] as const;

/** A namespace, empty on both sides, in which a sequence is played: each step on the target and on the oracle. */
export class OracleRun {
  readonly memory = new Memory();
  /** The steps that were played, in order. */
  readonly played: Step[] = [];
  readonly #actors: Readonly<Record<Step['client'] | 'watcher', Actor>>;
  readonly #oracle: Oracle;
  readonly #judge: Judge;

  constructor(parts: { actors: Readonly<Record<Step['client'] | 'watcher', Actor>>; oracle: Oracle; judge: Judge }) {
    this.#actors = parts.actors;
    this.#oracle = parts.oracle;
    this.#judge = parts.judge;
  }

  settled(step: Step): boolean {
    return commandOf(step).settled?.(step, this.memory) ?? true;
  }

  /** Plays a step and looks at what became of its object. Throws as its judge does. */
  async play(step: Step): Promise<void> {
    this.played.push(step);
    const command = commandOf(step);
    const { memory } = this;
    const open = command.anyAnswer?.(step, memory) ?? false;
    const asks = [memory.target, memory.oracle].map((copies) => command.ask(step, copies, memory)) as [Ask, Ask];
    const words = command.words(step);
    const [target, oracle] = await this.#put(step, step.client, words, asks);
    const allowed = open
      ? match.either(match.success, match.refusal)
      : outcome(oracle, asks[1], command.anyRefusal ?? false);
    this.#judge('it is answered as by the reference', target, allowed);
    if (step.do === 'list')
      this.#judge('the same objects are listed', target, match.names(match.sameItems(namesIn(oracle))));
    else await this.#look(step);
    if (asks[0].method !== 'DELETE') memory.learn(step.client, step.name, target.json, oracle.json);
  }

  /** Reads the object on both sides: it must look alike, and have moved on where that of the oracle has. */
  async #look(step: Step): Promise<void> {
    const read: Ask = { method: 'GET', to: 'object' };
    const [target, oracle] = await this.#put(step, 'watcher', `watcher looks at ${step.name}`, [read, read]);
    const before = this.memory.live(step.name);
    this.memory.see(step.name, target.json, oracle.json);
    this.#judge('it is there as in the reference', target, match.status(oracle.status));
    const after = this.memory.live(step.name);
    if (!after) return;
    for (const path of PARTS)
      this.#judge(`its ${path} agree`, target, match.field(path, like(valueAt(after.oracle, segments(path)))));
    const deleting = after.oracle.metadata.deletionTimestamp === undefined ? match.absent : match.aTimestamp;
    this.#judge('it is as live', target, match.field('metadata.deletionTimestamp', deleting));
    if (!before) return;
    for (const member of ['uid', 'resourceVersion'] as const) {
      const moved = before.oracle.metadata[member] !== after.oracle.metadata[member];
      const old = before.target.metadata[member] ?? null;
      const expected = moved ? match.not(old) : old;
      this.#judge(`its ${member} ${moved ? 'changed' : 'stayed'}`, target, match.field(`metadata.${member}`, expected));
    }
  }

  async #put(step: Step, who: Step['client'] | 'watcher', words: string, asks: readonly [Ask, Ask]) {
    const actor = this.#actors[who];
    const asked = await Promise.all(asks.map((ask) => located(actor, step, ask)));
    const [first, second] = asked as [ComparedRequest, ComparedRequest];
    const { method, path, headers, body } = first;
    if (step.do === 'hold') actor.space.noteHeld(path);
    const target: Exchange = await actor.request(method, path, {
      words,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const oracle = await this.#oracle.ask({ ...second, headers: { ...headers, 'user-agent': `touchstone-${who}` } });
    return [target, oracle] as const;
  }
}

async function located(actor: Actor, step: Step, ask: Ask): Promise<ComparedRequest> {
  const path = (await actor.pathOf(configMaps, ask.to === 'object' ? step.name : '')) + (ask.query ?? '');
  const headers: Record<string, string> = ask.contentType === undefined ? {} : { 'content-type': ask.contentType };
  return { method: ask.method, path, headers, ...(ask.body === undefined ? {} : { body: ask.body }) };
}

/** What the answer of the oracle allows the target to answer. */
function outcome({ status }: Said, { method }: Ask, anyRefusal: boolean): match.Matcher<Exchange> {
  if (status < 300) return match.success;
  if (method === 'POST' && status === 409) return match.nameInUse;
  // A version that has passed is answered 409; by which code a precondition of a deletion is refused is open.
  const isNamed = status === 404 || (status === 409 && method !== 'DELETE');
  return isNamed && !anyRefusal ? match.status(status) : match.refusal;
}
function like(value: unknown): match.Matcher {
  return match.empty.differences(value, '').length === 0 ? match.empty : match.equal(value);
}
function namesIn({ json }: Said): unknown[] {
  const items = valueAt(json, ['items']);
  return Array.isArray(items) ? items.map((item) => valueAt(item, ['metadata', 'name'])) : [];
}
