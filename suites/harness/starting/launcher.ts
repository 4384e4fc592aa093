import type { TargetFile } from '../target/target.ts';
import { filled } from './command.ts';
import type { Hosting } from './host.ts';
import { type Launcher, launch, type Start, UnfitCommand } from './launch.ts';
import { Restarter } from './restarter.ts';
import { Rewriter } from './rewriter.ts';

const KEEPS = '{data} in the command of --launch lets it keep its objects from one start to the next';

/** The launcher of a worker. It throws, when it is used, where the target was running before and cannot be restarted. */
export function launcherOf(file: TargetFile, host: Hosting | undefined): Launcher {
  const { serve, hosted, restart, rewritten, target } = file;
  if (restart) return new Restarter(target, restart);
  if (rewritten) return new Rewriter(target, rewritten);
  const start = ({ flags, data, release, apart }: Start) => {
    const own = target.mode === 'embedded' ? [...ownFlags(data, release), ...flags] : flags;
    if (host && hosted && !apart) return host.launch([...hosted.flags, ...own]);
    if (!serve) throw new Error('a server can only be started for a check that needs launch');
    if (target.mode === 'launch' && data !== undefined && target.commands?.keeps !== true)
      throw new UnfitCommand(KEEPS);
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
