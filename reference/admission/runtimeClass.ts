import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { equalityKey, equalJson, type JsonObject } from '../api/json.ts';
import { asJson } from '../api/object.ts';
import { ensureObject, listOf, objectOf, textOf } from '../api/parts.ts';
import { forbidden } from '../api/status.ts';
import type { Admission, AdmissionAttributes } from '../contracts/admission.ts';
import type { Store } from '../contracts/store.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { onlyTypes } from './onlyTypes.ts';

/** Plugin RuntimeClass: pods get the overhead, node selector and tolerations of the class that they name. */
export function runtimeClass({ store, dialect }: { readonly store: Store; readonly dialect: Dialect }): Admission {
  const classes = { group: groupName(dialect, 'node'), resource: 'runtimeclasses' };
  const named = async (attributes: AdmissionAttributes): Promise<JsonObject | undefined> => {
    const name = textOf(objectOf(attributes.object?.spec).runtimeClassName);
    if (name === '') return undefined;
    const found = (await store.get(objectKey(classes, '', name)))?.object;
    if (!found) throw rejected(attributes, `RuntimeClass ${JSON.stringify(name)} not found`);
    return asJson(found);
  };
  return {
    name: 'RuntimeClass',
    concerns: onlyTypes('', 'pods'),
    async mutate(attributes) {
      if (!isNewPod(attributes) || !attributes.object) return;
      const found = await named(attributes);
      if (!found) return;
      const spec = ensureObject(attributes.object, 'spec');
      setOverhead(attributes, spec, objectOf(found.overhead).podFixed);
      setScheduling(attributes, spec, objectOf(found.scheduling));
    },
    async validate(attributes) {
      if (!isNewPod(attributes)) return;
      const { overhead } = objectOf(attributes.object?.spec);
      if (overhead === undefined || Object.keys(objectOf(overhead)).length === 0) return;
      const found = await named(attributes);
      const wanted = found && objectOf(found.overhead).podFixed;
      if (wanted === undefined)
        throw rejected(attributes, 'Pod overhead set without corresponding RuntimeClass defined Overhead');
      if (!equalJson(wanted, overhead))
        throw rejected(attributes, 'Pod has a defined overhead that does not match RuntimeClass defined Overhead');
    },
  };
}

function isNewPod({ operation, endpoint }: AdmissionAttributes): boolean {
  const { type, subresource } = endpoint;
  return operation === 'CREATE' && !subresource && type.group === '' && type.resource === 'pods';
}

function setOverhead(attributes: AdmissionAttributes, spec: JsonObject, fixed: JsonObject[string] | undefined): void {
  if (fixed === undefined) return;
  if (spec.overhead !== undefined && !equalJson(spec.overhead, fixed)) {
    throw rejected(attributes, "Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  }
  spec.overhead = fixed;
}

function setScheduling(attributes: AdmissionAttributes, spec: JsonObject, scheduling: JsonObject): void {
  const selector = objectOf(scheduling.nodeSelector);
  const own = objectOf(spec.nodeSelector);
  for (const [key, value] of Object.entries(selector)) {
    if (own[key] === undefined || own[key] === value) continue;
    throw rejected(
      attributes,
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${textOf(value)}; pod.spec.nodeSelector[${key}] = ${textOf(own[key])}`,
    );
  }
  if (Object.keys(selector).length > 0) spec.nodeSelector = { ...own, ...selector };
  const tolerations = listOf(spec.tolerations);
  const present = new Set(tolerations.map(equalityKey));
  const missing = listOf(scheduling.tolerations).filter((one) => !present.has(equalityKey(one)));
  if (missing.length > 0) spec.tolerations = [...tolerations, ...missing];
}

function rejected({ endpoint, object, name }: AdmissionAttributes, why: string) {
  return forbidden(
    endpoint.type,
    object?.metadata.name || object?.metadata.generateName || name || 'Unknown',
    `pod rejected: ${why}`,
  );
}
