import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { groupName } from '../../fixtures/dialects/dialect.ts';
import type { Awaitable } from '../api/awaitable.ts';
import { isObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { ApiError, forbidden, notFound } from '../api/status.ts';
import type { Admission, AdmissionAttributes } from '../contracts/admission.ts';
import type { Entry } from '../contracts/entry.ts';
import { isPending, type Store } from '../contracts/store.ts';
import { objectKey } from '../contracts/storeKeys.ts';

const NAMESPACES = { group: '', resource: 'namespaces' };

/**
 * Keeps namespaces whole: nothing is created in one that is missing (404) or terminating (403 with a cause), and
 * those that the service needs cannot be deleted (403). 1/object-naming/4.
 */
export function namespaceLifecycle(store: Store, dialect: Dialect): Admission {
  const kept = new Set(['default', dialect.systemNamespace, dialect.publicNamespace]);
  const reviews = new Set([groupName(dialect, 'authorization')]);
  return {
    name: 'NamespaceLifecycle',
    mutate(attributes: AdmissionAttributes): Awaitable<void> {
      const { operation, endpoint, namespace, name } = attributes;
      const { type } = endpoint;
      if (type.group === '' && type.resource === 'namespaces') {
        if (operation === 'DELETE' && kept.has(name)) {
          throw forbidden(type, name, 'this namespace may not be deleted');
        }
        return;
      }
      // Reviews tell nothing of the namespace, not even whether it is there.
      if (operation === 'DELETE' || namespace === '' || reviews.has(type.group)) return;
      const entry = store.get(objectKey(NAMESPACES, '', namespace));
      return isPending(entry) ? entry.then((found) => judge(found, attributes)) : judge(entry, attributes);
    },
  };
}

function judge(entry: Entry | undefined, attributes: AdmissionAttributes): void {
  if (!entry) throw notFound(NAMESPACES, attributes.namespace);
  if (attributes.operation === 'CREATE' && isTerminating(entry.object)) throw terminating(attributes);
}

function isTerminating({ metadata, status }: ApiObject): boolean {
  return Boolean(metadata.deletionTimestamp) || (isObject(status) && status.phase === 'Terminating');
}

function terminating({ endpoint, namespace, name, object }: AdmissionAttributes): ApiError {
  const shown = name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const refusal = forbidden(endpoint.type, shown, why);
  return new ApiError(refusal.code, refusal.reason, refusal.message, {
    ...refusal.details,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  });
}
