import type { ApiObject } from '../api/object.ts';
import { onCommit, onReplies, onVerbs, withBody, withQuery } from './alter.ts';
import type { Mutant } from './mutant.ts';

/** Writes that lose, invent or keep what they should not. */
export const WRITING: readonly Mutant[] = [
  {
    id: 'conflict-becomes-last-write-wins',
    breaks: ['UPDATE-VERSION-02'],
    sentence: 'A PUT with a stale resourceVersion overwrites what others wrote.',
    seams: onVerbs(['update'], (call, serve) =>
      serve(
        withBody(call, (body) => {
          const metadata = body.metadata as Record<string, never> | undefined;
          if (metadata) delete metadata.resourceVersion;
        }),
      ),
    ),
  },
  {
    id: 'delete-ignores-finalizers',
    breaks: ['DELETE-PHASE-01'],
    sentence: 'A delete removes an object at once although it has finalizers.',
    seams: onCommit((change) => (change.object?.metadata.deletionTimestamp ? { ...change, object: null } : change)),
  },
  {
    id: 'generated-names-repeat',
    breaks: ['META-GENERATE-01'],
    sentence: 'Every name made from the same generateName is the same.',
    seams: onVerbs(['create'], (call, serve) =>
      serve(
        withBody(call, (body) => {
          const metadata = body.metadata as { name?: string; generateName?: string } | undefined;
          if (metadata?.generateName && !metadata.name) metadata.name = `${metadata.generateName}xxxxx`;
        }),
      ),
    ),
  },
  {
    id: 'uids-repeat',
    breaks: ['META-UID-01'],
    sentence: 'Every object has the same uid.',
    seams: onCommit((change) =>
      change.object
        ? { ...change, object: withMetadata(change.object, { uid: '00000000-0000-4000-8000-000000000000' }) }
        : change,
    ),
  },
  {
    id: 'creation-time-moves',
    breaks: ['META-CREATED-01'],
    sentence: 'Every write sets creationTimestamp again, a day ahead.',
    seams: onCommit((change) =>
      change.object && change.expected > 0
        ? { ...change, object: withMetadata(change.object, { creationTimestamp: '2099-01-01T00:00:00Z' }) }
        : change,
    ),
  },
  {
    id: 'dry-run-stores',
    breaks: ['DRYRUN-CREATE-01'],
    sentence: 'A create with dryRun=All stores the object.',
    seams: onVerbs(['create'], (call, serve) => serve(withQuery(call, (query) => query.delete('dryRun')))),
  },
  {
    id: 'dry-run-deletes',
    breaks: ['DRYRUN-DELETE-01'],
    sentence: 'A DELETE with dryRun=All deletes the object.',
    seams: onVerbs(['delete'], (call, serve) => serve(withQuery(call, (query) => query.delete('dryRun')))),
  },
  {
    id: 'strict-only-warns',
    breaks: ['FIELDS-STRICT-01'],
    sentence: 'fieldValidation=Strict accepts unknown fields.',
    seams: onVerbs(['create', 'update', 'patch'], (call, serve) =>
      serve(withQuery(call, (query) => query.set('fieldValidation', 'Ignore'))),
    ),
  },
  {
    id: 'warning-header-missing',
    breaks: ['FIELDS-WARN-01'],
    sentence: 'No answer has a Warning header.',
    seams: onReplies((reply) => {
      const { warning: _, ...headers } = reply.headers;
      return { ...reply, headers };
    }),
  },
  {
    id: 'apply-always-forces',
    breaks: ['APPLY-CONFLICT-01'],
    sentence: 'An apply takes fields from other managers without a conflict.',
    seams: onVerbs(['patch'], (call, serve) => serve(withQuery(call, (query) => query.set('force', 'true')))),
  },
];

function withMetadata(object: ApiObject, changed: Partial<ApiObject['metadata']>): ApiObject {
  return { ...object, metadata: { ...object.metadata, ...changed } };
}
