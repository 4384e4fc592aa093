import { relative } from 'node:path';
import { CHECK, PLACE } from '../../reports/annotations.ts';
import { idByTitle } from '../../reports/checkId.ts';
import type { Outcome } from '../../reports/events.ts';
import { EVIDENCE, type EvidenceRecord } from '../../reports/evidenceRecord.ts';
import { verdictOf } from '../../reports/verdict.ts';
import { endedEarly, type Launched, launch, readyOf, type Start } from '../../suites/harness/launch.ts';
import { OwnServers } from '../../suites/harness/ownServers.ts';
import type { Place } from '../../suites/harness/places.ts';
import { Services } from '../../suites/harness/services/services.ts';
import { Site } from '../../suites/harness/site.ts';
import { loadTargetFile } from '../../suites/harness/target.ts';
import { ReferenceBundle, type Servers } from './instance.ts';
import { type Declaration, declared, Runner, replaceFixture } from './runner.ts';

// A process that puts checks to one mutant after another. Server and checks share it: starting a server then costs a
// fraction of what a process would. Who started it watches it from outside, since a mutant may never come back.

/** What a judge is told with its first message. */
export interface JudgeSettings {
  /** Path of the bundle of the reference. */
  readonly bundle: string;
  readonly root: string;
}
/** Puts checks to a mutant, one after another, until one fails; all of them where `every` is told. */
export interface Job {
  /** 0: the sound reference. */
  readonly mutant: number;
  readonly checks: readonly string[];
  /** Milliseconds that a check may take. */
  readonly within: number;
  /** Milliseconds after which no further check is put to it. */
  readonly patience: number;
  readonly every: boolean;
}
export type FromJudge =
  | { readonly type: 'ready'; readonly checks: readonly { readonly id: string }[] }
  | { readonly type: 'begun'; readonly met: readonly number[] }
  | { readonly type: 'checking'; readonly check: string }
  | CheckTold
  | {
      readonly type: 'over';
      readonly died?: string;
      /** A check that did not end may still be at work in here, beside whatever comes next. */
      readonly spoiled: boolean;
    };
export interface CheckTold {
  readonly type: 'checked';
  readonly check: string;
  readonly outcome: Outcome;
  /** The sentence that did not hold, or why there is no verdict. */
  readonly because: string;
  readonly milliseconds: number;
  /** What was met in the reference meanwhile. */
  readonly met: readonly number[];
}

const tell = (message: FromJudge): void => void process.send?.(message);

class Judge {
  readonly #bundle: ReferenceBundle;
  readonly #checks: ReadonlyMap<string, Declaration>;
  readonly #runner = new Runner();
  readonly #file = loadTargetFile();
  readonly #services = new Services(undefined);
  #place: (Place & { close(): Promise<void> }) | undefined;
  /** Why the server that is being judged is no more. */
  died: string | undefined;
  #spoiled = false;

