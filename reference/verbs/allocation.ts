import type { ApiObject } from '../api/object.ts';
import type { WriteRequest, Written } from './writeRequest.ts';
import { strategyOf } from './writeRequest.ts';

/**
 * Runs the last stages of a write with what the type takes from the service for it (addresses, ports) filled in.
 * What was taken is given back when the write stores nothing, for whatever reason.
 * @param before the state in the store that the write changes; undefined for a new object
 * @throws what the allocation or the write throws
 */
export async function withAllocation<T extends Written | undefined>(
  request: WriteRequest,
  object: ApiObject,
  before: { readonly object: ApiObject } | undefined,
  write: () => Promise<T>,
): Promise<T> {
  const { allocate } = strategyOf(request.endpoint);
  if (!allocate) return write();
  const { store, random } = request.services;
  const run = async () => {
    const settle = await allocate(object, before?.object, { store, random, dryRun: request.options.dryRun });
    let stored = false;
    try {
      const written = await write();
      stored = written?.entry !== undefined && written.entry !== before;
      return written;
    } finally {
      settle?.(stored);
    }
  };
  if (request.options.dryRun || !store.exclusively) return run();
  // Another server takes nothing until it knows what this one took.
  return store.exclusively(request.endpoint.type.resource, run);
}
