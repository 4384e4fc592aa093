/** How much a version, a flag, a feature or a metric promises. */
export type Stability = 'alpha' | 'beta' | 'ga';

/** The name of an API version, taken apart: `v2beta3` is track 2, beta, number 3. */
export interface ApiVersion {
  readonly track: number;
  readonly stability: Stability;
  readonly number: number;
}

const NAME = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;
const RANK: Readonly<Record<Stability, number>> = { alpha: 0, beta: 1, ga: 2 };

/** Takes the name of a version apart; `undefined` where it has not the form (3/api-version-levels). */
export function parseVersion(name: string): ApiVersion | undefined {
  const found = NAME.exec(name);
  if (!found) return undefined;
  const stability = (found[2] ?? 'ga') as Stability;
  return { track: Number(found[1]), stability, number: Number(found[3] ?? 0) };
}

/** How stable a version is. Throws where the text is no name of a version: names are checked when they are read. */
export function stabilityOf(name: string): Stability {
  return parsed(name).stability;
}

/** Whether one version follows another: `v1beta1`, `v1`, `v2alpha1`, `v2`. */
export function isLater(one: string, other: string): boolean {
  const [a, b] = [parsed(one), parsed(other)];
  if (a.track !== b.track) return a.track > b.track;
  return a.stability === b.stability ? a.number > b.number : isLessStable(b.stability, a.stability);
}

/** Whether one promises less than the other. */
export function isLessStable(one: Stability, other: Stability): boolean {
  return RANK[one] < RANK[other];
}

function parsed(name: string): ApiVersion {
  const version = parseVersion(name);
  if (!version) throw new Error(`${name} is no name of a version`);
  return version;
}
