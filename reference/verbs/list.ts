import { departs } from '../../fixtures/follow.ts';
import type { Awaitable } from '../api/awaitable.ts';
import type { ListMeta } from '../api/object.ts';
import { badRequest, expired } from '../api/status.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Call, VerbHandler } from '../contracts/call.ts';
import type { Entry } from '../contracts/entry.ts';
import { isPending, RevisionCompacted, RevisionUnknown } from '../contracts/store.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';
import { noteRead } from '../objects/decisions.ts';
import { listComputed } from './computed.ts';
import { type Continuation, continuationExpired, decodeContinuation, encodeContinuation } from './continueToken.ts';
import { type AskedVersion, reached, readVersion, tooLarge } from './freshness.ts';
import { type ListOptions, readListOptions } from './listOptions.ts';
import { readSelected } from './selectEntries.ts';

/** Answers a collection, or a chunk of it (1/reading-resource-version-semantics/t2, 1/reading-chunked-lists). */
export const list: VerbHandler = async (call: Call): Promise<Answer> => {
  const { computed } = call.endpoint.type;
  if (computed) return listComputed(call, computed());
  const { metadata, entries } = await readCollection(call, readListOptions(call, 'list'));
  return { kind: 'list', code: 200, endpoint: call.endpoint, metadata, entries };
};

/**
 * Reads the collection of a call as its options say. Entries come in the order of their keys: by namespace, then
 * by name. Throws ApiError 400, 410 for a state that is no longer kept, 500 for an object that cannot be read,
 * 504 for a version that does not come.
 */
export async function readCollection(
  call: Call,
  options: ListOptions,
): Promise<{ readonly metadata: ListMeta; readonly entries: readonly Entry[] }> {
  const prefix = collectionPrefix(call.endpoint.type, call.exchange.info.namespace);
  const single = singleKey(call, options, prefix);
  const planning = planOf(call, options, single !== undefined);
  const plan = isPending(planning) ? await planning : planning;
  // The first chunk is read when its clock starts: a token must not promise more time than its state has.
  const since = plan.continuation?.since ?? call.services.clock.now();
  const limit = single === undefined ? limitOf(call, options) : 0;
  try {
    const reading = readSelected(call, options, {
      prefix: single ?? prefix,
      whole: single !== undefined,
      after: plan.continuation && prefix + plan.continuation.after,
      revision: plan.revision,
      limit,
    });
    const page = isPending(reading) ? await reading : reading;
    const metadata: ListMeta = { resourceVersion: String(page.revision) };
    if (call.endpoint.type.custom) metadata.continue = '';
    if (page.last !== undefined && page.remaining > 0) {
      const after = page.last.slice(prefix.length);
      metadata.continue = encodeContinuation(call, { revision: page.revision, after, since });
      if (options.everything) metadata.remainingItemCount = page.remaining;
    }
    noteRead(
      call.exchange,
      `${page.entries.length} read`,
      plan.continuation
        ? 'a continue token reads on in the state of the first chunk'
        : plan.revision === undefined
          ? 'the most recent state is read'
          : 'exactly this state is asked for',
      { revision: page.revision, remaining: page.remaining },
    );
    return { metadata, entries: page.entries };
  } catch (error) {
    if (error instanceof RevisionCompacted) {
      noteRead(call.exchange, 'compacted', 'the state asked for is older than the history that is kept', {
        asked: plan.revision ?? plan.asked?.revision,
      });
      if (plan.continuation) throw continuationExpired(call, plan.continuation);
      throw expired('The resourceVersion for the provided list is too old.');
    }
    if (error instanceof RevisionUnknown && plan.asked) throw tooLarge(plan.asked, error.current);
    throw error;
  }
}

/** Which state to read. */
interface Plan {
  /** Undefined: the newest. */
  readonly revision: number | undefined;
  readonly continuation?: Continuation;
  readonly asked?: AskedVersion;
}

function planOf(call: Call, options: ListOptions, single: boolean): Awaitable<Plan> {
  const { resourceVersion, resourceVersionMatch, continueToken, limit } = options;
  if (continueToken !== '') {
    const continuation = decodeContinuation(call, continueToken);
    if (resourceVersion !== '' && resourceVersion !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    if (isOver(call, continuation)) throw continuationExpired(call, continuation);
    return { revision: continuation.revision, continuation };
  }
  if (resourceVersion === '' || resourceVersion === '0') return { revision: undefined };
  const asked = readVersion(resourceVersion, (why) => badRequest(`invalid resource version: ${why}`));
  if (asked.revision === 0) return { revision: undefined };
  // Without a match, a limit makes the version exact: the chunks to come must all show that state.
  const exact = resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0 && !single);
  return reached(call, asked).then(() => ({ revision: exact ? asked.revision : undefined, asked }));
}

/** Tokens live as long as history does, whether or not anything changed meanwhile (CHUNK-TOKEN-01, 1/reading-chunked-lists/4). */
function isOver({ services }: Call, { revision, since }: Continuation): boolean {
  const { historyWindow } = services.store;
  return revision !== undefined && historyWindow !== undefined && services.clock.now() - since >= historyWindow;
}

/** The real service leaves a limit aside when any version will do. */
function limitOf({ services }: Call, { limit, resourceVersion, continueToken }: ListOptions): number {
  const any = resourceVersion === '0' && continueToken === '';
  return any && departs(services.follow, 'list-any-version-limit') ? 0 : limit;
}

/** The key of the only object that the selection can hold, where the selector names it; chunks make no sense then. */
function singleKey({ endpoint, exchange }: Call, options: ListOptions, prefix: string): string | undefined {
  if (options.continueToken !== '' || (endpoint.type.namespaced && exchange.info.namespace === '')) return undefined;
  const name = options.fieldSelector.exactly('metadata.name');
  return name ? prefix + name : undefined;
}
