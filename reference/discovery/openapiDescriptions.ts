import type { Field, ObjectSchema } from '../schema/schema.ts';

/** What the members mean that every object, or every list, has. */
export const COMMON = {
  apiVersion: 'The group and version of the schema that this object is written in. A server may convert it to another.',
  kind: 'The type of this object, in CamelCase. A server may infer it from where the object is sent, and it never changes.',
  metadata: 'What every object, or every list, tells of itself.',
  items: 'The objects of the list.',
  spec: 'How things should be.',
  status: 'How things were when they were last looked at. The system writes it.',
} as const;

/** What the fields of the common types mean, by type. */
const META: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'meta.v1.ObjectMeta': {
    name: 'Tells the object from others of its type in its namespace. It is given at creation and stays.',
    generateName: 'The beginning of a name that the server makes up, where no name is given.',
    namespace: 'The space in which the name is unique; empty for objects that belong to the whole cluster.',
    selfLink: 'No longer filled in.',
    uid: 'Tells the object from all others there have been, also of the same name. The server sets it.',
    resourceVersion: 'Changes whenever the object does. Clients hand it back as it is, to say which state they saw.',
    generation: 'Counts how often what is wanted has changed. The server sets it.',
    creationTimestamp: 'When the object was created. The server sets it.',
    deletionTimestamp: 'When the object is to go, once somebody has asked for its deletion. The server sets it.',
    deletionGracePeriodSeconds: 'Seconds that the object has to end in order before it is removed.',
    labels: 'Names and values to organize and select objects by.',
    annotations: 'Names and values that tools keep with the object; nothing is selected by them.',
    ownerReferences: 'Objects that this one belongs to. When all of them are gone, this one is collected.',
    finalizers: 'Who has something to do before the object may be removed. It stays until the list is empty.',
    managedFields: 'Which manager set which fields, kept by the server to tell conflicts.',
  },
  'meta.v1.ListMeta': {
    selfLink: 'No longer filled in.',
    resourceVersion: 'The version at which the list was true; a watch can begin there.',
    continue: 'Hand it back to be told the next part of the list; empty at its end.',
    remainingItemCount: 'About how many objects follow behind this part.',
  },
  'meta.v1.OwnerReference': {
    apiVersion: 'The group and version of the owner.',
    kind: 'The type of the owner.',
    name: 'The name of the owner.',
    uid: 'The uid of the owner.',
    controller: 'Whether the owner is the one that manages this object.',
    blockOwnerDeletion: 'Whether the owner, when it is deleted in the foreground, waits until this object is gone.',
  },
  'meta.v1.ManagedFieldsEntry': {
    manager: 'Who set the fields.',
    operation: 'How they were set: Apply or Update.',
    apiVersion: 'The version of the schema that the fields are named in.',
    time: 'When the manager last set or gave up a field.',
    fieldsType: 'How the fields are written; there is one way, FieldsV1.',
    fieldsV1: 'The fields, as a tree of their names.',
    subresource: 'The part of the object by which they were set; empty for the object itself.',
  },
};

/**
 * What a field of a built-in type means, where that is the same for all types.
 * @param owner the type that has the field
 */
export function describeField(owner: ObjectSchema, { name, schema }: Field): string | undefined {
  const meta = owner.name === undefined ? undefined : META[owner.name];
  if (meta) return Object.hasOwn(meta, name) ? meta[name] : undefined;
  if ((name === 'kind' || name === 'apiVersion') && owner.fields.has('metadata')) return COMMON[name];
  if (name === 'metadata' && schema.kind === 'object') return COMMON.metadata;
  if ((name === 'spec' || name === 'status') && schema.kind === 'object') return COMMON[name];
  return undefined;
}
