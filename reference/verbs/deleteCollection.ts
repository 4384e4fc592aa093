import { invalid } from '../api/fieldError.ts';
import { FieldPath } from '../api/fieldPath.ts';
import { othersTurn } from '../api/staged.ts';
import { ApiError } from '../api/status.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Call } from '../contracts/call.ts';
import type { Entry } from '../contracts/entry.ts';
import { invalidOptions } from '../objects/writeOptions.ts';
import { FORCE, readDeleteOptions } from './deleteOptions.ts';
import { deleteObject } from './deletion.ts';
import { readCollection } from './list.ts';
import { readListOptions } from './listOptions.ts';
import { readStored } from './storeFaults.ts';

/** Objects that are deleted in one turn. */
const PER_TURN = 64;

/**
 * DELETE of a collection (1/verbs/b2): deletes what the selectors, the limit and the token choose, one after the
 * other, and answers 200 with the list of it as it was. Throws ApiError; what was deleted before stays deleted.
 */
export async function deleteCollection(call: Call): Promise<Answer> {
  const { services, exchange, endpoint } = call;
  const selection = readListOptions(call, 'list');
  const options = await readDeleteOptions(call);
  if (options.ignoreStoreReadError) {
    const detail = 'is not allowed with DELETECOLLECTION, try again after removing the option';
    throw invalidOptions(services.dialect, 'DeleteOptions', [invalid(FieldPath.of(FORCE), true, detail)]);
  }
  const { metadata, entries } = await readCollection(call, selection);
  let passed = 0;
  for (const entry of entries) {
    // Who has gone away or was answered that it took too long wants no more of them deleted.
    if (++passed % PER_TURN === 0) await othersTurn(exchange);
    const { namespace = '', name = '' } = readStored(entry as Entry).metadata;
    try {
      await deleteObject({ services, exchange, endpoint, namespace, name, options, admissionName: '' });
    } catch (error) {
      // Somebody else was faster.
      if (!(error instanceof ApiError && error.reason === 'NotFound')) throw error;
    }
  }
  return { kind: 'list', code: 200, endpoint, metadata, entries };
}
