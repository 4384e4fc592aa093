import type { Services } from '../services/services.ts';
import type { Capability } from '../target/capabilities.ts';
import { Site } from '../target/site.ts';
import type { TargetFile } from '../target/target.ts';
import { type Launched, type Launcher, LaunchFailed, UnfitCommand } from './launch.ts';
import { placesOf, unfitForFile } from './rewriter.ts';
import type { Setup, SetupOf } from './setup.ts';
import { SetupFiles } from './setupFiles.ts';

/**
 * What a capability asks of the way the server was started. A check with such a need gets a server of its worker's
 * own where one can be started: a clock that is set ahead would end the watches and tokens of every check beside it.
 */
const FLAGS_FOR: Readonly<Partial<Record<Capability, readonly string[]>>> = {
  'virtual-clock': [],
  cbor: ['--feature-gates=CBORServingAndStorage=true'],
  'bootstrap-tokens': ['--enable-bootstrap-token-auth=true'],
};

/** The flags of the server that a check has to have for itself; `undefined` where the target of the run will do. */
export function ownFlags(needs: readonly Capability[], flags: readonly string[]): readonly string[] | undefined {
  const special = needs.flatMap((need) => FLAGS_FOR[need] ?? []);
  const apart = flags.length > 0 || needs.some((need) => FLAGS_FOR[need] !== undefined);
  return apart ? [...special, ...flags] : undefined;
}

/** A server that the worker started, and what it was started with. */
export interface OwnServer {
  readonly site: Site;
  readonly launched: Launched;
  readonly files: SetupFiles;
  /** Starts it once more with the same flags and files, when it has ended. Throws LaunchFailed. */
  readonly again: () => Promise<Pick<OwnServer, 'site' | 'launched'>>;
}

/** What a check says of the server that it looks at. */
export interface Wanted {
  readonly needs: readonly Capability[];
  readonly flags: readonly string[];
  readonly setup: Setup | SetupOf | undefined;
}

export interface OwnServersParts {
  readonly file: TargetFile;
  readonly worker: number;
  /** Empty: none. */
  readonly mutant: string;
  /** What stands for all that need nothing special. */
  readonly main: () => Promise<Site>;
  readonly services: Services;
  readonly launcher: Launcher;
}

/**
 * How many servers a worker keeps for the checks to come: those that share one mostly come one after the other, and some
 * servers take more memory and time for doing nothing than a start of them takes.
 */
const KEPT = 8;

/**
 * Servers of one worker: one for each set of flags and each setup, started when a check asks for it. The one that was
 * asked for longest ago is let go for another, of which a worker has one at a time in use.
 */
export class OwnServers {
  readonly #file: TargetFile;
  readonly #worker: number;
  readonly #services: Services;
  readonly #launcher: Launcher;
  /** What is added to the command, beside the flags of a check. */
  readonly #always: readonly string[];
  readonly #main: () => Promise<Site>;
  readonly #started = new Map<string | Setup | SetupOf, Promise<OwnServer>>();

  constructor(parts: OwnServersParts) {
    this.#file = parts.file;
    this.#worker = parts.worker;
    this.#main = parts.main;
    this.#services = parts.services;
    this.#launcher = parts.launcher;
    this.#always = parts.mutant === '' ? [] : ['--mutant', parts.mutant];
  }

