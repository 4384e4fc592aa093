import { compareReleases, type Release } from '../versions/release.ts';
import { GATES, type GateSpan } from './featureGateTable.ts';
import { parseBoolean } from './flag.ts';
import { nearest } from './nearest.ts';

/** The gates of a release, each on or off. */
export interface FeatureGates {
  /** Whether a gate is on; a gate that this release does not know is off. */
  enabled(name: string): boolean;
  /** Every gate of the release in order of name, for metrics and help. */
  list(): readonly { readonly name: string; readonly stage: GateSpan['stage']; readonly on: boolean }[];
}

/** Gates that only make sense with another one on. */
const REQUIRES: readonly (readonly [gate: string, needs: string])[] = [
  ['AuthorizeNodeWithSelectors', 'AuthorizeWithSelectors'],
];

function spanAt(spans: readonly GateSpan[], release: Release): GateSpan | undefined {
  let found: GateSpan | undefined;
  for (const span of spans) if (compareReleases({ major: 1, minor: span.since }, release) <= 0) found = span;
  return found;
}

/**
 * Sets the gates of a release as the flag asks. `AllAlpha` and `AllBeta` stand for the gates of that stage that
 * are not named themselves; a name may carry a component, `kube:Name`.
 *
 * @param asked pairs of the flag, in order; a later one wins
 * @returns the gates, or every error found, one sentence each
 */
export function readFeatureGates(
  asked: readonly (readonly [string, string | undefined])[],
  release: Release,
): { readonly gates: FeatureGates } | { readonly errors: readonly string[] } {
  const errors: string[] = [];
  const known = new Map<string, GateSpan>();
  for (const [name, spans] of Object.entries(GATES)) {
    const span = spanAt(spans, release);
    if (span) known.set(name, span);
  }
  const chosen = new Map<string, boolean>();
  const wholesale = new Map<GateSpan['stage'], boolean>();
  for (const [given, text] of asked) {
    const name = given.slice(given.lastIndexOf(':') + 1);
    const value = text === undefined ? undefined : parseBoolean(text);
    if (value === undefined) {
      errors.push(
        text === undefined
          ? `--feature-gates: ${given} needs a value, ${given}=true or ${given}=false`
          : `--feature-gates: ${given}=${text} is neither true nor false`,
      );
      continue;
    }
    if (name === 'AllAlpha' || name === 'AllBeta') {
      wholesale.set(name === 'AllAlpha' ? 'Alpha' : 'Beta', value);
      continue;
    }
    const span = known.get(name);
    if (!span) {
      const close = nearest(name, known.keys());
      errors.push(`--feature-gates: unknown gate ${name}${close === undefined ? '' : `; did you mean ${close}?`}`);
    } else if (span.locked && value !== span.on) {
      errors.push(`--feature-gates: ${name} cannot be set to ${value}, it is locked to ${span.on} in this release`);
    } else chosen.set(name, value);
  }
  const state = (name: string): boolean => {
    const span = known.get(name);
    if (!span) return false;
    return chosen.get(name) ?? wholesale.get(span.stage) ?? span.on;
  };
  for (const [gate, needs] of REQUIRES) {
    if (state(gate) && !state(needs)) errors.push(`--feature-gates: ${gate} needs ${needs} to be on`);
  }
  if (errors.length > 0) return { errors };
  const on = new Set([...known.keys()].filter(state));
  return {
    gates: {
      enabled: (name) => on.has(name),
      list: () =>
        [...known]
          .map(([name, span]) => ({ name, stage: span.stage, on: on.has(name) }))
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
    },
  };
}
