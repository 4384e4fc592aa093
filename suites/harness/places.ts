import { launchMutant } from './mutantSite.ts';
import { OwnServers } from './ownServers.ts';
import type { Services } from './services/services.ts';
import { Site } from './site.ts';
import type { TargetFile } from './target.ts';

/** Where checks look: a target, and the servers of its kind that are started beside it for some of them. */
export interface Place {
  readonly main: Site;
  readonly own: OwnServers;
}
interface OpenPlace extends Place {
  close(): Promise<void>;
}

/** Mutants that a worker keeps running: those that one check is put to come one after another. */
const KEPT = 3;

/** The places of one worker: the target of the run, or the mutants that its checks are put to. */
export class Places {
  readonly #file: TargetFile;
  readonly #worker: number;
  readonly #services: Services;
  /** By mutant, the one that was used last at the end. The name of the target of the run is empty. */
  readonly #open = new Map<string, OpenPlace>();

  constructor(parts: { file: TargetFile; worker: number; services: Services }) {
    this.#file = parts.file;
    this.#worker = parts.worker;
    this.#services = parts.services;
  }

  async of(mutant: string): Promise<Place> {
    const place = this.#open.get(mutant) ?? (await this.#begin(mutant));
    this.#open.delete(mutant);
    this.#open.set(mutant, place);
    for (const [name, other] of this.#open) {
      if (this.#open.size <= KEPT) break;
      this.#open.delete(name);
      await other.close();
    }
    return place;
  }

  async #begin(mutant: string): Promise<OpenPlace> {
    const launched = mutant === '' ? undefined : await launchMutant(this.#file, mutant);
    const main = new Site(launched?.file ?? this.#file, this.#worker);
    const own = new OwnServers({ file: this.#file, worker: this.#worker, mutant, main, services: this.#services });
    return {
      main,
      own,
      close: async () => {
        await own.close();
        await main.close();
        await launched?.stop();
      },
    };
  }

  async close(): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(all.map((place) => place.close()));
  }
}
