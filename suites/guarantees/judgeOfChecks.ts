import type { HistoryEntry } from '../../history/format.ts';
import { type GuaranteeFinding, Judge } from './judge.ts';

/** What every guarantee comes to over one check. */
export interface CheckFindings {
  /** Empty where the history is of no check. */
  readonly check: string;
  readonly operations: number;
  readonly findings: readonly GuaranteeFinding[];
}

interface Group {
  readonly check: string;
  readonly judge: Judge;
  readonly numbers: Set<number>;
}

/** Judges the checks of a run apart, as their entries come in one stream. */
export class JudgeOfChecks {
  readonly #groups: Group[] = [];
  readonly #latest = new Map<string, Group>();
  /** That of the entry before, as most follow one of their own check. */
  #last: Group | undefined;

  take(entry: HistoryEntry): void {
    if (entry.type === 'history') return;
    const { check = '' } = entry;
    let group = this.#last?.check === check ? this.#last : this.#latest.get(check);
    // Two checks may have one title, and one check several attempts: each counts its operations anew.
    const begins = entry.type === 'operation' && check !== '' && group?.numbers.has(entry.number);
    if (!group || begins) {
      group = { check, judge: new Judge(), numbers: new Set() };
      this.#latest.set(check, group);
      this.#groups.push(group);
    }
    this.#last = group;
    if (entry.type === 'operation' && check !== '') group.numbers.add(entry.number);
    group.judge.take(entry);
  }
  /** To be asked once, at the end. */
  findings(): readonly CheckFindings[] {
    return this.#groups.map(({ check, judge }) => ({
      check,
      operations: judge.operations,
      findings: judge.findings(),
    }));
  }
}
