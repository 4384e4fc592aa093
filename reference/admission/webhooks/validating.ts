import type { Awaitable } from '../../api/awaitable.ts';
import { type ApiError, internalError, timeout } from '../../api/status.ts';
import type { Admission, AdmissionAttributes } from '../../contracts/admission.ts';
import { isPending } from '../../contracts/store.ts';
import type { StoredIndex } from '../matching/storedIndex.ts';
import type { HookAnswer } from './answer.ts';
import { type HookCalls, noteHook } from './caller.ts';
import { isExempt } from './exempt.ts';
import { HookFault, HookRefusal } from './fault.ts';
import type { Hook } from './hook.ts';
import { type HookMatchingDependencies, type Invocation, Matching } from './matching.ts';

export interface HookDependencies extends HookMatchingDependencies {
  readonly index: Pick<StoredIndex<Hook>, 'items'>;
  readonly caller: HookCalls;
  /** Group of the configurations, whose own requests no hook sees. */
  readonly group: string;
}

interface Outcome {
  readonly invocation: Invocation;
  readonly answer?: HookAnswer;
  readonly error?: unknown;
}

/**
 * Plugin ValidatingAdmissionWebhook: asks all hooks that a request concerns at the same time, and refuses when one
 * does. Of several refusals the one of the first hook counts, by the order of the configurations, so that the same
 * request gets the same answer.
 */
export function validatingWebhooks({ index, caller, group, ...dependencies }: HookDependencies): Admission {
  return {
    name: 'ValidatingAdmissionWebhook',
    validate(attributes) {
      const hooks = index.items();
      // Without hooks there is nothing to wait for.
      return !isPending(hooks) && hooks.length === 0 ? undefined : ask(hooks, attributes);
    },
  };

  async function ask(known: Awaitable<readonly Hook[]>, attributes: AdmissionAttributes): Promise<void> {
    const hooks = await known;
    if (hooks.length === 0 || isExempt(attributes, group)) return;
    const matching = new Matching(attributes, dependencies);
    const invocations: Invocation[] = [];
    for (const hook of hooks) {
      const invocation = await matching.invocation(hook);
      if (invocation) invocations.push(invocation);
    }
    if (invocations.length === 0) return;
    const { exchange } = attributes;
    if (exchange.request.signal.aborted) throw givenUp();
    const outcomes = await Promise.all(
      invocations.map((invocation) => outcomeOf(caller, attributes, invocation, matching)),
    );
    decide(outcomes, attributes, caller);
  }
}

/** Nobody waits for the answer any longer. */
export function givenUp(): ApiError {
  return timeout('request did not complete within requested timeout', 0);
}

async function outcomeOf(
  caller: HookCalls,
  attributes: AdmissionAttributes,
  invocation: Invocation,
  { sent }: Matching,
): Promise<Outcome> {
  try {
    return { invocation, answer: await caller.ask(attributes, invocation, sent) };
  } catch (error) {
    return { invocation, error };
  }
}

function decide(outcomes: readonly Outcome[], { exchange }: AdmissionAttributes, caller: HookCalls): void {
  let first: unknown;
  for (const [place, { invocation, answer, error }] of outcomes.entries()) {
    const { hook } = invocation;
    if (answer) caller.pass(answer, hook, exchange);
    const refusal = error ?? (answer?.allowed ? undefined : new HookRefusal(hook.name, answer?.status));
    noteHook(exchange, hook, refusal);
    if (refusal instanceof HookFault && hook.ignoresFailure) caller.noteIgnored(hook, exchange, 0, place);
    else first ??= refusal instanceof HookFault ? internalError(refusal.message) : refusal;
  }
  if (first !== undefined) throw first;
}
