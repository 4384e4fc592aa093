import { type Day, monthsAfter } from './calendar.ts';
import type { Release } from './history.ts';

/** A time as the policy says it: so many months or so many minor releases, whichever is longer. */
export interface Span {
  readonly months: number;
  readonly releases: number;
}

/** The moment from which both parts of a span have passed. */
export interface Passed {
  /** The first release of the history at which they have; `undefined` where the history ends before. */
  readonly release: Release | undefined;
  readonly months: Day;
  /** Place of the release at which the releases have passed, whether the history has it or not. */
  readonly place: number;
}

/** The first release at which a span has passed since another. */
export function passed(releases: readonly Release[], since: Release, span: Span): Passed {
  const months = monthsAfter(since.date, span.months);
  const place = since.place + span.releases;
  return { months, place, release: releases.find((each) => each.place >= place && each.date >= months) };
}

/**
 * The last release that comes no later than a span after another.
 * Out: `undefined` where the history ends before the span does, so that nothing can be said yet.
 */
export function lastWithin(releases: readonly Release[], since: Release, span: Span): Release | undefined {
  const months = monthsAfter(since.date, span.months);
  const counted = releases[since.place + span.releases];
  const last = releases.at(-1);
  if (!counted || !last) return undefined;
  const limit = [counted.date, months].sort()[1] as Day;
  return last.date < limit ? undefined : releases.findLast(({ date }) => date <= limit);
}

/** A span in words: `9 months and 3 releases`. */
export function spanText({ months, releases }: Span): string {
  const parts = [count(months, 'month'), count(releases, 'release')].filter((part) => part !== '');
  return parts.join(' and ') || 'no time';
}

function count(number: number, what: string): string {
  return number === 0 ? '' : `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** When a span has passed, for a reader: the release, or what the release to come has to be. */
export function passedText({ release, months, place }: Passed, since: Release): string {
  if (release) return `${release.name} (${release.date})`;
  const releases = place - since.place;
  const after = releases > 0 ? `, and at least ${count(releases, 'release')} after ${since.name}` : '';
  return `a release on or after ${months}${after}`;
}
