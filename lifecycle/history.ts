import type { Stability } from './apiVersion.ts';
import type { Day } from './calendar.ts';

/** A minor release. */
export interface Release {
  readonly name: string;
  readonly date: Day;
  /** The major version that it belongs to. */
  readonly major: string;
  /** Counted from 0, in the order of the dates. */
  readonly place: number;
}

/** What a release does with a version of an API. */
export type Service = 'served' | 'deprecated';

/** What one release has of a group. */
export interface GroupRow {
  readonly release: Release;
  /** What is served, newest first as written; a version that is not here is not served. */
  readonly versions: ReadonlyMap<string, Service>;
  readonly preferred: string | undefined;
  readonly storage: string | undefined;
}

/** A version of the same group, or one of another group. */
export interface Successor {
  readonly name: string;
  readonly stability: Stability;
}

/** A resource, a field or a value inside a version. */
export interface ApiElement {
  /** `widgets`, `widgets.spec.size`, `widgets.spec.mode=Fast`. */
  readonly name: string;
  readonly resource: string;
  /** Whether it is the resource as a whole. */
  readonly whole: boolean;
  readonly version: string;
  readonly deprecated: Release | undefined;
  readonly removed: Release | undefined;
  /** How later versions hold it. */
  readonly becomes: readonly Representation[];
}

/** An element as another version holds it. */
export interface Representation {
  readonly version: string;
  readonly as: string;
  readonly roundTrips: boolean;
}

/** A group whose versions come and go together: an API group, or a kind of component configuration. */
export interface Track {
  readonly name: string;
  readonly what: 'API group' | 'configuration';
  /** One for each release from the one that introduced the group. */
  readonly rows: readonly GroupRow[];
  readonly successors: ReadonlyMap<string, Successor>;
  readonly elements: readonly ApiElement[];
}

/** When something came and went. */
export interface Lifetime {
  readonly name: string;
  readonly introduced: Release | undefined;
  readonly deprecated: Release | undefined;
  /** The first release without it. */
  readonly removed: Release | undefined;
}

/** Something else that a deprecation points to. */
export interface Alternative {
  readonly name: string;
  readonly stability: Stability;
  /** Whether the project controls it. */
  readonly ours: boolean;
}

export interface CommandLineElement extends Lifetime {
  readonly audience: 'user' | 'admin';
  readonly stability: Stability;
  readonly warns: boolean;
  readonly replacement: Alternative | undefined;
}

export interface Behavior extends Lifetime {
  readonly stability: Stability;
  readonly replacement: Alternative | undefined;
}

export interface Gate extends Omit<Lifetime, 'deprecated'> {
  /** What its feature is, and since when, in order. */
  readonly stages: readonly { readonly stability: Stability; readonly release: Release }[];
  /** The release that gave up a feature which was not generally available yet. */
  readonly ended: Release | undefined;
  /** How users of the deprecated gate learn of it; absent where nothing is deprecated yet. */
  readonly notice: GateNotice | undefined;
}
export interface GateNotice {
  readonly warns: boolean;
  readonly releaseNotes: boolean;
  readonly help: boolean;
  readonly saysWhetherOperational: boolean;
}

export interface Metric extends Lifetime {
  readonly stability: Stability;
  /** The release that registers it no more unless it is asked for. */
  readonly hidden: Release | undefined;
}

/** A departure from the policy that users were told of (3/command-line-feature-gate-and-metric-rules/p1). */
export interface Exception {
  readonly rule: string;
  readonly element: string;
  readonly reason: string;
  /** The releases whose notes announce it. */
  readonly announced: readonly Release[];
}

/** What a project published of its API and of all else that users rely on. */
export interface ApiHistory {
  readonly releases: readonly Release[];
  readonly tracks: readonly Track[];
  readonly commandLine: readonly CommandLineElement[];
  readonly behaviors: readonly Behavior[];
  readonly gates: readonly Gate[];
  readonly metrics: readonly Metric[];
  readonly exceptions: readonly Exception[];
}
