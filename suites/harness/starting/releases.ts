import { lifecycles, apiVersionOf as versionNameOf } from '../../../fixtures/releases/lifecycles.ts';
import type { ReleaseName } from '../../../fixtures/releases/removedVersion.ts';
import { unsupported } from '../endings.ts';
import type { Target } from '../target/target.ts';
import type { SetupOf } from './setup.ts';

const setups = new Map<string, SetupOf>();

/**
 * A server of a release, which all checks of a worker share that ask for the same one. Beta versions that are off by
 * default since release 1.22 are on in it: whether a release has a version at all is what such checks are about.
 */
export function atRelease(release: ReleaseName, more: readonly string[] = []): SetupOf {
  const key = [release, ...more].join(' ');
  const setup: SetupOf =
    setups.get(key) ??
    ((_, dialect) => {
      const late = lifecycles()
        .filter(({ level, introduced, removed }) => level === 'beta' && introduced > 21 && removed !== undefined)
        .filter(({ introduced, removed = 0 }) => introduced <= minorOf(release) && minorOf(release) < removed)
        .filter(({ replacements, gate }) => replacements.length > 0 && gate === undefined)
        .map((row) => `${versionNameOf(row, dialect)}=true`);
      const enabled = late.length === 0 ? [] : [`--runtime-config=${[...new Set(late)].join(',')}`];
      return { release, flags: [...enabled, ...more] };
    });
  setups.set(key, setup);
  return setup;
}

/** The minor number of a release: 25 of `1.25`. */
export function minorOf(release: string): number {
  return Number(release.split('.')[1]);
}

/** The release before. */
export function before(release: ReleaseName): ReleaseName {
  return `1.${minorOf(release) - 1}`;
}

/** The minor number of the release that a target says it is; without one, or of another major version, unsupported. */
export function ownRelease({ release }: Target): number {
  const [, minor] = /^1\.(\d+)$/.exec(release) ?? [];
  return minor === undefined ? unsupported('the target does not say which release it is') : Number(minor);
}
