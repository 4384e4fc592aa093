import { ApiError } from '../api/status.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Call, VerbHandler } from '../contracts/call.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';
import { noteRead } from '../objects/decisions.ts';
import { reached, readVersion } from './freshness.ts';
import { type ListOptions, readListOptions } from './listOptions.ts';
import { readSelected } from './selectEntries.ts';
import { type WatchStart, WatchStream } from './watchStream.ts';

/** Longest time that timers can wait. */
const LONGEST = 2 ** 31 - 1;

/**
 * Answers a stream of changes (1/reading-resource-version-semantics/t3, 1/reading-watch-and-streaming-lists).
 * Options that cannot be read or do not go together throw an ApiError; versions that are too old or do not come
 * are told on the stream.
 */
export const watch: VerbHandler = async (call: Call): Promise<Answer> => {
  const options = readListOptions(call, 'watch');
  const prefix = watchedPrefix(call, options);
  const start = await startOf(call, options, prefix);
  const lifetime = lifetimeOf(call, options);
  noteRead(call.exchange, 'watching', 'what is there is sent first, and every change after the revision', {
    after: start.after,
    initial: start.initial.length,
  });
  return {
    kind: 'watch',
    endpoint: call.endpoint,
    open: (sink) => new WatchStream(call.services, { options, prefix, start, lifetime }, sink).open(),
  };
};

/** The collection, or the key of the only object that the selection can hold. */
function watchedPrefix({ endpoint, exchange }: Call, { fieldSelector }: ListOptions): string {
  const { namespace } = exchange.info;
  const prefix = collectionPrefix(endpoint.type, namespace);
  const name = endpoint.type.namespaced && namespace === '' ? undefined : fieldSelector.exactly('metadata.name');
  return prefix + (name ?? '');
}

async function startOf(call: Call, options: ListOptions, prefix: string): Promise<WatchStart> {
  const { resourceVersion } = options;
  const { store } = call.services;
  const asked = readVersion(resourceVersion === '' ? '0' : resourceVersion, (why) => new ApiError(500, '', why));
  if (!options.sendInitialEvents) {
    const current = await store.revision();
    if (asked.revision === 0) return { initial: [], after: current, known: true };
    return { initial: [], after: asked.revision, known: asked.revision <= current };
  }
  if (asked.revision > 0) {
    try {
      await reached(call, asked);
    } catch (error) {
      if (error instanceof ApiError) return { initial: [], after: asked.revision, known: false, refusal: error };
      throw error;
    }
  }
  const page = await readSelected(call, options, {
    prefix,
    whole: false,
    after: undefined,
    revision: undefined,
    limit: 0,
  });
  return { initial: page.entries, after: page.revision, known: true };
}

/** How long the stream may last, in milliseconds: as asked, else by chance, so that many watches do not end at once. */
function lifetimeOf({ services }: Call, { timeoutSeconds }: ListOptions): number {
  if (timeoutSeconds) return Math.min(LONGEST, Math.max(0, timeoutSeconds * 1_000));
  const [a = 0, b = 0] = services.random.bytes(2);
  return Math.floor(services.shortestWatch * (1 + (a * 256 + b) / 65_536));
}
