import { type Capability, capabilities } from '../../../fixtures/ledger/index.ts';
import type { CapabilityFinding } from '../../../reports/events.ts';

export type { Capability } from '../../../fixtures/ledger/index.ts';

/** Why a target lacks a capability, as a clause; `undefined` when it has it. */
export function lacking(findings: readonly CapabilityFinding[], capability: Capability): string | undefined {
  const finding = findings.find((each) => each.name === capability);
  if (finding?.present) return undefined;
  return `it needs a target of which holds: ${capabilities[capability]}; ${finding?.because ?? 'nobody looked'}`;
}
