import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import {
  apiVersionOf,
  isDeprecated,
  type Lifecycle,
  lifecycleOf,
  lifecycles,
  onByDefault,
  replacementIn,
} from '../../fixtures/releases/lifecycles.ts';
import type { GroupVersion, VersionDifference } from '../../fixtures/releases/removedVersion.ts';
import { removalOf } from '../../fixtures/releases/removedVersions.ts';
import { type Concern, concernsOf } from './concerns.ts';
import type { Manifest } from './manifests.ts';

/** From which release to which, as minor numbers of major 1. */
export interface Upgrade {
  readonly from: number;
  readonly to: number;
}

/**
 * What an upgrade does to a manifest: its version stops being served on the way, was not served before it started, is
 * not there yet, has to be switched on, is served with a warning, or nothing.
 */
export type UpgradeEffect = 'stops' | 'stopped before' | 'not there yet' | 'off' | 'warns' | 'stays';

/** What is known of a manifest. */
export interface Assessment {
  readonly manifest: Manifest;
  readonly fate: UpgradeEffect;
  /** The release that decides: the first without the version, or the first that warns or serves. */
  readonly release: number | undefined;
  readonly replacement: ReplacementVersion | undefined;
  /** Words for what replaces it where no version does. */
  readonly elsewhere: string | undefined;
  readonly concerns: readonly Concern[];
}
export interface ReplacementVersion {
  readonly apiVersion: string;
  readonly kind: string;
  readonly since: number;
}

/** Whether a manifest cannot be used at the release that the upgrade leads to. */
export function isBroken({ fate }: Assessment): boolean {
  return fate === 'stops' || fate === 'stopped before' || fate === 'not there yet';
}

/**
 * Assesses a manifest.
 * Out: `undefined` where its type is none of the service's own, so that no release of it decides.
 */
export function assess(manifest: Manifest, upgrade: Upgrade, dialect: Dialect): Assessment | undefined {
  const { apiVersion, kind } = manifest;
  const row = lifecycles().find((each) => each.kind === kind && apiVersionOf(each, dialect) === apiVersion);
  if (!row) return undefined;
  const { fate, release } = fateOf(row, upgrade);
  const leaves =
    fate === 'stops' ||
    fate === 'stopped before' ||
    fate === 'warns' ||
    (fate === 'off' && isDeprecated(row, upgrade.to));
  const steps = leaves ? stepsOf(row, upgrade.to) : [];
  const last = steps.at(-1)?.to;
  return {
    manifest,
    fate,
    release,
    replacement: last && { apiVersion: apiVersionOf(last, dialect), kind: last.kind, since: last.introduced },
    elsewhere: leaves && !last ? removalOf(versionOf(row), kind)?.elsewhere : undefined,
    concerns: steps.flatMap(({ from, changes }) => concernsOf(manifest.object, changes, versionOf(from))),
  };
}

function fateOf(row: Lifecycle, { from, to }: Upgrade): { fate: UpgradeEffect; release: number | undefined } {
  const { introduced, removed, deprecated } = row;
  if (removed !== undefined && removed <= to) {
    return { fate: removed <= from ? 'stopped before' : 'stops', release: removed };
  }
  if (introduced > to) return { fate: 'not there yet', release: introduced };
  if (!onByDefault(row, to)) return { fate: 'off', release: introduced };
  return isDeprecated(row, to) ? { fate: 'warns', release: deprecated } : { fate: 'stays', release: undefined };
}

interface Step {
  readonly from: Lifecycle;
  readonly to: Lifecycle;
  readonly changes: readonly VersionDifference[];
}

/** From a version to one that the release serves: by way of replacements that are gone themselves, if it must be. */
function stepsOf(row: Lifecycle, release: number): Step[] {
  const steps: Step[] = [];
  for (let at: Lifecycle | undefined = row; at; ) {
    const next: Lifecycle | undefined = replacementIn(at, release) ?? newest(at);
    if (!next || steps.some(({ to }) => to === next)) break;
    steps.push({ from: at, to: next, changes: removalOf(versionOf(at), at.kind)?.changes ?? [] });
    at = next.removed !== undefined && next.removed <= release ? next : undefined;
  }
  const served = steps.at(-1)?.to;
  return served && (served.removed === undefined || served.removed > release) ? steps : [];
}

function newest({ replacements }: Lifecycle): Lifecycle | undefined {
  return replacements[0] && lifecycleOf(replacements[0]);
}

function versionOf({ groupPrefix, inDomain, version }: Lifecycle): GroupVersion {
  return { group: inDomain ? { prefix: groupPrefix } : groupPrefix, version };
}
