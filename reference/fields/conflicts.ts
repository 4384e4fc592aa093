import { byteOrder } from '../api/byteOrder.ts';
import { ApiError, type StatusCause } from '../api/status.ts';
import { quoteString } from '../codecs/jsonText.ts';
import { type FieldSet, paths } from './fieldSet.ts';
import { type Owner, ownerKey } from './managers.ts';
import type { MergeTrace } from './mergeTrace.ts';
import { describePath } from './pathElement.ts';

/** Fields that an apply changes although somebody else owns them. */
export interface Conflict {
  readonly owner: Owner;
  readonly fields: FieldSet;
}

/**
 * The refusal of an apply that is not forced (1/server-side-apply-rules/4): 409 with one cause a field and owner. The
 * trace tells what the merge had decided.
 */
export class OwnershipConflict extends ApiError {
  readonly trace: MergeTrace;

  constructor(conflicts: readonly Conflict[], trace: MergeTrace) {
    const sorted = [...conflicts].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
    const found = sorted.map(({ owner, fields }) => ({
      owner: describeOwner(owner),
      fields: [...paths(fields)].map(describePath),
    }));
    const causes: StatusCause[] = found.flatMap(({ owner, fields }) =>
      fields.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${owner}`, field })),
    );
    super(409, 'Conflict', messageOf(found, causes.length), { causes });
    this.trace = trace;
  }
}

function sortKey({ owner }: Conflict): string {
  return byteOrder(ownerKey(owner));
}

function messageOf(found: readonly { owner: string; fields: readonly string[] }[], count: number): string {
  if (count === 1) return `Apply failed with 1 conflict: conflict with ${found[0]?.owner}: ${found[0]?.fields[0]}`;
  const lines = found.flatMap(({ owner, fields }) => [
    `conflicts with ${owner}:`,
    ...fields.map((field) => `- ${field}`),
  ]);
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`;
}

/** An owner as messages name it: its version only where it updates. */
export function describeOwner({ manager, operation, apiVersion, subresource }: Owner): string {
  const through = subresource ? ` with subresource ${quoteString(subresource)}` : '';
  const using = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${quoteString(manager)}${through}${using}`;
}
