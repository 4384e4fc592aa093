import type { Stability } from './apiVersion.ts';
import type { GateNotice, Service } from './history.ts';

/** A history as the schema lets it be written: releases are named by text. */
export interface WrittenHistory {
  readonly releases: readonly { readonly name: string; readonly date: string; readonly major?: string }[];
  readonly groups?: readonly WrittenTrack[];
  readonly configurations?: readonly WrittenTrack[];
  readonly commandLine?: readonly WrittenCommandLineElement[];
  readonly behaviors?: readonly WrittenBehavior[];
  readonly gates?: readonly WrittenGate[];
  readonly metrics?: readonly WrittenMetric[];
  readonly exceptions?: readonly WrittenException[];
}

export interface WrittenTrack {
  readonly name: string;
  readonly timeline: Readonly<Record<string, WrittenRow>>;
  readonly replacements?: Readonly<Record<string, string>>;
  readonly elements?: readonly WrittenElement[];
}
export interface WrittenRow {
  readonly versions: Readonly<Record<string, Service>>;
  readonly preferred?: string;
  readonly storage?: string;
}
export interface WrittenElement {
  readonly version: string;
  readonly resource: string;
  readonly field?: string;
  readonly value?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  readonly becomes?: readonly { readonly version: string; readonly as?: string; readonly roundTrips: boolean }[];
}

export interface WrittenLife {
  readonly name: string;
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
}
export interface WrittenAlternative {
  readonly name: string;
  readonly stability?: Stability;
  readonly ours?: boolean;
}
export interface WrittenCommandLineElement extends WrittenLife {
  readonly audience: 'user' | 'admin';
  readonly stability?: Stability;
  readonly documentation?: string;
  readonly warns?: boolean;
  readonly replacement?: WrittenAlternative;
}
export interface WrittenBehavior extends WrittenLife {
  readonly stability?: Stability;
  readonly replacement?: WrittenAlternative;
}
export interface WrittenGate {
  readonly name: string;
  readonly stages: Readonly<Partial<Record<Stability, string>>>;
  readonly ended?: string;
  readonly removed?: string;
  readonly notice?: GateNotice;
}
export interface WrittenMetric extends WrittenLife {
  readonly stability: 'ALPHA' | 'BETA' | 'STABLE';
  readonly hidden?: string;
}
export interface WrittenException {
  readonly rule: string;
  readonly element: string;
  readonly reason: string;
  readonly announced: readonly string[];
}
