import type { RequirementId } from '../../fixtures/ledger/index.ts';
import type { Seams } from '../seams.ts';

/**
 * A reference with one rule broken on purpose. The suites must notice: a mutant is killed when a check of one of
 * the requirements it breaks fails against it.
 */
export interface Mutant {
  /** What is wrong, in kebab-case: `watch-drops-delete`. */
  readonly id: string;
  readonly breaks: readonly RequirementId[];
  /** What the broken server does, as one sentence. */
  readonly sentence: string;
  readonly seams: Seams;
}
