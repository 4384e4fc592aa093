import type { Comparison } from './compare.ts';
import { difference, type FieldSet, has, intersection, isEmpty, leaves, paths, union } from './fieldSet.ts';
import type { Owner } from './managers.ts';
import { describePath, type PathElement } from './pathElement.ts';

/**
 * What a write decided about one field.
 *
 * An apply: `kept`: the live value stays. `set`: the configuration's value is new. `shared`: the value is the same as
 * others'. `taken`: changed by force. `givenUp`: no longer stated, and kept by others. `removed` and `reset`: no
 * longer stated and owned by nobody else; gone, or back at its default. `conflict`: others own it with another value.
 *
 * Any other write: `set`: changed, and owned by the writer from now on. `transferred`: the same, from other owners.
 * `removed`: gone, and with it its owners. `cleared`: all records were reset.
 */
export type FieldOutcome =
  | 'kept'
  | 'set'
  | 'shared'
  | 'taken'
  | 'givenUp'
  | 'removed'
  | 'reset'
  | 'conflict'
  | 'transferred'
  | 'cleared';

export interface FieldDecision {
  /** As messages name it: `.spec.containers[name="web"].image`. */
  readonly field: string;
  readonly outcome: FieldOutcome;
  /** Managers of the same field other than the writer, by name, as they were before. */
  readonly managers: readonly string[];
  /** The statement of the specification that decided. */
  readonly rule: string;
}

/** The account of what one write did to the owners of fields. */
export interface FieldTrace {
  readonly manager: string;
  /** Worked out when first asked for. */
  decisions(): readonly FieldDecision[];
}

/** What a merge saw: enough to explain it, worked out only when somebody asks. */
export interface MergeFacts {
  readonly manager: string;
  /** What the applier states now, and what it stated last. */
  readonly stated: FieldSet;
  readonly last: FieldSet;
  /** The live object against the merged one, in the applier's version. */
  readonly comparison: Comparison;
  /** The other owners as they were before, in the applier's version as far as their sets can be read in it. */
  readonly others: readonly Owner[];
  readonly forced: boolean;
  readonly conflicting: FieldSet;
  /** Fields of the object after defaulting; undefined when the merge was refused. */
  readonly present: (() => FieldSet) | undefined;
}

/** The account of one merge, for the audit log, the failure card and the learn page. */
export class MergeTrace implements FieldTrace {
  readonly #facts: MergeFacts;
  #decisions: readonly FieldDecision[] | undefined;

  constructor(facts: MergeFacts) {
    this.#facts = facts;
  }

  get manager(): string {
    return this.#facts.manager;
  }

  /** One decision for each field that the applier states or stated last, in the order of the sets. */
  decisions(): readonly FieldDecision[] {
    this.#decisions ??= [...this.#stated(), ...this.#dropped()];
    return this.#decisions;
  }

  *#stated(): Generator<FieldDecision> {
    const { stated, comparison, conflicting, forced } = this.#facts;
    const changed = union(comparison.added, comparison.modified);
    for (const path of paths(leaves(stated))) {
      const managers = this.#managersOf(path);
      const field = describePath(path);
      if (has(conflicting, path)) {
        yield forced
          ? { field, outcome: 'taken', managers, rule: '1/server-side-apply-rules/5' }
          : { field, outcome: 'conflict', managers, rule: '1/server-side-apply-rules/4' };
      } else if (has(changed, path)) {
        yield { field, outcome: 'set', managers, rule: '1/server-side-apply-rules/9' };
      } else if (managers.length > 0) {
        yield { field, outcome: 'shared', managers, rule: '1/server-side-apply-rules/7' };
      } else yield { field, outcome: 'kept', managers, rule: '1/server-side-apply-rules/9' };
    }
  }

  *#dropped(): Generator<FieldDecision> {
    const { stated, last, comparison, present } = this.#facts;
    const dropped = difference(leaves(last), stated);
    if (isEmpty(dropped)) return;
    const gone = intersection(dropped, comparison.removed);
    const after = present?.();
    for (const path of paths(dropped)) {
      const managers = this.#managersOf(path);
      const field = describePath(path);
      if (!has(gone, path)) {
        yield { field, outcome: 'givenUp', managers, rule: '1/server-side-apply-rules/6' };
      } else {
        const outcome = after && has(after, path) ? 'reset' : 'removed';
        yield { field, outcome, managers, rule: '1/server-side-apply-rules/8' };
      }
    }
  }

  #managersOf(path: readonly PathElement[]): string[] {
    return managersOf(path, this.#facts.others);
  }
}

/** Names of the owners that have a field in their set. */
export function managersOf(path: readonly PathElement[], owners: readonly Owner[]): string[] {
  return [...new Set(owners.filter(({ fields }) => has(fields, path)).map(({ manager }) => manager))];
}
