import { counted } from './counted.ts';
import type { Outcome } from './events.ts';
import { OUTCOMES } from './outcome.ts';

interface Finished {
  readonly title: string;
  readonly requirements: readonly string[];
  readonly variant: string;
  readonly outcome: Outcome;
  readonly why: string | undefined;
}
export interface ProgressSettings {
  readonly quiet: boolean;
  readonly terminal: boolean;
}

/** Outcomes that a person watching wants to see at once. */
const NEWS: ReadonlySet<Outcome> = new Set(['fail', 'harness-error', 'inconclusive']);

/**
 * Live progress: on a terminal one line that is written over, with an estimate of what is left; elsewhere a line for
 * every tenth of the run. What fails is told as it happens.
 */
export class Progress {
  readonly #settings: ProgressSettings;
  readonly #print: (text: string) => void;
  #started = performance.now();
  #total = 0;
  #done = 0;
  #failed = 0;
  #lastTenth = 0;
  #lineIsOpen = false;
  #onMutants = false;

  constructor(settings: ProgressSettings, print: (text: string) => void) {
    this.#settings = settings;
    this.#print = print;
  }

  begin(total: number): void {
    this.#started = performance.now();
    this.#total = total;
    if (!this.#settings.quiet && !this.#settings.terminal) this.#print(`${counted(total, 'check')}\n`);
  }
  start(title: string): void {
    this.#show(title);
  }
  finish(check: Finished): void {
    this.#done += 1;
    this.#onMutants = check.variant !== '';
    if (check.outcome === 'fail') this.#failed += 1;
    // A mutant is there to be caught: its failures are the good news.
    if (NEWS.has(check.outcome) && check.variant === '') this.#tell(check);
    if (this.#settings.terminal) this.#show(check.title);
    else this.#tenth();
  }
  end(): void {
    this.#clear();
  }
  /** One line beside the progress. */
  say(line: string): void {
    this.#clear();
    this.#print(`${line}\n`);
  }

  #tell({ title, requirements, outcome, why }: Finished): void {
    this.#clear();
    this.#print(`${OUTCOMES[outcome].mark} ${title}  [${requirements.join(' ')}]\n`);
    if (why !== undefined) this.#print(`    ${why.split('\n')[0]}\n`);
  }
  #show(title: string): void {
    if (!this.#settings.terminal || this.#settings.quiet) return;
    const failed = this.#failures();
    const line = `${this.#done}/${this.#total}${failed}${this.#estimate()}  ${title}`;
    const width = (process.stdout.columns ?? 80) - 1;
    this.#print(`\r\u001b[2K${line.length > width ? `${line.slice(0, width - 1)}…` : line}`);
    this.#lineIsOpen = true;
  }
  #clear(): void {
    if (!this.#lineIsOpen) return;
    this.#print('\r\u001b[2K');
    this.#lineIsOpen = false;
  }
  #tenth(): void {
    const tenth = Math.floor((this.#done * 10) / Math.max(1, this.#total));
    if (this.#settings.quiet || tenth === this.#lastTenth) return;
    this.#lastTenth = tenth;
    this.#print(`  ${this.#done} of ${this.#total}${this.#failures()}\n`);
  }
  /** On mutants a failure is a catch. */
  #failures(): string {
    const word = this.#onMutants ? 'caught' : 'failed';
    return this.#failed > 0 ? `, ${this.#failed} ${word}` : '';
  }
  /** Seconds left at the pace so far; nothing until there is a pace. */
  #estimate(): string {
    if (this.#done < 5) return '';
    const perCheck = (performance.now() - this.#started) / this.#done;
    return `, about ${Math.ceil(((this.#total - this.#done) * perCheck) / 1000)} s left`;
  }
}
