import type { Admission, AdmissionAttributes } from './admission.ts';
import { explained, noteAdmitted } from './explained.ts';

/**
 * Plugins one after the other: all that change objects first, once more where one of them wants that, and all that
 * only judge them last. The first refusal counts.
 */
export function admissionChain(plugins: readonly Admission[]): Admission {
  const mutating = plugins.filter((plugin) => plugin.mutate);
  const validating = plugins.filter((plugin) => plugin.validate);
  return {
    name: plugins.map((plugin) => plugin.name).join(','),
    async mutate(attributes: AdmissionAttributes): Promise<void> {
      await each(mutating, 'mutate', attributes);
      if (mutating.some((plugin) => plugin.reinvokes?.(attributes))) await each(mutating, 'mutate', attributes);
    },
    async validate(attributes: AdmissionAttributes): Promise<void> {
      await each(validating, 'validate', attributes);
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
    if (trace) await explained(plugin, step, attributes, trace);
    else await plugin[step]?.(attributes);
  }
}
