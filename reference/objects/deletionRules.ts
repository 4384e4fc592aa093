import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { isObject, type Json } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import type { ResourceType } from '../contracts/resourceType.ts';
import { formatTime } from '../time.ts';

/** A type whose first delete only marks the object, and leaves its end to a controller. */
export interface MarkedDeletion {
  /** Changes made by the first delete besides deletionTimestamp, in place; the object belongs to the caller. */
  readonly mark: (object: ApiObject, now: number) => void;
}

const NAMESPACE: MarkedDeletion = {
  mark: (object) => {
    object.status = { ...(isObject(object.status) ? object.status : {}), phase: 'Terminating' };
  },
};

/** The finalizer under which the objects of a custom type are deleted before its definition. */
export const CUSTOM_OBJECTS_FINALIZER = 'customresourcecleanup';

const definition = (dialect: Dialect): MarkedDeletion => ({
  mark: (object, now) => {
    const finalizer = `${CUSTOM_OBJECTS_FINALIZER}.${groupName(dialect, 'apiextensions')}`;
    const finalizers = object.metadata.finalizers ?? [];
    if (!finalizers.includes(finalizer)) object.metadata.finalizers = [...finalizers, finalizer];
    const status = isObject(object.status) ? object.status : {};
    const conditions = (Array.isArray(status.conditions) ? status.conditions : []).filter(
      (one) => !isObject(one) || one.type !== 'Terminating',
    );
    const terminating: Json = {
      type: 'Terminating',
      status: 'True',
      lastTransitionTime: formatTime(now),
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    };
    object.status = { ...status, conditions: [...conditions, terminating] };
  },
});

/** The rule of a type whose deletion begins with a mark; undefined for all others. */
export function markedDeletionOf(type: ResourceType, dialect: Dialect): MarkedDeletion | undefined {
  if (type.group === '' && type.resource === 'namespaces') return NAMESPACE;
  if (type.resource === 'customresourcedefinitions' && type.group === groupName(dialect, 'apiextensions')) {
    return definition(dialect);
  }
  return undefined;
}

/** Whether something besides metadata.finalizers keeps a deleting object: the finalizers in a namespace's spec. */
export function keptBy(type: ResourceType, object: ApiObject): boolean {
  if (type.group !== '' || type.resource !== 'namespaces') return false;
  const { spec } = asJson(object);
  return isObject(spec) && Array.isArray(spec.finalizers) && spec.finalizers.length > 0;
}
