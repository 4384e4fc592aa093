import { isObject, type JsonObject } from '../../reference/api/json.ts';
import type { StoreWrite } from '../../reference/contracts/store.ts';
import type { Seams } from '../../reference/seams.ts';
import { onCommit } from '../alter.ts';
import { onFrames, onValues } from '../asking.ts';
import { combined, type Twin } from './twin.ts';

/** What stands in objects beside what their writer said. */
export const OBJECTS: readonly Twin[] = [
  {
    id: 'uids-of-another-form',
    by: ['1/common-object-metadata/t1.8'],
    sentence: 'The uid of an object has no dashes and begins with a word.',
    side: 'a',
    choice: () =>
      onNew((metadata) => {
        if (typeof metadata.uid === 'string' && metadata.uid.includes('-'))
          metadata.uid = `object:${metadata.uid.replaceAll('-', '')}`;
      }),
  },
  {
    id: 'an-annotation-of-admission',
    by: ['1/dry-run/4'],
    sentence: 'Admission gives each new object an annotation.',
    side: 'b',
    choice: () => ({
      admission: (chain) => ({
        ...chain,
        mutate: async (attributes) => {
          const { object, operation } = attributes;
          const { version, subresource } = attributes.endpoint;
          // Reviews and the like are not stored.
          if (operation === 'CREATE' && object && !subresource && version.verbs.includes('get')) {
            object.metadata.annotations = { ...object.metadata.annotations, 'twin.example/admitted': 'yes' };
          }
          await chain.mutate(attributes);
        },
      }),
    }),
  },
  {
    id: 'generations-of-everything',
    by: ['1/common-object-metadata/p1'],
    sentence: 'Each object that is created has a generation.',
    side: 'a',
    choice: () =>
      onNew((metadata) => {
        metadata.generation ??= 1;
      }),
  },
  {
    id: 'owners-in-the-order-of-their-names',
    by: ['1/common-object-metadata/t1.11'],
    sentence: 'The records of field ownership are sorted by the names of the managers.',
    side: 'a',
    // Not where they are stored: a write that changes nothing else has to stay one.
    choice: () =>
      combined([
        onValues((body) => {
          for (const object of [body, ...(Array.isArray(body.items) ? body.items : [])]) sortOwners(object);
        }),
        onFrames(({ object }) => sortOwners(object)),
      ]),
  },
];

function sortOwners(object: unknown): void {
  if (!isObject(object) || !isObject(object.metadata) || !Array.isArray(object.metadata.managedFields)) return;
  const nameOf = (entry: unknown) => (isObject(entry) ? String(entry.manager) : '');
  object.metadata.managedFields.sort((x, y) => nameOf(x).localeCompare(nameOf(y), 'en'));
}

function onStored(change: (metadata: JsonObject, write: StoreWrite) => void): Seams {
  return onCommit((write) => {
    if (write.object === null) return write;
    const metadata = { ...write.object.metadata };
    change(metadata as JsonObject, write);
    return { ...write, object: { ...write.object, metadata } };
  });
}
const onNew = (change: (metadata: JsonObject) => void): Seams =>
  onStored((metadata, { expected }) => {
    if (expected === 0) change(metadata);
  });
