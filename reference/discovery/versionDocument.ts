import type { JsonObject } from '../api/json.ts';
import { formatRelease, type Release } from '../contracts/release.ts';

/** The first release that tells which one it behaves as and the oldest that it gets along with. */
const TELLS_EMULATION = 33;

/** `/version`: the release that the server behaves as. */
export function versionDocument(release: Release): JsonObject {
  const [major, minor] = [String(release.major), String(release.minor)];
  return {
    major,
    minor,
    ...(release.minor < TELLS_EMULATION
      ? {}
      : {
          emulationMajor: major,
          emulationMinor: minor,
          minCompatibilityMajor: major,
          minCompatibilityMinor: String(release.minor - 1),
        }),
    gitVersion: `v${formatRelease(release)}.0`,
    gitCommit: '0000000000000000000000000000000000000000',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: `node-${process.version}`,
    compiler: 'v8',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  };
}
