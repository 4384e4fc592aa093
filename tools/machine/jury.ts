import { isRequirementId, ledger } from '../../fixtures/ledger/index.ts';
import { isPass, type Job } from './job.ts';
import { CheckOrder, type KnownCheck } from './order.ts';
import type { JobDone, JudgePool } from './pool.ts';
import { type Result, verdictOf } from './results.ts';
import { groupsOf, notePassed, type Passed, type Suspect } from './suspect.ts';
import { Together } from './together.ts';

export interface JuryParts {
  readonly pool: Pick<JudgePool, 'do'>;
  /** What is known of all checks that may judge. */
  readonly checks: readonly KnownCheck[];
  /** How many mutants the checks were put to the sound reference for. */
  readonly mutants: number;
  readonly workers: number;
  readonly first: number;
  readonly together: number;
  readonly patience: number;
  readonly until: number;
  readonly say: (text: string) => void;
  readonly result: (result: Result) => void;
  readonly passed: (passed: readonly Passed[]) => void;
}

/** Milliseconds that every check may take. */
const LEAST = 15_000;
/** How many checks one server of a group is put to: workers share a group by them. */
const CHECKS_A_SERVER = 100;
/** How often mutants come together with others before what they lack is put to each alone. */
const ROUNDS = 2;
/** Checks about answers that are none which are put to one that gives none. */
const SILENT = 12;

/**
 * Puts to each mutant the checks that come to it, until one fails: the likeliest to each by itself;
 * then all to many mutants at once; then to each by itself what it still lacks because others hid it.
 */
export class Jury {
  readonly #parts: JuryParts;
  readonly #order: CheckOrder;
  readonly #took: ReadonlyMap<string, number>;
  /** Those on whom there is no verdict. */
  readonly #open = new Set<Suspect>();
  /** Those whom a check did not pass, without saying that the server is broken: they would spoil it for others. */
  readonly #apart = new Set<Suspect>();

  constructor(parts: JuryParts) {
    this.#parts = parts;
    this.#order = new CheckOrder(parts.checks, parts.mutants);
    this.#took = new Map(parts.checks.map(({ id, milliseconds }) => [id, milliseconds]));
  }

  async judge(suspects: readonly Suspect[]): Promise<void> {
    const { together, say } = this.#parts;
    for (const suspect of suspects) this.#open.add(suspect);
    await this.#each(
      suspects.filter(({ passed }) => passed.size === 0),
      (suspect) => this.#first(suspect),
    );
    for (let round = 1; round <= ROUNDS && !this.#enough; round++) {
      const groups = groupsOf(
        [...this.#open].filter((suspect) => !this.#apart.has(suspect)),
        together,
      );
      say(`round ${round}: ${this.#open.size} live, in ${groups.length} groups`);
      await this.#together(groups);
    }
    await this.#each([...this.#open], (suspect) => this.#last(suspect));
  }

