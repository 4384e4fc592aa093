import type { Difference } from '../../reports/events.ts';
import { Exchange } from './client/exchange.ts';
import { waitingTime } from './evidence.ts';
import { difference, type Matcher } from './matching/matcher.ts';

/** What polling or waiting came to: handed to `must` or `ought`, which judge it. */
export interface Sighting<T> {
  readonly sighting: true;
  /** The last thing seen. */
  readonly subject: T;
  readonly allowed: readonly string[];
  /** Empty when the deadline was met. */
  readonly differences: readonly Difference[];
  readonly exchange?: number;
}
export function isSighting<T>(value: unknown): value is Sighting<T> {
  return typeof value === 'object' && value !== null && (value as { sighting?: unknown }).sighting === true;
}

export interface Patience {
  /** Milliseconds until we give up; 10 seconds unless told. */
  readonly within?: number;
}
/** How long a target may take for what it does by itself: generous, since slow is not wrong. */
export const DEFAULT_PATIENCE = 10_000;

/** @returns milliseconds until a check gives up. */
export function timeOf({ within = DEFAULT_PATIENCE }: Patience): number {
  return waitingTime(within, DEFAULT_PATIENCE);
}

/**
 * `should` polls: looks again and again until what it sees is allowed or the deadline passes. It returns either
 * way and never fails; give the result to `must`. Waits grow from 5 to 250 milliseconds between two looks.
 */
export async function should<T>(
  look: () => Promise<T>,
  matcher: Matcher<T>,
  patience: Patience = {},
): Promise<Sighting<T>> {
  const within = timeOf(patience);
  const deadline = performance.now() + within;
  for (let pause = 5; ; pause = Math.min(250, pause * 2)) {
    const subject = await look();
    const differences = matcher.differences(subject, '');
    const left = deadline - performance.now();
    if (differences.length === 0 || left <= 0) {
      const late = differences.length > 0 ? [lateness(within)] : [];
      return {
        sighting: true,
        subject,
        allowed: [matcher.allows],
        differences: [...differences, ...late],
        ...(subject instanceof Exchange ? { exchange: subject.number } : {}),
      };
    }
    await pauseFor(Math.min(pause, left));
  }
}

export function lateness(within: number): Difference {
  return difference('(deadline)', `within ${within} ms`, 'not seen in that time');
}
function pauseFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
