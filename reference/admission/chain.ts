import type { Admission, AdmissionAttributes } from './admission.ts';

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
      for (const plugin of mutating) await plugin.mutate?.(attributes);
      if (!mutating.some((plugin) => plugin.reinvokes?.(attributes))) return;
      for (const plugin of mutating) await plugin.mutate?.(attributes);
    },
    async validate(attributes: AdmissionAttributes): Promise<void> {
      for (const plugin of validating) await plugin.validate?.(attributes);
    },
    async stop(): Promise<void> {
      for (const plugin of plugins) await plugin.stop?.();
    },
  };
}