  get #enough(): boolean {
    return performance.now() > this.#parts.until;
  }

  async #each<T>(all: readonly T[], act: (each: T) => Promise<void>): Promise<void> {
    const left = all.values();
    const work = async () => {
      for (const each of left) {
        if (this.#enough) return;
        await act(each);
      }
    };
    await Promise.all(Array.from({ length: this.#parts.workers }, work));
  }

  /** The likeliest checks, put to one by itself. */
  async #first(suspect: Suspect): Promise<void> {
    const checks = this.#sorted(suspect).slice(0, this.#parts.first);
    const done = await this.#put(suspect, checks);
    if (isNoticed(done)) return this.#close(suspect, done);
    if (done.checks.every(isPass)) return;
    // What is no answer is broken for the checks that are about just that, and says nothing to all others.
    this.#apart.add(suspect);
    const able = this.#sorted(suspect).filter((check) => suspect.lacks(check) && judgesSilence(check));
    const again = await this.#put(suspect, able.slice(0, SILENT));
    if (isNoticed(again)) this.#close(suspect, again);
  }

  /** All checks that come to these, put to all of a group at once; no group waits for what takes long in another. */
  async #together(groups: readonly (readonly Suspect[])[]): Promise<void> {
    const { pool, passed } = this.#parts;
    const all = groups.map(
      (group) =>
        new Together(group, {
          pool,
          within: (some) => this.#within(some),
          enough: () => this.#enough,
          passed,
          departed: (suspect, done) => {
            if (isNoticed(done)) this.#close(suspect, done);
            else this.#apart.add(suspect);
          },
        }),
    );
    const parts = all.flatMap((together) => this.#partsFor(together).map((checks) => ({ together, checks })));
    await this.#each(parts, ({ together, checks }) => together.put(checks));
    for (const suspect of all.flatMap(({ left }) => left)) {
      if (suspect.lacking.length === 0) this.#close(suspect, NOTHING);
    }
  }

  /** The checks that a group lacks, in parts that are put to it side by side. */
  #partsFor({ left }: Together): string[][] {
    const lacking = this.#parts.checks.filter(({ id }) => left.some((suspect) => suspect.lacks(id)));
    return Array.from({ length: Math.ceil(lacking.length / CHECKS_A_SERVER) }, (_, index) =>
      lacking.slice(index * CHECKS_A_SERVER, (index + 1) * CHECKS_A_SERVER).map(({ id }) => id),
    );
  }

  /** What one still lacks, put to it by itself. */
  async #last(suspect: Suspect): Promise<void> {
    const lacking = this.#sorted(suspect).filter((check) => suspect.lacks(check));
    const before = suspect.passed.size;
    const done = await this.#put(suspect, lacking);
    if (this.#open.has(suspect)) this.#close(suspect, done, before);
  }

  async #put(suspect: Suspect, checks: readonly string[]): Promise<JobDone> {
    const { pool, patience, passed } = this.#parts;
    const within = this.#within(checks);
    const done = await pool.do({ mutants: [suspect.number], checks, within, patience, until: 'failure' });
    passed(notePassed([suspect], done));
    const last = done.checks.at(-1);
    if (last?.outcome !== 'fail' || last.milliseconds < this.#slow(last.check)) return done;
    // Nothing came in time, which may be the fault of a busy machine.
    const again = await pool.do({
      mutants: [suspect.number],
      checks: [last.check],
      within,
      patience,
      until: 'failure',
    });
    if (isNoticed(again)) return done;
    const left = checks.slice(done.checks.length);
    return left.length === 0 ? { ...done, checks: done.checks.slice(0, -1) } : this.#put(suspect, left);
  }
  /** Milliseconds after which a check may fail for want of time. */
  #slow(check: string): number {
    return 3_000 + 2 * (this.#took.get(check) ?? 0);
  }

  #sorted({ mutant, coming, meeting }: Suspect): string[] {
    const checks = this.#parts.checks.filter(({ id }) => coming.has(id));
    return this.#order.sorted(mutant, checks, meeting);
  }

  #within(checks: readonly string[]): Job['within'] {
    return Object.fromEntries(checks.map((check) => [check, Math.max(LEAST, 3 * (this.#took.get(check) ?? 0))]));
  }

  #close(suspect: Suspect, done: JobDone, before = suspect.passed.size): void {
    this.#open.delete(suspect);
    const result = verdictOf(suspect.mutant, done, suspect.coming.size, before);
    if (result.verdict === 'killed' && result.by !== undefined) this.#order.learn(suspect.mutant, result.by);
    this.#parts.result(result);
  }
}

function judgesSilence(check: string): boolean {
  const [requirement = ''] = check.split('.');
  return isRequirementId(requirement) && ledger[requirement].judges.length > 0;
}

const NOTHING: JobDone = { checks: [], met: [] };
const isNoticed = ({ checks, died }: JobDone): boolean =>
  died !== undefined || checks.some(({ outcome }) => outcome === 'fail');
