import type { Exchange } from '../../harness/index.ts';
import { isRecord, match } from '../../harness/index.ts';

/** Part of an owner in words: `author Apply`, and `author Apply status` through a subresource. */
function ownerIn(entry: Readonly<Record<string, unknown>>): string {
  return [entry.manager, entry.operation, entry.subresource].filter(Boolean).join(' ');
}

/** The entries of `metadata.managedFields` of an object; none where there are none. */
export function entriesIn(object: unknown): readonly Readonly<Record<string, unknown>>[] {
  const metadata = isRecord(object) ? object.metadata : undefined;
  const entries = isRecord(metadata) ? metadata.managedFields : undefined;
  return Array.isArray(entries) ? entries.filter(isRecord) : [];
}

/** Whether something is written as fields are: maps down to its leaves, which are empty ones. */
export function isFields(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isFields);
}

/**
 * Who has an entry that holds the field, or something below it. Only names of fields are promised to be readable.
 * @param path names with dots between them, or one by one where they have dots themselves.
 */
export function ownersIn(object: unknown, path: string | readonly string[]): string[] {
  const names = typeof path === 'string' ? path.split('.') : path;
  const holds = ({ fieldsV1 }: Readonly<Record<string, unknown>>) => {
    const inner = names.reduce<unknown>(
      (at, name) => (isRecord(at) && Object.hasOwn(at, `f:${name}`) ? at[`f:${name}`] : undefined),
      fieldsV1,
    );
    return inner !== undefined;
  };
  return entriesIn(object).filter(holds).map(ownerIn);
}

/**
 * That exactly these own a field of the object answered: `owned('data.a', 'author Apply')`, nobody where none is
 * named. An owner is told as manager, operation and, where there is one, subresource.
 */
export function owned(path: string, ...owners: readonly string[]): match.Matcher<Exchange> {
  const inner = match.sameItems(owners);
  return {
    allows: owners.length === 0 ? `${path} owned by nobody` : `${path} owned by ${owners.join(' and ')} alone`,
    differences: (exchange) => inner.differences(ownersIn(exchange.json, path), `owners of ${path}`),
  };
}

/** That these are all who have an entry in the object answered. */
export function managed(...owners: readonly string[]): match.Matcher<Exchange> {
  const inner = match.sameItems(owners);
  return {
    allows: `entries of ${owners.join(' and ') || 'nobody'} alone`,
    differences: (exchange) => inner.differences(entriesIn(exchange.json).map(ownerIn), 'metadata.managedFields'),
  };
}
