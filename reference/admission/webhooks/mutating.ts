import type { Follow } from '../../../fixtures/follow.ts';
import type { Awaitable } from '../../api/awaitable.ts';
import { internalError } from '../../api/status.ts';
import type { Admission, AdmissionAttributes } from '../../contracts/admission.ts';
import { isPending } from '../../contracts/store.ts';
import type { HookAnswer } from './answer.ts';
import { noteHook } from './caller.ts';
import { isExempt } from './exempt.ts';
import { HookFault, HookRefusal } from './fault.ts';
import type { Hook } from './hook.ts';
import { type Invocation, Matching } from './matching.ts';
import { patched, takeOver } from './patched.ts';
import { Reinvocation } from './reinvocation.ts';
import { givenUp, type HookDependencies } from './validating.ts';

export interface MutatingDependencies extends HookDependencies {
  readonly follow: Follow;
}

/**
 * Plugin MutatingAdmissionWebhook: asks the hooks that a request concerns one after the other, each about the object
 * as those before it left it, and applies their patches. The first refusal counts.
 */
export function mutatingWebhooks(dependencies: MutatingDependencies): Admission {
  const { index, group } = dependencies;
  // A write comes a second time where its first round says so.
  const writes = new WeakMap<AdmissionAttributes, Reinvocation>();
  return {
    name: 'MutatingAdmissionWebhook',
    mutate(attributes) {
      const hooks = index.items();
      // Without hooks there is nothing to wait for.
      return !isPending(hooks) && hooks.length === 0 ? undefined : ask(hooks, attributes);
    },
    reinvokes: (attributes) => writes.get(attributes)?.wanted ?? false,
  };

  async function ask(known: Awaitable<readonly Hook[]>, attributes: AdmissionAttributes): Promise<void> {
    const hooks = await known;
    if (hooks.length === 0 || isExempt(attributes, group)) return;
    const rounds = writes.get(attributes) ?? new Reinvocation();
    writes.set(attributes, rounds);
    rounds.begin(attributes.object);
    await new Round(dependencies, attributes, rounds).run(hooks);
    rounds.end(attributes.object);
  }
}

class Round {
  readonly #dependencies: MutatingDependencies;
  readonly #attributes: AdmissionAttributes;
  readonly #rounds: Reinvocation;
  readonly #matching: Matching;

  constructor(dependencies: MutatingDependencies, attributes: AdmissionAttributes, rounds: Reinvocation) {
    this.#dependencies = dependencies;
    this.#attributes = attributes;
    this.#rounds = rounds;
    this.#matching = new Matching(attributes, dependencies);
  }

  async run(hooks: readonly Hook[]): Promise<void> {
    for (const [place, hook] of hooks.entries()) {
      const invocation = await this.#matching.invocation(hook);
      if (!invocation || !this.#rounds.includes(hook)) continue;
      await this.#call(invocation, place);
    }
  }

  async #call(invocation: Invocation, place: number): Promise<void> {
    const { caller } = this.#dependencies;
    const { exchange } = this.#attributes;
    const { hook } = invocation;
    const { round } = this.#rounds;
    try {
      const changed = await this.#ask(invocation, place);
      this.#rounds.ran(hook, changed);
      caller.noteMutation(hook, exchange, round, place, changed);
      noteHook(exchange, hook, undefined);
    } catch (error) {
      this.#rounds.ran(hook, false);
      noteHook(exchange, hook, error);
      if (!(error instanceof HookFault)) throw error;
      if (!hook.ignoresFailure) throw internalError(error.message);
      caller.noteIgnored(hook, exchange, round, place);
      if (exchange.request.signal.aborted) throw givenUp();
    }
  }

  /** Whether the hook changed the object. */
  async #ask(invocation: Invocation, place: number): Promise<boolean> {
    const { caller } = this.#dependencies;
    const { hook } = invocation;
    const answer = await caller.ask(this.#attributes, invocation, this.#matching.sent);
    caller.pass(answer, hook, this.#attributes.exchange);
    if (!answer.allowed) throw new HookRefusal(hook.name, answer.status);
    return answer.patch !== '' && (await this.#apply(answer, invocation, place));
  }

  async #apply({ patch, patchType }: HookAnswer, { hook, view }: Invocation, place: number): Promise<boolean> {
    if (patchType !== 'JSONPatch') {
      throw new HookFault(hook.name, `unsupported patch type ${JSON.stringify(patchType)}`);
    }
    const result = await patched(hook.name, patch, view, this.#dependencies.follow);
    const { object, exchange } = this.#attributes;
    if (!result || !object) return false;
    this.#dependencies.caller.notePatch(hook, exchange, this.#rounds.round, place, patch);
    takeOver(this.#attributes, result);
    this.#matching.forgetObjects();
    return result.changed;
  }
}
