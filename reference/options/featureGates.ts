import { departs, type Follow } from '../../fixtures/follow.ts';
import { nearest } from '../collections/nearest.ts';
import { compareReleases, type Release } from '../contracts/release.ts';
import type { FeatureGates, GateSpan } from '../contracts/serverOptions.ts';
import { GATES } from './featureGateTable.ts';
import { parseBoolean } from './flag.ts';

/** Gates that only make sense with another one on. */
const REQUIRES: readonly (readonly [gate: string, needs: string])[] = [
  ['AuthorizeNodeWithSelectors', 'AuthorizeWithSelectors'],
];

/** What setting a gate of a stage earns (3/command-line-feature-gate-and-metric-rules/t1.8). */
const WARNINGS: Readonly<Partial<Record<GateSpan['stage'], string>>> = {
  GA: 'is generally available: the gate does nothing any more and will be removed in a later release',
  Deprecated: 'is deprecated and will be removed in a later release',
};

/** What may have been meant by a name that the release does not know. */
function hintFor(name: string, known: Iterable<string>, release: Release): string {
  const last = GATES[name]?.at(-1);
  if (last?.stage === 'Removed' && last.since <= release.minor) return `; it was removed in release 1.${last.since}`;
  const close = nearest(name, known);
  return close === undefined ? '' : `; did you mean ${close}?`;
}

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
 * @returns the gates with a note on each that was set and should not be, or every error found, one sentence each
 */
export function readFeatureGates(
  asked: readonly (readonly [string, string | undefined])[],
  release: Release,
  follow: Follow = 'spec',
): { readonly gates: FeatureGates; readonly notes: readonly string[] } | { readonly errors: readonly string[] } {
  const errors: string[] = [];
  const notes: string[] = [];
  const known = new Map<string, GateSpan>();
  for (const [name, spans] of Object.entries(GATES)) {
    const span = spanAt(spans, release);
    if (span && span.stage !== 'Removed') known.set(name, span);
  }
  const betaIsOn = !departs(follow, 'beta-gates-off');
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
      const unknown = `--feature-gates: unknown gate ${name}${hintFor(name, known.keys(), release)}`;
      if (departs(follow, 'feature-gate-unknown')) notes.push(unknown);
      else errors.push(unknown);
    } else if (span.locked && value !== span.on) {
      errors.push(`--feature-gates: ${name} cannot be set to ${value}, it is locked to ${span.on} in this release`);
    } else {
      chosen.set(name, value);
      const why = WARNINGS[span.stage];
      if (why) notes.push(`--feature-gates: ${name} ${why}`);
    }
  }
  const state = (name: string): boolean => {
    const span = known.get(name);
    if (!span) return false;
    return chosen.get(name) ?? wholesale.get(span.stage) ?? (span.on || (betaIsOn && span.stage === 'Beta'));
  };
  for (const [gate, needs] of REQUIRES) {
    if (state(gate) && !state(needs)) errors.push(`--feature-gates: ${gate} needs ${needs} to be on`);
  }
  if (errors.length > 0) return { errors };
  const on = new Set([...known.keys()].filter(state));
  return {
    notes,
    gates: {
      enabled: (name) => on.has(name),
      list: () =>
        [...known]
          .map(([name, span]) => ({ name, stage: span.stage, on: on.has(name) }))
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
    },
  };
}
