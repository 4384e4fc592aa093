import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { asJson } from '../api/object.ts';
import { forbidden } from '../api/status.ts';
import type { Admission } from '../contracts/admission.ts';
import type { Store } from '../contracts/store.ts';
import { UnreadableObject } from '../contracts/store.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';
import { SYSTEM_PRIORITIES } from '../objects/systemPriorities.ts';
import { onlyTypes } from './onlyTypes.ts';

interface Dependencies {
  readonly store: Store;
  readonly dialect: Dialect;
}

/** Plugin Priority, for classes: only one of them is the default. */
export function priorityClasses({ store, dialect }: Dependencies): Admission {
  const group = groupName(dialect, 'scheduling');
  return {
    name: 'Priority',
    concerns: onlyTypes(group, 'priorityclasses'),
    async validate({ operation, endpoint, object }) {
      const { type } = endpoint;
      if (type.group !== group || type.resource !== 'priorityclasses' || !object) return;
      if ((operation !== 'CREATE' && operation !== 'UPDATE') || asJson(object).globalDefault !== true) return;
      const name = object.metadata.name ?? '';
      const other = await defaultClass(store, group);
      if (other === undefined || (operation === 'UPDATE' && other === name)) return;
      const why = `PriorityClass ${other} is already marked as default. Only one default can exist`;
      throw forbidden(type, name, why);
    },
  };
}

/** No flag turns this off: the classes of the service itself stay. */
export function systemPriorities(dialect: Dialect): Admission {
  const group = groupName(dialect, 'scheduling');
  return {
    name: 'SystemPriorities',
    concerns: onlyTypes(group, 'priorityclasses'),
    validate({ operation, endpoint, oldObject }) {
      const { type } = endpoint;
      if (operation !== 'DELETE' || type.group !== group || type.resource !== 'priorityclasses') return;
      const name = oldObject?.metadata.name ?? '';
      if (!SYSTEM_PRIORITIES.some(([own]) => own === name)) return;
      throw forbidden(type, name, 'this is a system priority class and cannot be deleted');
    },
  };
}

async function defaultClass(store: Store, group: string): Promise<string | undefined> {
  const { entries } = await store.range({ prefix: collectionPrefix({ group, resource: 'priorityclasses' }) });
  for (const entry of entries) {
    try {
      if (asJson(entry.object).globalDefault === true) return entry.object.metadata.name;
    } catch (error) {
      if (!(error instanceof UnreadableObject)) throw error;
    }
  }
  return undefined;
}
