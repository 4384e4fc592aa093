import type { WatchStream } from './client/watchStream.ts';
import { unsupported } from './endings.ts';
import type { Query } from './kinds.ts';
import type { Target } from './target/target.ts';

/** The release from which streaming lists are a beta that is on by default (1/reading-watch-and-streaming-lists/2). */
const SINCE = 32;
/** Later releases of the real service in which the gate of that beta is off unless told. */
const OFF_AGAIN: readonly number[] = [33];

/**
 * Whether a release streams lists without being told.
 * In: the release as a target tells it, such as `1.32`; of one that tells none the text is asked for.
 */
export function streamsLists(release: string): boolean {
  const minor = Number(/^1\.(\d+)$/.exec(release)?.[1] ?? SINCE);
  return minor >= SINCE && !OFF_AGAIN.includes(minor);
}

/** Ends the check as unsupported where a target refuses to stream a list, and is of a release that has that off. */
export function heedStreaming({ opening }: WatchStream, query: Query, { release }: Pick<Target, 'release'>): void {
  const isAsked = query.sendInitialEvents === true && query.resourceVersionMatch === 'NotOlderThan';
  const isRefused = opening.status >= 400 && opening.status < 500;
  if (isAsked && isRefused && !streamsLists(release))
    unsupported(`streaming lists are off by default in release ${release}, and the target refuses them`);
}
