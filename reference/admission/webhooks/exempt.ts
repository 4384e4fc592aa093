import type { AdmissionAttributes } from '../../contracts/admission.ts';

/** Kinds that say how requests are admitted: who could refuse their writes could not be removed any more. */
const KINDS: ReadonlySet<string> = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
]);

/**
 * Whether no hook sees a request, because it is about admission itself (1/validatingwebhookconfiguration/t1.16).
 * @param group name of the group of webhook configurations
 */
export function isExempt({ endpoint }: AdmissionAttributes, group: string): boolean {
  return endpoint.type.group === group && KINDS.has(endpoint.type.kind);
}
