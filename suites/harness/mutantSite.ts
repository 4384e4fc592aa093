import type { Launched } from './launch.ts';
import type { Launcher } from './launcher.ts';
import type { TargetFile } from './target.ts';

export interface MutantSite {
  readonly file: TargetFile;
  stop: Launched['stop'];
}

/**
 * Starts the reference with one rule broken. Dialect, release and capabilities are those found on the sound
 * reference: a mutant must be judged by the checks, not excused because a probe already met the defect.
 */
export async function launchMutant(file: TargetFile, launcher: Launcher, name: string): Promise<MutantSite> {
  const { ready, stop } = await launcher(['--mutant', name]);
  const { base, ca, control } = ready;
  const identities = Object.fromEntries(
    Object.entries(ready.identities).map(([who, identity]) => [
      who,
      { ...identity, user: file.target.identities[who]?.user },
    ]),
  );
  return { file: { ...file, target: { ...file.target, base, ca, control, identities } }, stop };
}
