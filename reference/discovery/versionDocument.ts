import type { JsonObject } from '../api/json.ts';
import { formatRelease, type Release } from '../versions/release.ts';

/** `/version`: the release that the server behaves as. */
export function versionDocument(release: Release): JsonObject {
  return {
    major: String(release.major),
    minor: String(release.minor),
    gitVersion: `v${formatRelease(release)}.0`,
    gitCommit: '0000000000000000000000000000000000000000',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: `node-${process.version}`,
    compiler: 'v8',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  };
}
