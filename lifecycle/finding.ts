import type { StatementKey } from '../fixtures/ledger/index.ts';
import type { Release } from './history.ts';

/**
 * Rules of the policy. Those that document 3 counts bear its numbers; 1, 2 and 3 are what it says of fields, of
 * round trips and of less stable successors.
 */
export const RULES = {
  1: { title: 'What a version has stays as long as the version', from: '3/api-lifetime-rules/b3' },
  2: { title: 'Versions that are served together convert without loss', from: '3/api-lifetime-rules/b3' },
  3: {
    title: 'A version is not deprecated in favor of a less stable one',
    from: '3/command-line-feature-gate-and-metric-rules/t1.3',
  },
  '4a': { title: 'Versions live as long as their level promises', from: '3/api-lifetime-rules/b1' },
  '4b': { title: 'Preferred and storage version advance so that rollback works', from: '3/api-lifetime-rules/b2' },
  '5a': {
    title: 'User-facing command-line elements outlive their deprecation',
    from: '3/command-line-feature-gate-and-metric-rules/t1.1',
  },
  '5b': {
    title: 'Admin-facing command-line elements outlive their deprecation',
    from: '3/command-line-feature-gate-and-metric-rules/t1.2',
  },
  '5c': {
    title: 'Nothing is deprecated in favor of something less stable',
    from: '3/command-line-feature-gate-and-metric-rules/t1.3',
  },
  6: {
    title: 'Deprecated command-line elements warn',
    from: '3/command-line-feature-gate-and-metric-rules/t1.4',
  },
  7: {
    title: 'Features and behaviors outlive their deprecation by a year',
    from: '3/command-line-feature-gate-and-metric-rules/t1.5',
  },
  8: {
    title: 'Features are not deprecated for a less stable alternative of ours',
    from: '3/command-line-feature-gate-and-metric-rules/t1.6',
  },
  9: {
    title: 'Feature gates outlive the stage of their feature',
    from: '3/command-line-feature-gate-and-metric-rules/t1.7',
  },
  10: {
    title: 'Deprecated gates warn and are documented',
    from: '3/command-line-feature-gate-and-metric-rules/t1.8',
  },
  '11a': { title: 'Metrics live long enough', from: '3/command-line-feature-gate-and-metric-rules/t1.9' },
  '11b': {
    title: 'Metrics outlive their deprecation',
    from: '3/command-line-feature-gate-and-metric-rules/t1.10',
  },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly from: StatementKey }>>;

/** The name of a rule. */
export type RuleName = `${keyof typeof RULES}`;

/** Whether a text from a file is the name of a rule. */
export function isRule(text: string): text is RuleName {
  return Object.hasOwn(RULES, text);
}

/** One thing in a history that breaks a rule. */
export interface LifecycleFinding {
  readonly rule: RuleName;
  /** What breaks it: `widgets.example.com/v1beta1`, `--color`. */
  readonly element: string;
  /** The releases that it is about, oldest first. */
  readonly releases: readonly Release[];
  /** What is wrong, as a sentence. */
  readonly message: string;
  /** What would make it right, as a sentence. */
  readonly remedy: string;
}
