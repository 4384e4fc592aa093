import { readFileSync, writeFileSync } from 'node:fs';
import { Connections } from '../client/connections.ts';
import { unsupported } from '../endings.ts';
import { Prober } from '../target/probe.ts';
import { selfReview } from '../target/selfReview.ts';
import type { Identity, Rewritten, Target } from '../target/target.ts';
import { type Launched, type Launcher, type Start, UnfitCommand } from './launch.ts';

/** How long a target may take until it looks at its file again (2/limits/t1.6), and some more: milliseconds. */
const RELOAD_DEADLINE = 75_000;
/** Between two looks at whether it has: milliseconds. */
const PAUSE = 250;

const FLAG = '--authentication-config';
const STARTS = 'a file that is written anew is no start; --restart-command or --launch lets us start the target';

/**
 * Has a target that was running already take up other configurations, by writing the file that it reads them from.
 * There is one such file, so each takes the place of the one before; one worker alone may do so.
 */
export class Rewriter implements Launcher {
  readonly #target: Target;
  readonly #rewritten: Rewritten;
  #writes = 0;
  /** Why nothing can be had of the file, once that was seen: nobody waits for it again. */
  #unfit: string | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(target: Target, rewritten: Rewritten) {
    this.#target = target;
    this.#rewritten = rewritten;
  }

  /** Waits until the target follows its file, which the setup has written by now. */
  async start({ flags, inForce, apart = false, ended = false, release }: Start): Promise<Launched> {
    if (apart || ended || release !== undefined || inForce === undefined) throw new UnfitCommand(STARTS);
    if (!flags.every((flag) => flag === `${FLAG}=${this.#rewritten.path}`)) throw new UnfitCommand(STARTS);
    const number = ++this.#writes;
    const started = this.#queue.then(async () => {
      this.#unfit ??= await this.#whyNotFollowed(inForce);
      if (this.#unfit !== undefined) {
        restoreFile(this.#rewritten);
        throw new UnfitCommand(this.#unfit);
      }
      return this.#launched(() => this.#writes !== number);
    });
    this.#queue = started.catch(() => {});
    return started;
  }

  restore(): Promise<void> {
    const restored = this.#queue.then(async () => {
      if (restoreFile(this.#rewritten)) this.#writes += 1;
    });
    this.#queue = restored.catch(() => {});
    return restored;
  }

  /** Waits until the target knows somebody. Out: why it does not, or why that is of no use: a clause. */
  async #whyNotFollowed(inForce: Identity): Promise<string | undefined> {
    const connections = new Connections(this.#target);
    try {
      const prober = new Prober(this.#target.base, connections);
      const { path, body } = selfReview(this.#target.dialect);
      const isKnown = async (identity: Identity) => {
        const { status } = await prober.post(identity, path, body);
        // Where nobody can ask that, who may ask everything is told that there is no such path.
        return status === 403 || status === 404 || (status >= 200 && status < 300);
      };
      for (const begun = performance.now(); !(await isKnown(inForce)); ) {
        if (performance.now() - begun > RELOAD_DEADLINE) {
          const after = `within ${RELOAD_DEADLINE / 1000} s of a change`;
          return `the target did not follow ${this.#rewritten.path} ${after}: is it the file it reads?`;
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
      if (await isKnown(this.#target.identities.admin ?? {})) return undefined;
      return 'the administrator of the run is known by the file that would be changed';
    } finally {
      await connections.close();
    }
  }

  #launched(replaced: () => boolean): Launched {
    const { base, ca, identities } = this.#target;
    return {
      ready: { base, identities, ...(ca === undefined ? {} : { ca }) },
      replaced,
      exited: new Promise(() => {}),
      said: () => unsupported(STARTS),
      tellToEnd: () => unsupported(STARTS),
      kill: () => unsupported(STARTS),
      // The next one takes its place.
      stop: async () => {},
    };
  }
}

/** Writes the file as it was found, where it is another. Out: whether it was. */
export function restoreFile({ path, original }: Rewritten): boolean {
  if (readFileSync(path, 'utf8') === original) return false;
  writeFileSync(path, original);
  return true;
}

/** Where a setup has to keep its files so that a target reads them: the paths by the names of the files. */
export function placesOf({ path }: Rewritten, flags: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    flags.flatMap((flag) => {
      const [, name] = new RegExp(`^${FLAG}=\\{(.+)\\}$`).exec(flag) ?? [];
      return name === undefined ? [] : [[name, path] as const];
    }),
  );
}

/** Why a setup cannot be had by writing the file: a clause; `undefined` where it can. */
export function unfitForFile(flags: readonly string[], inForce: Identity | undefined): string | undefined {
  const fits = inForce !== undefined && flags.length === 1 && flags[0]?.startsWith(`${FLAG}=`);
  return fits ? undefined : STARTS;
}
