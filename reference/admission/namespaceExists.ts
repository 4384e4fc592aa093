import { notFound } from '../api/status.ts';
import type { Admission } from '../contracts/admission.ts';
import type { Store } from '../contracts/store.ts';
import { objectKey } from '../contracts/storeKeys.ts';

const NAMESPACES = { group: '', resource: 'namespaces' };

/** Plugin NamespaceExists: whatever is written in a namespace that is missing is refused (404). */
export function namespaceExists({ store }: { readonly store: Store }): Admission {
  return {
    name: 'NamespaceExists',
    async validate({ endpoint, namespace }) {
      const { group, resource } = endpoint.type;
      if (namespace === '' || (group === '' && resource === 'namespaces')) return;
      if (!(await store.get(objectKey(NAMESPACES, '', namespace)))) throw notFound(NAMESPACES, namespace);
    },
  };
}
