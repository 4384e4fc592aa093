import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { Admission } from '../contracts/admission.ts';
import { onlyTypes } from './onlyTypes.ts';

/** Types whose objects stay while something uses them, by plural, with the word in their finalizer. */
const PROTECTED: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'pvc-protection',
  persistentvolumes: 'pv-protection',
};

/** Plugin StorageObjectInUseProtection: volumes and claims are born with a finalizer, so that none vanishes in use. */
export function storageProtection({ dialect }: { readonly dialect: Dialect }): Admission {
  return {
    name: 'StorageObjectInUseProtection',
    concerns: onlyTypes('', ...Object.keys(PROTECTED)),
    mutate({ operation, endpoint, object }) {
      const { type, subresource } = endpoint;
      const word = type.group === '' ? PROTECTED[type.resource] : undefined;
      if (operation !== 'CREATE' || subresource || !word || !object) return;
      const finalizer = `${dialect.labelDomain}/${word}`;
      const present = object.metadata.finalizers ?? [];
      if (!present.includes(finalizer)) object.metadata.finalizers = [...present, finalizer];
    },
  };
}
