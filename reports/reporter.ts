import { appendFileSync, readFileSync, readSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import type { Expectation } from '../fixtures/expectations/expectation.ts';
import { CHECK, CLAUSE, PLACE, REQUIREMENT, TOOK, VARIANT } from './annotations.ts';
import { keyOf, titleWithout } from './checkId.ts';
import type { Outcome, PlannedCheck, RunEvent, Stopped } from './events.ts';
import { EVIDENCE, type EvidenceRecord, TRAIL } from './evidenceRecord.ts';
import { applyExpectations } from './expectations.ts';
import { Progress } from './progress.ts';
import { verdictOf } from './verdict.ts';

/** Where `touchstone run` tells the reporter its side of the run. */
export const REPORTER_SETTINGS = 'TOUCHSTONE_REPORTER';
export interface ReporterSettings {
  /** File that events are appended to; its first line, `run-started`, is already there. */
  readonly events: string;
  readonly root: string;
  readonly strict: boolean;
  readonly quiet: boolean;
  /** Nothing is told while it runs: somebody reads the stream afterwards. */
  readonly silent?: boolean;
  /** Whether standard output is a terminal on which a line may be written over. */
  readonly terminal: boolean;
  /** Milliseconds for all checks; no limit when absent. */
  readonly timeout?: number | undefined;
  /** Failures after which the run stops; no limit when absent. */
  readonly maxFailures?: number | undefined;
  /** Which attempt at these checks it is; the first when absent. */
  readonly attempt?: number | undefined;
  /** No check begins, and nothing is written, before {@link GO} comes on standard input; the checks load meanwhile. */
  readonly held?: boolean;
}
/** What lets a runner go on that is held. */
export const GO = '\n';
/** The stream itself would set it to what does not wait. */
const STDIN = 0;

/** Checks in a row without an answer after which the target counts as gone, though it may answer a probe. */
const UNANSWERED = 20;

/** From Playwright's callbacks to the event stream and live progress; it judges each check but never the run. */
export default class StreamReporter implements Reporter {
  readonly #settings: ReporterSettings;
  readonly #progress: Progress;
  #planned = new Map<TestCase, PlannedCheck>();
  #finished = new Set<TestCase>();
  #problems: string[] = [];
  #started = Date.now();
  #stopped: Stopped | undefined;
  #failures = 0;
  #attempt = 1;
  #expectations: readonly Expectation[] = [];
  #unanswered = 0;

  constructor() {
    const settings = process.env[REPORTER_SETTINGS];
    if (!settings) throw new Error(`start the checks with "npx touchstone run", which sets ${REPORTER_SETTINGS}`);
    this.#settings = JSON.parse(settings) as ReporterSettings;
    const { silent } = this.#settings;
    this.#progress = new Progress(this.#settings, (text) => silent || process.stdout.write(text));
    this.#attempt = this.#settings.attempt ?? 1;
  }

  printsToStdio(): boolean {
    return true;
  }

  /** Whoever started us holds our standard input open: when they are gone, nobody would read what we find. */
  #endWithParent(): void {
    process.stdin.on('end', () => process.kill(process.pid, 'SIGINT')).resume();
    if ('unref' in process.stdin && typeof process.stdin.unref === 'function') process.stdin.unref();
  }

  onBegin(_config: FullConfig, suite: Suite): void {
    if (this.#settings.held) waitForWord();
    this.#endWithParent();
    this.#expectations = expectationsIn(this.#settings.events);
    this.#started = Date.now();
    for (const test of suite.allTests()) this.#planned.set(test, this.#plan(test));
    this.#write({ type: 'checks-planned', time: now(), checks: [...this.#planned.values()] });
    this.#progress.begin(this.#planned.size);
    const { timeout } = this.#settings;
    if (timeout !== undefined) {
      const words = `its time of ${timeout / 1000} s was over`;
      setTimeout(() => this.#stop({ by: 'timeout', words }), timeout).unref();
    }
  }

  onTestBegin(test: TestCase, result: TestResult): void {
    const { id, variant, title } = this.#of(test);
    this.#write({ type: 'check-started', time: now(), check: id, variant, attempt: result.retry + this.#attempt });
    this.#progress.start(title);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const { id: check, variant, requirements, clauses, title } = this.#of(test);
    const evidence = evidenceOf(result);
    const { assertions = [], judged = [] } = evidence ?? {};
    const errors = result.errors.map(readable);
    // What did not begin as the run stopped was left out by nobody.
    const status = this.#stopped && !evidence && result.status === 'skipped' ? 'interrupted' : result.status;
    const verdict = verdictOf({ status, evidence, errors, clauses }, this.#settings.strict);
    const attempt = result.retry + this.#attempt;
    const took = result.annotations.find(({ type }) => type === TOOK)?.description;
    const ended = { check, variant, attempt, duration: Number(took ?? result.duration), ...verdict };
    this.#keepTrail(result);
    this.#write(...[...assertions, ...judged].map((event) => ({ ...event, check, variant })), {
      type: 'check-finished',
      time: now(),
      ...ended,
    });
    this.#finished.add(test);
    this.#mayStop(this.#told(verdict.outcome, this.#of(test), evidence), evidence);
    const sentence = evidence?.assertions.find((assertion) => !assertion.holds)?.sentence;
    const outcome = this.#told(verdict.outcome, this.#of(test), evidence);
    this.#progress.finish({ title, requirements, variant, outcome, why: verdict.reason ?? sentence });
  }

  /** The outcome as the expectations file has it, so that what is known looks known. */
  #told(outcome: Outcome, planned: PlannedCheck, evidence: EvidenceRecord | undefined): Outcome {
    const assertions = (evidence?.assertions ?? []).map((each) => ({ ...each, check: planned.id, variant: '' }));
    if (outcome !== 'fail' || this.#expectations.length === 0) return outcome;
    const none = { exchanges: [], streamEvents: [], notes: [], judged: [], reason: undefined, stack: undefined };
    const check = { ...planned, ...none, outcome, duration: 0, attempts: 1, assertions };
    const day = now().slice(0, 10);
    return applyExpectations([check], this.#expectations, day, true).checks[0]?.outcome ?? outcome;
  }
  #mayStop(outcome: Outcome, evidence: EvidenceRecord | undefined): void {
    if (evidence?.targetGone !== undefined) this.#stop({ by: 'target-gone', words: evidence.targetGone });
    this.#unanswered = evidence?.noAnswer === undefined ? 0 : this.#unanswered + 1;
    if (this.#unanswered >= UNANSWERED) {
      this.#stop({ by: 'target-gone', words: `${UNANSWERED} checks in a row came to no answer` });
    }
    if (outcome === 'fail') this.#failures += 1;
    const { maxFailures } = this.#settings;
    if (maxFailures !== undefined && this.#failures >= maxFailures) {
      this.#stop({ by: 'max-failures', words: `${maxFailures} failed, as many as --max-failures allows` });
    }
  }
  /** Playwright takes this signal as the order to end in good order, as from somebody at a terminal. */
  #stop(why: Stopped): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = why;
    this.#progress.say(`stopping: ${why.words}`);
    process.kill(process.pid, 'SIGINT');
  }

  /** Trouble outside any check: a file that does not load, a worker that died. */
  onError(error: TestError): void {
    this.#problems.push(readable(error).message);
  }

  onEnd(result: FullResult): void {
    for (const [test, { id: check, variant }] of this.#planned) {
      if (this.#finished.has(test)) continue;
      const stopped =
        this.#stopped === undefined ? 'the run was interrupted' : `the run stopped: ${this.#stopped.words}`;
      const reason = result.status === 'interrupted' ? stopped : 'the run ended before it';
      const finished = { type: 'check-finished', time: now(), check, variant, attempt: 0, duration: 0 } as const;
      this.#write({ ...finished, outcome: 'not-run', reason });
    }
    this.#progress.end();
    this.#write({
      type: 'run-finished',
      time: now(),
      duration: Date.now() - this.#started,
      interrupted: result.status === 'interrupted' && this.#stopped === undefined,
      ...(this.#stopped === undefined ? {} : { stopped: this.#stopped }),
      problems: this.#problems,
    });
  }

  #of(test: TestCase): PlannedCheck {
    return this.#planned.get(test) ?? this.#plan(test);
  }
  #plan(test: TestCase): PlannedCheck {
    const place = annotated(test, PLACE)[0] ?? `${test.location.file}:${test.location.line}`;
    const cut = place.lastIndexOf(':');
    const file = relative(this.#settings.root, place.slice(0, cut));
    const variant = annotated(test, VARIANT)[0] ?? '';
    const clauses = annotated(test, CLAUSE);
    return {
      id: annotated(test, CHECK)[0] ?? '',
      title: titleWithout(test.title, keyOf(test.annotations)),
      file,
      line: Number(place.slice(cut + 1)),
      requirements: annotated(test, REQUIREMENT),
      ...(clauses.length === 0 ? {} : { clauses }),
      variant,
    };
  }
  /** Puts what a check sent and heard into the stream, as the worker wrote it. */
  #keepTrail({ attachments }: TestResult): void {
    const path = attachments.find(({ name }) => name === TRAIL)?.path;
    if (path === undefined) return;
    appendFileSync(this.#settings.events, readFileSync(path));
    rmSync(path);
  }
  #write(...events: readonly RunEvent[]): void {
    appendFileSync(this.#settings.events, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  }
}