  constructor({ bundle, root }: JudgeSettings) {
    this.#bundle = new ReferenceBundle(bundle);
    this.#checks = new Map(declared.map((check) => [idOf(check, root), check]));
    const { capabilities } = this.#file.target;
    replaceFixture('services', () => this.#services);
    replaceFixture('places', () => ({ capabilities }));
    replaceFixture('mutant', () => '');
    replaceFixture('place', () => this.#place);
  }

  get checks(): { id: string }[] {
    return [...this.#checks.keys()].map((id) => ({ id }));
  }

  async judge({ mutant, checks, within, patience, every }: Job): Promise<void> {
    this.died = undefined;
    this.#bundle.met.clear();
    const enough = performance.now() + patience;
    const place = await this.#begin(mutant);
    if (place) {
      this.#place = place;
      tell({ type: 'begun', met: [...this.#bundle.met] });
      for (const id of checks) {
        if (this.died !== undefined || this.#spoiled || performance.now() > enough) break;
        const failed = await this.#check(id, within);
        if (failed && !every) break;
      }
      await Promise.race([place.close(), new Promise((resolve) => setTimeout(resolve, 3_000))]);
    }
    tell({ type: 'over', spoiled: this.#spoiled, ...(this.died === undefined ? {} : { died: this.died }) });
  }

  /** Starts what most checks look at; nothing where it does not come up. */
  async #begin(mutant: number): Promise<(Place & { close(): Promise<void> }) | undefined> {
    try {
      const servers = this.#bundle.instance(mutant);
      const launcher = this.#launcherOf(servers);
      const launched = await within(60_000, launcher({ flags: [] }));
      const file = relocated(this.#file, launched);
      const site = new Site(file, process.pid);
      const main = async () => site;
      // The name of a mutant tells that the server is this worker's alone.
      const own = new OwnServers({
        file: { ...file, serve: [] },
        worker: process.pid,
        mutant: String(mutant),
        main,
        services: this.#services,
        launcher: { start: (start) => launcher(start), restore: async () => {} },
      });
      const close = async () => {
        await own.close();
        await site.close();
        await launched.stop();
      };
      return { main, own, close };
    } catch (error) {
      this.died = `it does not start: ${messageOf(error)}`;
      return undefined;
    }
  }

  #launcherOf(servers: Servers): (start: Pick<Start, 'flags' | 'data' | 'release' | 'apart'>) => Promise<Launched> {
    const { serve = [] } = this.#file;
    const always = ['--embedded', `--dialect=${this.#file.target.dialect.name}`];
    return async ({ flags: asked, data, release, apart = false }) => {
      const flags = [
        ...(data === undefined ? [] : [`--data-dir=${data}`]),
        ...(release === undefined ? [] : [`--release=${release}`]),
        // Which mutant it is the bundle knows.
        ...(asked[0] === '--mutant' ? asked.slice(2) : asked),
      ];
      // Killing it would end us; a process of its own is the sound reference, which tells nothing of a mutant.
      if (apart) return launch([...serve, ...flags]);
      let end: (code: number) => void = () => {};
      const exited = new Promise<{ code: number; errors: string }>((resolve) => {
        end = (code) => resolve({ code, errors: '' });
      });
      try {
        const { ready, notes, stop } = await servers.startServer([...always, ...flags]);
        const told = readyOf(ready);
        if (!told) throw new Error('the server tells nothing of itself');
        const stopped = async () => {
          await stop();
          end(0);
        };
        return {
          ready: told,
          exited,
          said: () => notes.join('\n'),
          tellToEnd: () => void stopped().catch(() => {}),
          stop: stopped,
          kill: async () => {
            throw new Error('a server that is to be killed needs a process of its own');
          },
        };
      } catch (error) {
        throw endedEarly({ code: 64, errors: messageOf(error) });
      }
    };
  }

  /** Whether it says that the server is broken. */
  async #check(id: string, within: number): Promise<boolean> {
    const check = this.#checks.get(id);
    if (!check) return false;
    tell({ type: 'checking', check: id });
    this.#bundle.met.clear();
    const started = performance.now();
    const { status, errors, attachments } = await this.#runner.run(check, within);
    if (status === 'timedOut') this.#spoiled = true;
    const text = attachments.get(EVIDENCE);
    const evidence = text === undefined ? undefined : (JSON.parse(text) as EvidenceRecord);
    const clauses = check.annotations.flatMap(({ type, description }) =>
      type === 'clause' && description ? [description] : [],
    );
    const verdict = verdictOf({ status, evidence, errors, clauses }, true);
    const broken = evidence?.assertions.find(({ holds }) => !holds)?.sentence;
    tell({
      type: 'checked',
      check: id,
      outcome: verdict.outcome,
      because: (verdict.outcome === 'fail' ? broken : verdict.reason) ?? '',
      milliseconds: Math.round(performance.now() - started),
      met: [...this.#bundle.met],
    });
    return verdict.outcome === 'fail';
  }

  async close(): Promise<void> {
    await this.#runner.close();
    await this.#services.close();
  }
}

function idOf({ title, annotations }: Declaration, root: string): string {
  const described = (wanted: string) => annotations.find(({ type }) => type === wanted)?.description;
  const place = described(PLACE) ?? '';
  return described(CHECK) ?? idByTitle(relative(root, place.slice(0, place.lastIndexOf(':'))), title);
}

function relocated(file: ReturnType<typeof loadTargetFile>, { ready }: Launched): ReturnType<typeof loadTargetFile> {
  const { base, ca, control } = ready;
  const identities = Object.fromEntries(
    Object.entries(ready.identities).map(([who, identity]) => [
      who,
      { ...identity, user: file.target.identities[who]?.user },
    ]),
  );
  return { ...file, target: { ...file.target, base, ca, control, identities } };
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it takes too long')), milliseconds);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

let judge: Judge | undefined;
let working = Promise.resolve();
process.on('message', (message: JudgeSettings | Job) => {
  if ('bundle' in message) {
    judge = new Judge(message);
    tell({ type: 'ready', checks: judge.checks });
  } else {
    working = working
      .then(() => judge?.judge(message))
      .catch((error) => {
        console.error(error);
        process.exit(70);
      });
  }
});
process.on('disconnect', () => process.exit(0));
// What a process of its own would die of.
const died = (error: unknown) => {
  if (judge) judge.died ??= `it ends with an error that nobody catches: ${messageOf(error)}`;
};
process.on('uncaughtException', died);
process.on('unhandledRejection', died);
