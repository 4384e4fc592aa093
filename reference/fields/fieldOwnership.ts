import { applyConfiguration } from './applyConfiguration.ts';
import { recordUpdate } from './recordUpdate.ts';

/** The two ways in which fields come to owners: what verbs know of the rules of ownership. */
export interface FieldOwnership {
  readonly apply: typeof applyConfiguration;
  readonly update: typeof recordUpdate;
}

/** The rules as they are written. */
export const FIELD_OWNERSHIP: FieldOwnership = { apply: applyConfiguration, update: recordUpdate };
