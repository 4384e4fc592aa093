import type { Host } from './host.ts';
import { type Launched, launch, UnfitCommand } from './launch.ts';
import { Restarter } from './restarter.ts';
import { filled } from './starting/command.ts';
import type { TargetFile } from './target.ts';

/** What a server is to be started with. */
export interface Start {
  /** Beside those that the target has. */
  readonly flags: readonly string[];
  /** Folder of the files that the flags name. */
  readonly files?: string;
  /** Folder in which it keeps its objects, for the next that is started there. */
  readonly data?: string | undefined;
  readonly release?: string | undefined;
  /** In a process of its own, where it might share one. */
  readonly apart?: boolean | undefined;
  /** It is told to end, and looked at then. */
  readonly ended?: boolean | undefined;
}

/** How the servers of a worker are started: as the target was. */
export interface Launcher {
  /** @throws LaunchFailed; UnfitCommand where the command that starts the target cannot do that. */
  start(what: Start): Promise<Launched>;
  /** Has the target of the run be as it was found, where another start has taken its place. */
  restore(): Promise<void>;
}

/** The launcher of a worker. It throws, when it is used, where the target was running before and cannot be restarted. */
export function launcherOf(file: TargetFile, host: Host | undefined): Launcher {
  const { serve, hosted, restart, target } = file;
  if (restart) return new Restarter(target, restart);
  const start = ({ flags, data, release, apart }: Start) => {
    const own = target.mode === 'embedded' ? [...ownFlags(data, release), ...flags] : flags;
    if (host && hosted && !apart) return host.launch([...hosted.flags, ...own]);
    if (!serve) throw new Error('a server can only be started for a check that needs launch');
    const releases = target.commands?.releases ?? [];
    if (target.mode === 'launch' && release !== undefined && !releases.includes(release)) {
      throw new UnfitCommand(`--releases does not name ${release}`);
    }
    return launch([...serve.map((word) => filled(word, { data, release: release ?? releases.at(-1) })), ...own]);
  };
  return { start: async (what) => start(what), restore: async () => {} };
}

/** The flags of the built-in reference. */
function ownFlags(data: string | undefined, release: string | undefined): string[] {
  return [
    ...(data === undefined ? [] : [`--data-dir=${data}`]),
    ...(release === undefined ? [] : [`--release=${release}`]),
  ];
}
