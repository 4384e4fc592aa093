import type { Guarantee, GuaranteeResult } from './guarantee.ts';
import type { History } from './history.ts';
import { linearizable } from './linearizable.ts';
import { listThenWatch } from './listThenWatch.ts';
import { oneSnapshot } from './oneSnapshot.ts';
import { watchBookmarkable } from './watchBookmarkable.ts';
import { watchFiltered } from './watchFiltered.ts';
import { watchOrdered } from './watchOrdered.ts';
import { watchReliable } from './watchReliable.ts';
import { watchResumable } from './watchResumable.ts';
import { watchUnique } from './watchUnique.ts';

export type { Guarantee, GuaranteeResult, GuaranteeViolation } from './guarantee.ts';
export { type History, historyOf } from './history.ts';

/** All guarantees, root causes first: what a later one finds may follow from what an earlier one found. */
export const GUARANTEES: readonly Guarantee[] = [
  linearizable,
  watchFiltered,
  watchUnique,
  watchOrdered,
  watchReliable,
  watchBookmarkable,
  watchResumable,
  listThenWatch,
  oneSnapshot,
];

/** What every checker makes of a history. */
export function judge(
  history: History,
): readonly { readonly guarantee: Guarantee; readonly finding: GuaranteeResult }[] {
  return GUARANTEES.map((guarantee) => ({ guarantee, finding: guarantee.examine(history) }));
}
