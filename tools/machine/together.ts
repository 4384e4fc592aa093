import { isPass, type Job } from './job.ts';
import type { JobDone, JudgePool } from './pool.ts';
import { notePassed, type Passed, type Suspect } from './suspect.ts';

export interface TogetherParts {
  readonly pool: Pick<JudgePool, 'do'>;
  readonly within: (checks: readonly string[]) => Job['within'];
  readonly enough: () => boolean;
  readonly passed: (passed: readonly Passed[]) => void;
  /** What came of a check that did not pass with this one alone in force. */
  readonly departed: (suspect: Suspect, done: JobDone) => void;
}

/**
 * Puts checks to many mutants at once. Most mutants that the likeliest checks did not notice live on: a check that passes
 * with all of them in force passes for each that ran. Where one does not pass, it is put to halves of them until it is
 * known for whom, each of which is put to it once more alone, and leaves the others.
 */
export class Together {
  readonly #parts: TogetherParts;
  readonly #group: Set<Suspect>;

  constructor(group: readonly Suspect[], parts: TogetherParts) {
    this.#parts = parts;
    this.#group = new Set(group);
  }

  /** Those whom no check has noticed. */
  get left(): readonly Suspect[] {
    return [...this.#group];
  }

  /** Puts these checks to all that are left; may be called for others meanwhile. */
  async put(checks: readonly string[]): Promise<void> {
    let queue = checks;
    while (!this.#parts.enough()) {
      const group = this.left;
      queue = queue.filter((check) => group.some((suspect) => suspect.lacks(check)));
      if (queue.length === 0) return;
      const done = await this.#do(group, queue);
      if (!departs(done)) return;
      queue = queue.slice(done.checks.filter(isPass).length);
      const [stopped] = queue;
      if (stopped === undefined) return;
      // Somebody may have left meanwhile, who brought it about.
      if (group.some((suspect) => !this.#group.has(suspect))) continue;
      const last = done.checks.at(-1);
      const ran = last === undefined || done.died !== undefined ? undefined : new Set([...done.met, ...last.met]);
      const found = await this.#find(
        stopped,
        group.filter(({ number }) => ran?.has(number) ?? true),
      );
      for (const suspect of found) this.#group.delete(suspect);
      if (found.length === 0) queue = queue.slice(1);
    }
  }

  /** For whom of these the check does not pass. */
  async #find(check: string, among: readonly Suspect[]): Promise<Suspect[]> {
    const suspects = among.filter((suspect) => this.#group.has(suspect));
    const [only, ...more] = suspects;
    if (!only || this.#parts.enough()) return [];
    if (more.length === 0) {
      const done = await this.#do([only], [check]);
      if (!departs(done)) return [];
      this.#parts.departed(only, done);
      return [only];
    }
    const middle = suspects.length >> 1;
    const [first, second] = [suspects.slice(0, middle), suspects.slice(middle)];
    const departing = async (half: readonly Suspect[]) => half.length === 1 || departs(await this.#do(half, [check]));
    if (!(await departing(first))) return this.#find(check, second);
    const found = await this.#find(check, first);
    return (await departing(second)) ? [...found, ...(await this.#find(check, second))] : found;
  }

  async #do(suspects: readonly Suspect[], checks: readonly string[]): Promise<JobDone> {
    const job: Job = {
      mutants: suspects.map(({ number }) => number),
      checks,
      within: this.#parts.within(checks),
      patience: Number.MAX_SAFE_INTEGER,
      until: 'departure',
    };
    const done = await this.#parts.pool.do(job);
    this.#parts.passed(notePassed(suspects, done));
    return done;
  }
}

const departs = ({ checks, died }: JobDone): boolean => died !== undefined || !checks.every(isPass);
