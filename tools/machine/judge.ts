import { relative } from 'node:path';
import { CHECK, PLACE } from '../../reports/annotations.ts';
import { idByTitle } from '../../reports/checkId.ts';
import { EVIDENCE, type EvidenceRecord } from '../../reports/evidenceRecord.ts';
import { verdictOf } from '../../reports/verdict.ts';
import type { Declaration } from '../../suites/harness/running/checkRun.ts';
import { declared } from '../../suites/harness/running/playwrightTest.ts';
import { Services } from '../../suites/harness/services/services.ts';
import { endedEarly, type Launched, launch, readyOf, type Start } from '../../suites/harness/starting/launch.ts';
import { OwnServers } from '../../suites/harness/starting/ownServers.ts';
import type { Place } from '../../suites/harness/starting/places.ts';
import { Site } from '../../suites/harness/target/site.ts';
import { loadTargetFile } from '../../suites/harness/target/target.ts';
import { ReferenceBundle, type Servers } from './instance.ts';
import { ALIVE_EVERY, type CheckTold, type FromJudge, isPass, type Job, type JudgeSettings } from './job.ts';
import { runCheck } from './runner.ts';

// A process that puts checks to one mutant after another. Server and checks share it: starting a server then costs a
// fraction of what a process would. Who started it watches it from outside, since a mutant may never come back.

const tell = (message: FromJudge): void => void process.send?.(message);

/** What checks look at: a server that runs, and those that they start beside it. */
interface Judged {
  readonly place: Place;
  close(): Promise<void>;
}

class Judge {
  readonly #bundle: ReferenceBundle;
  readonly #checks: ReadonlyMap<string, Declaration>;
  readonly #file = loadTargetFile();
  readonly #services = new Services(undefined);
  #place: Place | undefined;
  #died: string | undefined;
  #dies: () => void = () => {};
  #spoiled = false;

  constructor({ bundle, mutants, root }: JudgeSettings) {
    this.#bundle = new ReferenceBundle(bundle, mutants);
    this.#checks = new Map(declared.map((check) => [idOf(check, root), check]));
  }

  get checks(): { id: string }[] {
    return [...this.#checks.keys()].map((id) => ({ id }));
  }

  /** Tells why the server that is being judged is no more. Nothing more is waited for. */
  dies(because: string): void {
    this.#died ??= because;
    this.#dies();
  }

  async judge(job: Job): Promise<void> {
    this.#died = undefined;
    this.#bundle.met.clear();
    const judged = await this.#begin(job.mutants);
    if (judged) {
      this.#place = judged.place;
      tell({ type: 'begun', met: [...this.#bundle.met] });
      await this.#judgeBy(job);
      await ended(judged);
    }
    const started = judged !== undefined;
    tell({ type: 'over', started, spoiled: this.#spoiled, ...(this.#died === undefined ? {} : { died: this.#died }) });
  }

  async #judgeBy({ checks, within, patience, until }: Job): Promise<void> {
    const enough = performance.now() + patience;
    const death = new Promise<void>((resolve) => {
      this.#dies = resolve;
    });
    for (const id of checks) {
      if (this.#died !== undefined || this.#spoiled || performance.now() > enough) return;
      const told = await Promise.race([this.#check(id, within[id] ?? 0), death]);
      if (!told) continue;
      if (until === 'failure' ? told.outcome === 'fail' : until === 'departure' && !isPass(told)) return;
    }
  }

  /** Starts what most checks look at; nothing where it does not come up. */
  async #begin(mutants: readonly number[]): Promise<Judged | undefined> {
    try {
      const launcher = this.#launcherOf(this.#bundle.instance(mutants));
      const launched = await within(60_000, launcher({ flags: [] }));
      const file = relocated(this.#file, launched);
      const site = new Site(file, process.pid);
      const main = async () => site;
      // The name of a mutant tells that the server is this worker's alone.
      const own = new OwnServers({
        file: { ...file, serve: [] },
        worker: process.pid,
        mutant: 'machine',
        main,
        services: this.#services,
        launcher: { start: (start) => launcher(start), restore: async () => {} },
      });
      const close = async () => {
        await own.close();
        await site.close();
        await launched.stop();
      };
      return { place: { main, own }, close };
    } catch (error) {
      this.#died = `it does not start: ${messageOf(error)}`;
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

  /** What checks have in the place of what a process of the runner gives them. */
  #given() {
    const place = this.#place;
    if (!place) throw new Error('nothing is being judged');
    const places = { capabilities: this.#file.target.capabilities, of: async () => place };
    return { services: this.#services, places, mutant: '' };
  }

  /** Puts a check to what is being judged, and tells what it came to; nothing where there is no such check. */
  async #check(id: string, within: number): Promise<CheckTold | undefined> {
    const check = this.#checks.get(id);
    if (!check) return undefined;
    tell({ type: 'checking', check: id });
    this.#bundle.met.clear();
    const started = performance.now();
    const { status, errors, attachments } = await runCheck(check, this.#given(), within);
    if (status === 'timedOut') this.#spoiled = true;
    const text = attachments.get(EVIDENCE);
    const evidence = text === undefined ? undefined : (JSON.parse(text) as EvidenceRecord);
    const clauses = check.annotations.flatMap(({ type, description }) =>
      type === 'clause' && description ? [description] : [],
    );
    const verdict = verdictOf({ status, evidence, errors, clauses }, true);
    const broken = evidence?.assertions.find(({ holds }) => !holds)?.sentence;
    const told: CheckTold = {
      type: 'checked',
      check: id,
      outcome: verdict.outcome,
      because: (verdict.outcome === 'fail' ? broken : verdict.reason) ?? '',
      milliseconds: Math.round(performance.now() - started),
      met: [...this.#bundle.met],
    };
    tell(told);
    return told;
  }

  async close(): Promise<void> {
    await this.#services.close();
  }
}

/** Gives it up, whether it ends or not. */
function ended({ close }: Judged): Promise<unknown> {
  return Promise.race([close().catch(() => {}), new Promise((resolve) => setTimeout(resolve, 3_000))]);
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
// A mutant that never comes back keeps this from being told.
setInterval(() => tell({ type: 'alive' }), ALIVE_EVERY);
// What a process of its own would die of.
const died = (error: unknown) => {
  judge?.dies(`it ends with an error that nobody catches: ${messageOf(error)}`);
};
process.on('uncaughtException', died);
process.on('unhandledRejection', died);