  /**
   * The server for a check. A target that we cannot start once more stands for all; a check with a setup needs
   * `launch` and so never meets one.
   */
  async siteFor({ needs, flags, setup }: Wanted): Promise<Site> {
    const own = ownFlags(needs, flags);
    const { serve, restart, rewritten } = this.#file;
    const byFile = rewritten !== undefined && needs.includes('authentication-file');
    const started = byFile ? setup : (own ?? setup);
    if (started === undefined || (serve ?? restart ?? (byFile || undefined)) === undefined) return this.#asFound();
    // A mutant's server works for one worker alone as it is.
    if (own?.length === 0 && setup === undefined && this.#always.length > 0) return this.#main();
    const key = setup ?? (own ?? []).join(' ');
    const there = await this.#started.get(key);
    this.#started.delete(key);
    const stays = there && !there.launched.replaced?.();
    if (there && !stays) await letGo(there);
    const server = stays ? Promise.resolve(there) : this.start(setup ?? {}, own);
    this.#started.set(key, server);
    const [oldest] = this.#started;
    if (oldest && this.#started.size > KEPT) {
      this.#started.delete(oldest[0]);
      await oldest[1].then(letGo, () => {});
    }
    return (await server).site;
  }

  /** The target of the run as it was found. */
  async #asFound(): Promise<Site> {
    await this.restore();
    return this.#main();
  }

  /** Has the target of the run be as it was found, where a start has taken its place. */
  async restore(): Promise<void> {
    await this.#launcher.restore();
  }

  /**
   * Starts a server for one check alone, which has to let it go.
   * @throws LaunchFailed when it does not come up, which may be what the check is about; UnfitCommand.
   */
  async start(setup: Setup | SetupOf, more: readonly string[] = []): Promise<OwnServer> {
    const { serve = [], restart, rewritten, target } = this.#file;
    const settled = typeof setup === 'function' ? await setup(this.#services, target.dialect) : setup;
    const words = restart ? [restart.command] : serve;
    const brought = settled.without?.find((flag) => words.some((word) => word.includes(flag)));
    if (brought !== undefined) throw new UnfitCommand(`the command that starts the target brings ${brought}`);
    const early = tooEarly(settled, settled.release ?? target.release);
    if (early !== undefined) throw new UnfitCommand(early);
    const byFile = restart === undefined ? rewritten : undefined;
    const unfit = byFile && unfitForFile(settled.flags ?? [], settled.inForce);
    if (unfit !== undefined) throw new UnfitCommand(unfit);
    const files = new SetupFiles(settled, byFile && placesOf(byFile, settled.flags ?? []));
    try {
      const begin = async () => {
        const flags = [...this.#always, ...more, ...files.flags];
        const { release, apart, ended, inForce } = settled;
        const { folder, data } = files;
        const launched = await this.#launcher.start({ flags, files: folder, data, release, apart, ended, inForce });
        const file = relocated(this.#file, launched, settled);
        return { launched, site: new Site(file, this.#worker, { replaced: launched.replaced }) };
      };
      return { files, ...(await begin()), again: begin };
    } catch (error) {
      files.remove();
      if (settled.unshown !== undefined && error instanceof LaunchFailed) throw new UnfitCommand(settled.unshown);
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#started.values()].map(async (started) => started.then(letGo, () => {})));
    await this.restore();
  }
}

/** Why a server of a release cannot read the files of a setup: a clause; `undefined` where it can. */
function tooEarly({ since }: Setup, release: string): string | undefined {
  const [, minor] = /^1\.(\d+)$/.exec(release) ?? [];
  if (since === undefined || minor === undefined || Number(minor) >= since) return undefined;
  return `the target is of release ${release}, and such a file is for release 1.${since} and later`;
}

/** Ends a server and takes away what it was started with. */
export async function letGo({ site, launched, files }: OwnServer): Promise<void> {
  await site.close();
  await launched.stop();
  files.remove();
}

/** The same target at the place where another server of its kind runs, with what its setup says of it. */
export function relocated(file: TargetFile, { ready }: Launched, setup: Setup = {}): TargetFile {
  const { base, control } = ready;
  const identities = Object.fromEntries(
    Object.entries(ready.identities).map(([who, identity]) => [
      who,
      { ...identity, user: file.target.identities[who]?.user },
    ]),
  );
  return {
    ...file,
    target: {
      ...file.target,
      // What was running already was started by us this time.
      mode: file.target.mode === 'url' ? 'launch' : file.target.mode,
      base,
      ca: setup.ca ?? ready.ca,
      control,
      identities: { ...identities, ...setup.identities },
    },
  };
}
