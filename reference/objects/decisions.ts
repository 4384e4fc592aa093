import { addedFields } from '../api/addedFields.ts';
import type { FieldError } from '../api/fieldError.ts';
import type { JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import type { Exchange } from '../api/request.ts';
import type { Entry } from '../contracts/entry.ts';
import type { FieldTrace } from '../fields/mergeTrace.ts';

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

/** Tells the trace, where there is one, what a body came to. Both are left alone; `sent` has no defaults yet. */
export function noteDefaults({ trace }: Exchange, sent: JsonObject, object: ApiObject): void {
  const defaulted = addedFields(sent, asJson(object));
  trace?.note({
    stage: 'decoding',
    by: 'schema of the version',
    outcome: `${object.kind} in ${object.apiVersion}`,
    because:
      defaulted.length > 0 ? 'fields that the body leaves out are given defaults' : 'the body leaves nothing out',
    details: { defaulted },
  });
}

/** Tells the trace, where there is one, what a write did to the owners of fields. */
export function noteMerge({ trace }: Exchange, by: 'apply' | 'update', outcome: string, merge: FieldTrace): void {
  trace?.note({
    stage: 'merge',
    by,
    outcome,
    because: MERGES[by].replace('^', merge.manager),
    details: { merge },
  });
}

const MERGES = {
  apply: 'the configuration of ^ is merged with the live object and what others own of it',
  update: 'what ^ changes becomes its own',
} as const;

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

/** How many errors of an object a trace tells. */
const NOTED_ERRORS = 100;

/** Tells the trace, where there is one, what validation found. */
export function noteValidated({ trace }: Exchange, errors: readonly FieldError[]): void {
  if (!trace) return;
  const shown = errors.slice(0, NOTED_ERRORS);
  trace.note({
    stage: 'validation',
    by: 'rules of the type',
    outcome: errors.length === 0 ? 'valid' : 'invalid',
    because:
      shown.length === 0
        ? 'every rule of the type is kept'
        : shown.map((one) => `${one.field}: ${one.message}`).join('; '),
    details: { errors: shown },
  });
}

/** Tells the trace, where there is one, what a read found in which state of the store. */
export function noteRead(
  { trace }: Exchange,
  outcome: string,
  because: string,
  details: Record<string, unknown>,
): void {
  trace?.note({ stage: 'storage', by: 'store', outcome, because, details });
}
