import { addedFields } from '../api/addedFields.ts';
import { cloneJson } from '../api/json.ts';
import { asJson } from '../api/object.ts';
import type { DecisionTrace } from '../api/request.ts';
import type { Admission, AdmissionAttributes } from '../contracts/admission.ts';

/** Runs one step of a plugin, and tells the trace what it changed or why it refused. Throws what the plugin throws. */
export async function explained(
  plugin: Admission,
  step: 'mutate' | 'validate',
  attributes: AdmissionAttributes,
  trace: DecisionTrace,
): Promise<void> {
  const { object } = attributes;
  const before = step === 'mutate' && object ? cloneJson(asJson(object)) : undefined;
  try {
    await plugin[step]?.(attributes);
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    trace.note({ stage: 'admission', by: plugin.name, outcome: 'refused', because });
    throw error;
  }
  const changed = before && object ? addedFields(before, asJson(object)) : [];
  if (changed.length === 0) return;
  trace.note({
    stage: 'admission',
    by: plugin.name,
    outcome: 'changed',
    because: 'the plugin fills in or replaces fields of the object',
    details: { changed },
  });
}

/** Tells the trace that nobody refused a write. */
export function noteAdmitted(trace: DecisionTrace, plugins: number): void {
  trace.note({
    stage: 'admission',
    by: 'admission',
    outcome: 'admitted',
    because: `none of ${plugins} plugins refuses it`,
  });
}
