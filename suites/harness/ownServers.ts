import type { Capability } from './capabilities.ts';
import { type Launched, launch } from './launch.ts';
import { Site } from './site.ts';
import type { TargetFile } from './target.ts';

/**
 * What a capability asks of the way the server was started. A check with such a need gets a server of its worker's
 * own where one can be started: a clock that is set ahead would end the watches and tokens of every check beside it.
 */
const FLAGS_FOR: Readonly<Partial<Record<Capability, readonly string[]>>> = {
  'virtual-clock': [],
  cbor: ['--feature-gates=CBORServingAndStorage=true'],
};

/** The flags of the server that a check has to have for itself; `undefined` where the target of the run will do. */
export function ownFlags(needs: readonly Capability[], flags: readonly string[]): readonly string[] | undefined {
  const special = needs.flatMap((need) => FLAGS_FOR[need] ?? []);
  const apart = flags.length > 0 || needs.some((need) => FLAGS_FOR[need] !== undefined);
  return apart ? [...special, ...flags] : undefined;
}

/** Servers of one worker, one for each set of flags, each started when a check first asks for it. */
export class OwnServers {
  readonly #file: TargetFile;
  readonly #worker: number;
  /** What is added to the command, beside the flags of a check. */
  readonly #always: readonly string[];
  readonly #main: Site;
  readonly #started = new Map<string, Promise<{ readonly site: Site; readonly launched: Launched }>>();

  constructor(parts: { file: TargetFile; worker: number; mutant: string; main: Site }) {
    this.#file = parts.file;
    this.#worker = parts.worker;
    this.#main = parts.main;
    this.#always = parts.mutant === '' ? [] : ['--mutant', parts.mutant];
  }

  /** The server for a check with these needs and flags. A target that we cannot start once more stands for all. */
  async siteFor(needs: readonly Capability[], flags: readonly string[]): Promise<Site> {
    const own = ownFlags(needs, flags);
    if (own === undefined || this.#file.serve === undefined) return this.#main;
    // A mutant's server works for one worker alone as it is.
    if (own.length === 0 && this.#always.length > 0) return this.#main;
    const key = own.join(' ');
    let server = this.#started.get(key);
    if (!server) {
      server = this.#start(this.#file.serve, own);
      this.#started.set(key, server);
    }
    return (await server).site;
  }

  async #start(serve: readonly string[], flags: readonly string[]) {
    const launched = await launch([...serve, ...this.#always, ...flags]);
    return { launched, site: new Site(relocated(this.#file, launched), this.#worker) };
  }

  async close(): Promise<void> {
    for (const started of this.#started.values()) {
      const { site, launched } = await started;
      await site.close();
      await launched.stop();
    }
  }
}

/** The same target at the place where another server of its kind runs. */
export function relocated(file: TargetFile, { ready }: Launched): TargetFile {
  const { base, ca, control } = ready;
  const identities = Object.fromEntries(
    Object.entries(ready.identities).map(([who, identity]) => [
      who,
      { ...identity, user: file.target.identities[who]?.user },
    ]),
  );
  return { ...file, target: { ...file.target, base, ca, control, identities } };
}
