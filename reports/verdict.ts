import type { Outcome } from './events.ts';
import type { EvidenceRecord } from './evidenceRecord.ts';

/** What the runner knows of one attempt at a check. */
export interface Attempt {
  readonly status: 'passed' | 'failed' | 'timedOut' | 'skipped' | 'interrupted';
  readonly evidence: EvidenceRecord | undefined;
  /** Messages and stacks of everything that was thrown. */
  readonly errors: readonly { readonly message: string; readonly stack: string }[];
  /** The clauses that the check has set out to judge. */
  readonly clauses?: readonly string[] | undefined;
}
export interface Verdict {
  readonly outcome: Outcome;
  readonly reason?: string;
  readonly stack?: string;
}

/**
 * What an attempt at a check came to. A failed assertion is about the target and outweighs everything; an error
 * that no assertion explains is ours; silence is no success.
 */
export function verdictOf({ status, evidence, errors, clauses = [] }: Attempt, strict: boolean): Verdict {
  if (status === 'interrupted') return { outcome: 'not-run', reason: 'the run was interrupted' };
  if (!evidence) {
    if (status === 'skipped') return { outcome: 'skipped', reason: 'skipped by the runner' };
    return ours(errors, 'the check ended without evidence');
  }
  const broken = evidence.assertions.filter((assertion) => !assertion.holds);
  if (broken.some((assertion) => assertion.level === 'MUST' || strict)) return { outcome: 'fail' };
  if (evidence.ending) return evidence.ending;
  if (status === 'timedOut') return { outcome: 'inconclusive', reason: 'the check did not end within its time' };
  if (errors.length > 0) return ours(errors, 'an error without a message');
  const apart = verdictOfClauses(evidence.judged, clauses);
  if (apart) return apart;
  if (evidence.assertions.length === 0) return { outcome: 'inconclusive', reason: 'the check asserted nothing' };
  return { outcome: broken.length > 0 ? 'warn' : 'pass' };
}

/** What clauses come to that were judged apart and of which none is broken; nothing where they speak for a success. */
function verdictOfClauses(judged: EvidenceRecord['judged'], clauses: readonly string[]): Verdict | undefined {
  if (judged.length === 0) return undefined;
  const open = judged.find(({ outcome }) => outcome === 'inconclusive');
  if (open) return { outcome: 'inconclusive', reason: `${open.clause}: ${open.reason ?? ''}` };
  const left = clauses.filter((name) => !judged.some(({ clause }) => clause === name));
  if (left.length > 0) return { outcome: 'harness-error', reason: `the check never judged ${left.join(', ')}` };
  // A clause that a target does not offer takes nothing from those that were judged.
  if (judged.some(({ outcome }) => outcome !== 'unsupported')) return undefined;
  return { outcome: 'unsupported', reason: judged[0]?.reason ?? '' };
}

function ours(errors: Attempt['errors'], otherwise: string): Verdict {
  const first = errors[0];
  return { outcome: 'harness-error', reason: first?.message ?? otherwise, ...(first ? { stack: first.stack } : {}) };
}
