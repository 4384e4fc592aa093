import type { ManagedFieldsEntry } from '../api/object.ts';
import { NO_FIELDS } from '../fields/fieldSet.ts';
import { decodeEntries } from '../fields/managers.ts';
import type { Seams } from '../seams.ts';
import { onReplies } from './alter.ts';
import type { Mutant } from './mutant.ts';
import { onApply, onUpdate, reowned, withOwners } from './onOwnership.ts';

const BLANK: ManagedFieldsEntry[] = [{}];
const isClearing = (entries: readonly ManagedFieldsEntry[] | undefined) =>
  entries?.length === 1 && Object.keys(entries[0] as object).length === 0;

/** Who is recorded as owning what, and what becomes of the records. */
export const RECORDING: readonly Mutant[] = [
  {
    id: 'applies-are-recorded-as-updates',
    breaks: ['APPLY-MANAGER-02'],
    sentence: 'An apply leaves a record as any other write does.',
    seams: onApply((asked, serve) =>
      withOwners(serve(asked), (owners) => [...owners.values()].map((each) => ({ ...each, operation: 'Update' }))),
    ),
  },
  {
    id: 'updates-share',
    breaks: ['APPLY-UPDATE-01'],
    sentence: 'A field that a PUT or patch changes stays with those who owned it, beside the writer.',
    seams: onUpdate((asked, serve) => {
      const known = decodeEntries(asked.live?.metadata.managedFields);
      return reowned(serve(asked), (owners) => new Map([...owners, ...known]).values());
    }),
  },
  {
    id: 'updates-take-everything',
    breaks: ['APPLY-UPDATE-02'],
    sentence: 'Who writes by PUT or patch owns the whole object.',
    seams: onUpdate((asked, serve) => serve({ ...asked, live: undefined })),
  },
  {
    id: 'only-applies-are-recorded',
    breaks: ['META-MANAGED-01'],
    sentence: 'Writes other than applies leave no record.',
    seams: onUpdate((asked, serve) =>
      reowned(serve(asked), (owners) => [...owners.values()].filter(({ operation }) => operation === 'Apply')),
    ),
  },
  {
    id: 'records-have-another-form',
    breaks: ['META-MANAGED-02'],
    sentence: 'Records call their form Fields.',
    seams: onReplies((reply) => ({ ...reply, body: renamed(reply.body) })),
  },
  {
    id: 'subresources-share-a-record',
    breaks: ['APPLY-SUBRESOURCE-01'],
    sentence: 'What is written through a subresource is recorded as if through the object.',
    seams: onUpdate((asked, serve) => serve({ ...asked, context: { ...asked.context, subresource: '' } })),
  },
  {
    id: 'records-cannot-be-cleared',
    breaks: ['APPLY-CLEAR-01'],
    sentence: 'A list of one empty entry leaves the records as they are.',
    seams: onUpdate((asked, serve) => serve({ ...asked, next: recorded(asked.next, isClearing, undefined) })),
  },
  {
    id: 'empty-list-clears',
    breaks: ['APPLY-CLEAR-02'],
    sentence: 'An empty list clears the records.',
    seams: onUpdate((asked, serve) =>
      serve({ ...asked, next: recorded(asked.next, (entries) => entries?.length === 0, BLANK) }),
    ),
  },
  {
    id: 'clearing-leaves-no-owner',
    breaks: ['APPLY-CLEAR-03'],
    sentence: 'Nobody owns what a request changes beside clearing the records.',
    seams: onUpdate((asked, serve) => serve({ ...asked, context: { ...asked.context, follow: 'service' } })),
  },
  {
    id: 'cleared-records-come-back',
    breaks: ['APPLY-CLEAR-04'],
    sentence: 'The first apply after the records were cleared finds them again.',
    seams: comingBack(),
  },
  {
    id: 'idle-managers-stay',
    breaks: ['APPLY-HANDOVER-01'],
    sentence: 'A manager that owns nothing any more keeps an empty record.',
    seams: onUpdate((asked, serve) => {
      const idle = [...decodeEntries(asked.live?.metadata.managedFields)].map(
        ([key, owner]) => [key, { ...owner, fields: NO_FIELDS }] as const,
      );
      return reowned(serve(asked), (owners) => new Map([...idle, ...owners]).values());
    }),
  },
];

function recorded<Kept extends { metadata: { managedFields?: ManagedFieldsEntry[] } }>(
  object: Kept,
  when: (entries: readonly ManagedFieldsEntry[] | undefined) => boolean,
  entries: ManagedFieldsEntry[] | undefined,
): Kept {
  const { managedFields, ...metadata } = object.metadata;
  if (!when(managedFields)) return object;
  return { ...object, metadata: entries ? { ...metadata, managedFields: entries } : metadata };
}

function renamed(body: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(body).toString('utf8').replaceAll('"fieldsType":"FieldsV1"', '"fieldsType":"Fields"'));
}

function comingBack(): Seams {
  return {
    ownership: ({ apply, update }) => {
      const lost = new Map<string, ManagedFieldsEntry[]>();
      return {
        update: (live, next, ...rest) => {
          const made = update(live, next, ...rest);
          const { uid = '', managedFields } = live?.metadata ?? {};
          if (managedFields && !made.metadata.managedFields) lost.set(uid, managedFields);
          return made;
        },
        apply: (live, ...rest) => {
          const managedFields = live?.metadata.managedFields ?? lost.get(live?.metadata.uid ?? '');
          return apply(live && { ...live, metadata: { ...live.metadata, managedFields } }, ...rest);
        },
      };
    },
  };
}
