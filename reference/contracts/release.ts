/** A release of the service, `1.32`: what `release N.M` in the specification means. */
export interface Release {
  readonly major: number;
  readonly minor: number;
}

/** Reads `1.32`, with or without a `v` in front and a patch number behind; undefined when it is no release. */
export function parseRelease(text: string): Release | undefined {
  const match = /^v?(\d{1,4})\.(\d{1,4})(?:\.\d{1,6})?$/.exec(text);
  return match ? { major: Number(match[1]), minor: Number(match[2]) } : undefined;
}

export function formatRelease({ major, minor }: Release): string {
  return `${major}.${minor}`;
}

/** Negative when `a` came before `b`, zero for the same release, positive when it came after. */
export function compareReleases(a: Release, b: Release): number {
  return a.major - b.major || a.minor - b.minor;
}
