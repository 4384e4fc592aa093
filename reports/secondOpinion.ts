import { alignSteps } from './alignSteps.ts';
import type { CheckResult } from './checkResult.ts';
import type { DecisionTold, ExchangeRecorded, ReferenceCompared, ReferenceStep } from './events.ts';

/** Steps of one check about which the whole answer of the reference is kept, the first ones. */
const MOST_TOLD = 4;

/** Gives what the reference says of how it came to an answer; nothing when it does not remember. */
export type Explain = (exchange: ExchangeRecorded) => Promise<readonly DecisionTold[]>;

/**
 * What the reference did in a check that failed on a target, step by step.
 *
 * @param target the check as it ran on the target, `reference` the same check as it ran on the reference
 */
export async function secondOpinion(
  target: CheckResult,
  reference: CheckResult,
  explain: Explain,
): Promise<ReferenceCompared> {
  const counterparts = alignSteps(target.exchanges, reference.exchanges, nameOf);
  const evidence = new Set(target.assertions.filter(({ holds }) => !holds).map(({ exchange }) => exchange));
  const steps: ReferenceStep[] = [];
  let told = 0;
  for (const [index, exchange] of target.exchanges.entries()) {
    const place = counterparts[index];
    const other = place === undefined ? undefined : reference.exchanges[place];
    if (!other) continue;
    const status = other.response?.status;
    const differs = status !== exchange.response?.status;
    const tells = (evidence.has(exchange.number) || differs) && exchange.phase !== 'cleanup' && told < MOST_TOLD;
    if (tells) told += 1;
    steps.push({
      exchange: exchange.number,
      ...(status === undefined ? {} : { status }),
      ...(tells ? { told: { body: other.response?.body ?? '', decisions: await explain(other) } } : {}),
    });
  }
  return {
    type: 'reference-compared',
    check: target.id,
    variant: target.variant,
    outcome: reference.outcome,
    ...(reference.reason === undefined ? {} : { reason: reference.reason }),
    steps,
  };
}

/** Runs with one id give the same names to the same things, so that the words tell a step. */
function nameOf({ actor, phase, words, request }: ExchangeRecorded): string {
  return JSON.stringify([actor, phase, request.method, words]);
}
