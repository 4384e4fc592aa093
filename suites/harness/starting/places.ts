import type { Services } from '../services/services.ts';
import { Site } from '../target/site.ts';
import type { Target, TargetFile } from '../target/target.ts';
import { Host, type Hosting } from './host.ts';
import type { Launched, Launcher } from './launch.ts';
import { launcherOf } from './launcher.ts';
import { OwnServers } from './ownServers.ts';
import { SharedHost } from './sharedHost.ts';

interface MutantSite {
  readonly file: TargetFile;
  stop: Launched['stop'];
}

/**
 * Starts the reference with one rule broken. Dialect, release and capabilities are those found on the sound
 * reference: a mutant must be judged by the checks, not excused because a probe already met the defect.
 */
async function launchMutant(file: TargetFile, launcher: Launcher, name: string): Promise<MutantSite> {
  const { ready, stop } = await launcher.start({ flags: ['--mutant', name] });
  const { base, ca, control } = ready;
  const identities = Object.fromEntries(
    Object.entries(ready.identities).map(([who, identity]) => [
      who,
      { ...identity, user: file.target.identities[who]?.user },
    ]),
  );
  return { file: { ...file, target: { ...file.target, base, ca, control, identities } }, stop };
}

/** Where checks look: a target, and the servers of its kind that are started beside it for some of them. */
export interface Place {
  /** Opened, and a mutant started for it, when it is first asked for: many checks look at servers of their own alone. */
  readonly main: () => Promise<Site>;
  readonly own: OwnServers;
}
interface OpenPlace extends Place {
  close(): Promise<void>;
}

/** Mutants that a lane keeps running: those that one check is put to come one after another. */
const KEPT = 12;

/** Where servers are started for a process, if several of them are to share one. */
export function hostOf({ hosted }: TargetFile): Hosting | undefined {
  return hosted && (hosted.at === undefined ? new Host(hosted.command) : new SharedHost(hosted.at));
}

/** The places of one lane: the target of the run, or the mutants that its checks are put to. */
export class Places {
  readonly #file: TargetFile;
  readonly #worker: number;
  readonly #services: Services;
  readonly #launcher: Launcher;
  /** By mutant, the one that was used last at the end. The name of the target of the run is empty. */
  readonly #open = new Map<string, OpenPlace>();

  /**
   * @param parts.worker another number for each lane of all processes
   * @param parts.host where servers are started, if that is one for several; whoever made it closes it
   */
  constructor(parts: { file: TargetFile; worker: number; services: Services; host: Hosting | undefined }) {
    this.#file = parts.file;
    this.#worker = parts.worker;
    this.#services = parts.services;
    this.#launcher = launcherOf(parts.file, parts.host);
  }

  /** Of the target of the run, which mutants are judged by too. */
  get capabilities(): Target['capabilities'] {
    return this.#file.target.capabilities;
  }

  async of(mutant: string): Promise<Place> {
    const place = this.#open.get(mutant) ?? this.#begin(mutant);
    this.#open.delete(mutant);
    this.#open.set(mutant, place);
    for (const [name, other] of this.#open) {
      if (this.#open.size <= KEPT) break;
      this.#open.delete(name);
      await other.close();
    }
    return place;
  }

  #begin(mutant: string): OpenPlace {
    const file = this.#file;
    const worker = this.#worker;
    const launcher = this.#launcher;
    let opened: Promise<OpenSite> | undefined;
    const main = async () => {
      opened ??= mutant === '' ? openSite(file, worker, true) : openMutant(file, worker, launcher, mutant);
      return (await opened).site;
    };
    const own = new OwnServers({ file, worker, mutant, main, services: this.#services, launcher });
    return {
      main,
      own,
      close: async () => {
        await own.close();
        // One that did not come up has been told by the check that asked for it.
        await opened?.then(
          ({ close }) => close(),
          () => {},
        );
      },
    };
  }

  async close(): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(all.map((place) => place.close()));
  }
}

interface OpenSite {
  readonly site: Site;
  close(): Promise<void>;
}
async function openSite(file: TargetFile, worker: number, main: boolean): Promise<OpenSite> {
  const site = new Site(file, worker, { main });
  return { site, close: () => site.close() };
}
async function openMutant(file: TargetFile, worker: number, launcher: Launcher, mutant: string): Promise<OpenSite> {
  const launched = await launchMutant(file, launcher, mutant);
  const { site } = await openSite(launched.file, worker, false);
  return {
    site,
    close: async () => {
      await site.close();
      await launched.stop();
    },
  };
}
