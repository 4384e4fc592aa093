import { addedFields } from '../api/addedFields.ts';
import { cloneJson } from '../api/json.ts';
import { asJson } from '../api/object.ts';
import type { DecisionTrace } from '../api/request.ts';
import type { Admission, AdmissionAttributes, AdmissionChain } from '../contracts/admission.ts';
import type { ResourceType } from '../contracts/resourceType.ts';
import { isPending } from '../contracts/store.ts';

/** Runs one step of a plugin, and tells the trace what it changed or why it refused. Throws what the plugin throws. */
async function explained(
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
function noteAdmitted(trace: DecisionTrace, plugins: number): void {
  trace.note({
    stage: 'admission',
    by: 'admission',
    outcome: 'admitted',
    because: `none of ${plugins} plugins refuses it`,
  });
}

/** The plugins that are about one type, in their order. */
interface Concerned {
  readonly mutating: readonly Admission[];
  readonly validating: readonly Admission[];
}

/**
 * Plugins one after the other: all that change objects first, once more where one of them wants that, and all that
 * only judge them last. The first refusal counts.
 */
export function admissionChain(plugins: readonly Admission[]): AdmissionChain {
  const known = new WeakMap<ResourceType, Concerned>();
  const concerned = ({ endpoint: { type } }: AdmissionAttributes): Concerned => {
    let found = known.get(type);
    if (!found) {
      const all = plugins.filter((plugin) => plugin.concerns?.(type) ?? true);
      found = { mutating: all.filter((plugin) => plugin.mutate), validating: all.filter((plugin) => plugin.validate) };
      known.set(type, found);
    }
    return found;
  };
  return {
    name: plugins.map((plugin) => plugin.name).join(','),
    async mutate(attributes: AdmissionAttributes): Promise<void> {
      const { mutating } = concerned(attributes);
      await each(mutating, 'mutate', attributes);
      if (mutating.some((plugin) => plugin.reinvokes?.(attributes))) await each(mutating, 'mutate', attributes);
    },
    async validate(attributes: AdmissionAttributes): Promise<void> {
      await each(concerned(attributes).validating, 'validate', attributes);
      const { trace } = attributes.exchange;
      if (trace) noteAdmitted(trace, plugins.length);
    },
    async stop(): Promise<void> {
      for (const plugin of plugins) await plugin.stop?.();
    },
  };
}

async function each(plugins: readonly Admission[], step: 'mutate' | 'validate', attributes: AdmissionAttributes) {
  const { trace } = attributes.exchange;
  for (const plugin of plugins) {
    const pending = trace ? explained(plugin, step, attributes, trace) : plugin[step]?.(attributes);
    // Most have nothing to wait for.
    if (isPending<void>(pending)) await pending;
  }
}