/** Waits for a byte on standard input; ends with whoever started us. */
function waitForWord(): void {
  const byte = Buffer.alloc(1);
  for (;;) {
    try {
      if (readSync(STDIN, byte) === 0) process.exit();
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** The expectations in the header of a stream; none where it has no header, as when checks are only listed. */
function expectationsIn(events: string): readonly Expectation[] {
  const [line = ''] = readFileSync(events, 'utf8').split('\n', 1);
  if (line === '') return [];
  const header = JSON.parse(line) as RunEvent;
  return header.type === 'run-started' ? (header.expectations ?? []) : [];
}

function annotated(test: TestCase, type: string): string[] {
  return test.annotations.flatMap((each) => (each.type === type && each.description ? [each.description] : []));
}
/** The mutant a check runs against is the name of its Playwright project. */
function evidenceOf(result: TestResult): EvidenceRecord | undefined {
  const body = result.attachments.find((attachment) => attachment.name === EVIDENCE)?.body;
  return body ? (JSON.parse(body.toString('utf8')) as EvidenceRecord) : undefined;
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours are control characters
const COLOUR = /\u001b\[[0-9;]*m/g;
function readable(error: TestError): { message: string; stack: string } {
  const message = (error.message ?? error.value ?? 'an error without a message').replace(COLOUR, '');
  return { message, stack: (error.stack ?? message).replace(COLOUR, '') };
}
function now(): string {
  return new Date().toISOString();
}
