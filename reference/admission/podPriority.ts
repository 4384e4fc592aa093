import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { groupName } from '../../fixtures/dialects/dialect.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import { forbidden } from '../api/status.ts';
import type { Admission, AdmissionAttributes } from '../contracts/admission.ts';
import type { Store } from '../contracts/store.ts';
import { collectionPrefix, objectKey } from '../contracts/storeKeys.ts';
import { onlyTypes } from './onlyTypes.ts';

const DEFAULT_POLICY = 'PreemptLowerPriority';

/**
 * Gives pods the number behind their priority class, or behind the default one; without any it is 0. A class that is
 * missing is refused (403).
 */
export function podPriority({ store, dialect }: { readonly store: Store; readonly dialect: Dialect }): Admission {
  const classes = { group: groupName(dialect, 'scheduling'), resource: 'priorityclasses' };
  const named = async (name: string): Promise<ApiObject | undefined> =>
    (await store.get(objectKey(classes, '', name)))?.object;
  const byDefault = async (): Promise<ApiObject | undefined> => {
    const { entries } = await store.range({ prefix: collectionPrefix(classes) });
    return entries.map((entry) => entry.object).find((one) => asJson(one).globalDefault === true);
  };
  return {
    name: 'Priority',
    concerns: onlyTypes('', 'pods'),
    async mutate({ operation, endpoint, object, name }: AdmissionAttributes): Promise<void> {
      const { type, subresource } = endpoint;
      if (operation !== 'CREATE' || subresource || type.group !== '' || type.resource !== 'pods' || !object) return;
      const spec: JsonObject = isObject(object.spec) ? object.spec : {};
      object.spec = spec;
      const asked = typeof spec.priorityClassName === 'string' ? spec.priorityClassName : '';
      const found = asked ? await named(asked) : await byDefault();
      if (asked && !found) {
        throw forbidden(type, name || 'Unknown', `no PriorityClass with name ${asked} was found`);
      }
      const value = found ? (asJson(found).value ?? 0) : 0;
      if (spec.priority !== undefined && spec.priority !== value) {
        throw forbidden(
          type,
          name || 'Unknown',
          `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
        );
      }
      if (found?.metadata.name) spec.priorityClassName = found.metadata.name;
      spec.priority = value;
      spec.preemptionPolicy ??= (found && asJson(found).preemptionPolicy) ?? DEFAULT_POLICY;
    },
  };
}
