import { dump } from 'js-yaml';
import { type CardRequirement, cardOf, statementsOf } from './card.ts';
import type { Outcome } from './events.ts';
import type { RunResult } from './results.ts';
import { verdictOfRun } from './verdictOfRun.ts';

export const REPORT_API_VERSION = 'touchstone.conformance/v1';

/**
 * A run as an object that an implementer publishes unmodified. Its shape is `conformanceReport.schema.json`; only
 * what went other than well is told at length, the event stream beside it has the rest.
 */
export interface ConformanceReport {
  readonly apiVersion: typeof REPORT_API_VERSION;
  readonly kind: 'ConformanceReport';
  readonly metadata: { readonly name: string; readonly creationTimestamp: string };
  readonly suite: { readonly name: string; readonly version: string; readonly node: string };
  readonly ledger: { readonly digest: string; readonly requirements: number };
  readonly seed: string;
  readonly strict: boolean;
  readonly target: RunResult['header']['target'];
  readonly configuration: RunResult['header']['configuration'];
  readonly reproduce: string;
  readonly narrowed: readonly string[];
  readonly verdict: { readonly word: string; readonly exitCode: number; readonly because: string };
  readonly profiles: RunResult['profiles'];
  readonly checks: { readonly total: number; readonly outcomes: RunResult['counts'] };
  readonly requirements: readonly {
    readonly id: string;
    readonly level: string;
    readonly outcome: Outcome;
    readonly checks: number;
    /** The statements it comes from: key, title of the section and what it says in one line. */
    readonly statements: CardRequirement['statements'];
    /** The clauses that the target was judged by, and what became of each. */
    readonly clauses?: RunResult['requirements'][number]['judged'];
  }[];
  readonly findings: readonly ReportedFinding[];
  readonly staleExpectations: readonly { readonly id: string; readonly why: string }[];
  readonly leftovers: readonly string[];
}
export interface ReportedFinding {
  readonly check: string;
  readonly variant?: string;
  readonly title: string;
  readonly outcome: Outcome;
  readonly requirements: readonly string[];
  readonly reason?: string;
  readonly broken: readonly {
    readonly level: string;
    readonly sentence: string;
    readonly clauses?: readonly string[];
    readonly allowed: readonly string[];
    readonly differences: readonly { readonly path: string; readonly want: string; readonly got: string }[];
  }[];
  readonly again: string;
}

export function conformanceReport(result: RunResult): ConformanceReport {
  const { header } = result;
  const { word, exitCode, because } = verdictOfRun(result);
  return {
    apiVersion: REPORT_API_VERSION,
    kind: 'ConformanceReport',
    metadata: { name: header.run, creationTimestamp: header.time },
    suite: header.suite,
    ledger: {
      digest: header.ledger.digest,
      requirements: header.ledger.requirements.length,
    },
    seed: header.seed,
    strict: header.strict,
    target: header.target,
    configuration: header.configuration,
    reproduce: header.reproduce,
    narrowed: header.narrowed,
    verdict: { word, exitCode, because },
    profiles: result.profiles,
    checks: { total: result.checks.length, outcomes: result.counts },
    requirements: result.requirements.map(({ id, level, outcome, checks, statements, judged }) => ({
      id,
      level,
      outcome,
      checks: checks.length,
      statements: statementsOf(result, statements),
      ...(judged.length === 0 ? {} : { clauses: judged }),
    })),
    findings: result.checks.filter(({ outcome }) => outcome !== 'pass').map((check) => findingOf(result, check)),
    staleExpectations: result.stale.map(({ entry, why }) => ({ id: entry.id, why })),
    leftovers: result.leftovers ?? [],
  };
}

function findingOf(result: RunResult, check: RunResult['checks'][number]): ReportedFinding {
  const { broken, again } = cardOf(result, check);
  const reason = check.expected ?? check.reason;
  return {
    check: check.id,
    ...(check.variant === '' ? {} : { variant: check.variant }),
    title: check.title,
    outcome: check.outcome,
    requirements: check.requirements,
    ...(reason === undefined ? {} : { reason }),
    broken: broken.map(({ level, sentence, clauses, allowed, differences }) => ({
      level,
      sentence,
      ...(clauses === undefined ? {} : { clauses }),
      allowed,
      differences: differences.map(({ path, want, got }) => ({ path, want, got })),
    })),
    again,
  };
}

/** The report as YAML; the same object as the JSON. */
export function conformanceYaml(report: ConformanceReport): string {
  return dump(JSON.parse(JSON.stringify(report)), { lineWidth: 120, noRefs: true });
}
