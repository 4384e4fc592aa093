import type { RequirementId } from '../../fixtures/ledger/index.ts';

/**
 * Requirements with a check that no mutant has put to the proof yet. A new check of a MUST needs a mutant, or a line
 * here; a mutant that comes takes the line away. The list only gets shorter.
 */
export const withoutMutant: readonly RequirementId[] = [];
