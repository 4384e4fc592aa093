import type { Host } from './host.ts';
import { type Launched, launch } from './launch.ts';
import type { TargetFile } from './target.ts';

/**
 * Starts a server as the target was started.
 * @param flags beside those that the target has
 * @param apart in a process of its own, where it might share one
 * @throws LaunchFailed
 */
export type Launcher = (flags: readonly string[], apart?: boolean) => Promise<Launched>;

/** The launcher of a worker. Throws, when it is used, where the target was running before we came. */
export function launcherOf({ serve, hosted }: TargetFile, host: Host | undefined): Launcher {
  return async (flags, apart = false) => {
    if (host && hosted && !apart) return host.launch([...hosted.flags, ...flags]);
    if (!serve) throw new Error('a server can only be started for a check that needs launch');
    return launch([...serve, ...flags]);
  };
}
