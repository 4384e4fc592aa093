import type { CheckResult } from './checkResult.ts';
import type { DecisionTold, ReferenceStep } from './events.ts';

/** What the reference did at the steps of a check, ready to be written. */
export interface CardReference {
  /** One sentence: how the check ended there. */
  readonly outcome: string;
  readonly steps: readonly CardReferenceStep[];
}
export interface CardReferenceStep {
  /** What was done. */
  readonly words: string;
  /** `409, here 200`, or `200, as here`. */
  readonly status: string;
  /** Why the reference answered so, one decision or field a line; empty for steps that do not matter. */
  readonly because: readonly string[];
  /** Its answer; empty for steps that do not matter. */
  readonly body: string;
}

export function cardReference({ reference, exchanges }: CheckResult): CardReference | undefined {
  if (!reference) return undefined;
  const { outcome, reason } = reference;
  const steps = exchanges
    .filter(({ phase }) => phase !== 'cleanup')
    .map(({ number, words, response }): CardReferenceStep => {
      const step = reference.steps.find(({ exchange }) => exchange === number);
      return {
        words,
        status: tellStatus(step, response?.status),
        because: (step?.told?.decisions ?? []).flatMap(tellDecision),
        body: step?.told?.body ?? '',
      };
    });
  return { outcome: tellOutcome(outcome, reason), steps };
}

function tellOutcome(outcome: string, reason: string | undefined): string {
  if (outcome === 'pass' || outcome === 'warn') return 'The reference keeps what this check asks for.';
  const why = reason === undefined ? '' : `: ${reason}`;
  return `On the reference the check ends as ${outcome}${why}, so that it says less about the target.`;
}

function tellStatus(step: ReferenceStep | undefined, here: number | undefined): string {
  if (!step) return 'the reference did not come to this step';
  const there = step.status === undefined ? 'no answer' : String(step.status);
  return step.status === here ? `${there}, as here` : `${there}, here ${here ?? 'no answer'}`;
}

function tellDecision({ stage, by, outcome, because, fields = [] }: DecisionTold): string[] {
  return [
    `${stage} (${by}): ${outcome}; ${because}`,
    ...fields.map(({ field, outcome: became, managers, rule }) => {
      const others = managers.length === 0 ? '' : ` with ${managers.join(', ')}`;
      return `  ${field} ${became}${others} (${rule})`;
    }),
  ];
}
