import type { FieldError } from '../api/fieldError.ts';
import type { Exchange } from '../api/request.ts';
import type { Entry } from '../storage/entry.ts';

/** What the last stage made of a write, for whoever asks why. */
export type Stored = 'created' | 'changed' | 'unchanged' | 'removed' | 'kept deleting' | 'dry run' | 'tried again';

const REASONS: Readonly<Record<Stored, string>> = {
  created: 'nothing was stored under the name',
  changed: 'the object differs from the stored one',
  unchanged: 'the object is as it is stored, so that its version stays',
  removed: 'nothing keeps the object any longer',
  'kept deleting': 'finalizers, a grace period or a controller keep the object',
  'dry run': 'a dry run stores nothing',
  'tried again': 'somebody else wrote the object in between',
};

/** Tells the trace, where there is one, how a write ended. */
export function noteStored({ trace }: Exchange, outcome: Stored, key: string, entry?: Entry): void {
  trace?.note({
    stage: 'storage',
    by: 'store',
    outcome,
    because: REASONS[outcome],
    details: { key, ...(entry ? { revision: entry.modRevision } : {}) },
  });
}

/** Tells the trace, where there is one, what validation found. */
export function noteValidated({ trace }: Exchange, errors: readonly FieldError[]): void {
  trace?.note({
    stage: 'validation',
    by: 'rules of the type',
    outcome: errors.length === 0 ? 'valid' : 'invalid',
    because: errors.length === 0 ? 'no rule objects' : errors.map((one) => `${one.field}: ${one.message}`).join('; '),
    details: { errors },
  });
}
