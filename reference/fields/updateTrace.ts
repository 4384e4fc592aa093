import type { Comparison } from './compare.ts';
import { difference, leaves, paths, union } from './fieldSet.ts';
import type { Owner } from './managers.ts';
import { type FieldDecision, type FieldTrace, managersOf } from './mergeTrace.ts';
import { NEVER_OWNED } from './neverOwned.ts';
import { describePath } from './pathElement.ts';

/** A PUT or a patch never conflicts: what it changes becomes its own. */
const RULE = '1/server-side-apply-rules/4';

/** The account of a write that is no apply: which fields it changed, and from whom it took them. */
export class UpdateTrace implements FieldTrace {
  readonly manager: string;
  readonly #others: readonly Owner[];
  readonly #comparison: Comparison;
  #decisions: readonly FieldDecision[] | undefined;

  /**
   * @param owners as they were before, the writer among them
   * @param comparison of the live object with the new one, in the writer's version
   */
  constructor(manager: string, owners: readonly Owner[], comparison: Comparison) {
    this.manager = manager;
    this.#others = owners.filter((owner) => owner.manager !== manager || owner.operation !== 'Update');
    this.#comparison = comparison;
  }

  decisions(): readonly FieldDecision[] {
    this.#decisions ??= [...this.#changed(), ...this.#removed()];
    return this.#decisions;
  }

  *#changed(): Generator<FieldDecision> {
    const { added, modified } = this.#comparison;
    for (const path of paths(leaves(difference(union(modified, added), NEVER_OWNED)))) {
      const managers = managersOf(path, this.#others);
      const outcome = managers.length > 0 ? 'transferred' : 'set';
      yield { field: describePath(path), outcome, managers, rule: RULE };
    }
  }

  *#removed(): Generator<FieldDecision> {
    for (const path of paths(leaves(difference(this.#comparison.removed, NEVER_OWNED)))) {
      yield { field: describePath(path), outcome: 'removed', managers: managersOf(path, this.#others), rule: RULE };
    }
  }
}
