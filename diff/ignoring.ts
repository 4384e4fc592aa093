import type { Cause } from './cause.ts';

/** A difference that is known and wanted. */
export interface Ignored {
  /** Name of a cause; a star stands for any text. */
  readonly cause: string;
  readonly because: string;
}

/** Reads what a file of known differences holds. Throws one sentence where it is none. */
export function readIgnored(value: unknown): Ignored[] {
  if (!Array.isArray(value)) throw new Error('it is no list of differences');
  return value.map((entry: unknown, at) => {
    const { cause, because } = (entry ?? {}) as Partial<Record<keyof Ignored, unknown>>;
    if (typeof cause !== 'string' || cause === '') throw new Error(`its entry ${at + 1} names no cause`);
    if (typeof because !== 'string' || because === '')
      throw new Error(`its entry ${at + 1} does not say why (because)`);
    return { cause, because };
  });
}

/** Causes that nobody knew of, and entries that no cause fits any more. */
export function unknownTo(
  ignored: readonly Ignored[],
  causes: readonly Cause[],
): { unknown: Cause[]; stale: Ignored[] } {
  const fits = ({ cause }: Ignored, { name }: Cause) => patternOf(cause).test(name);
  return {
    unknown: causes.filter((cause) => !ignored.some((entry) => fits(entry, cause))),
    stale: ignored.filter((entry) => !causes.some((cause) => fits(entry, cause))),
  };
}

function patternOf(text: string): RegExp {
  const parts = text.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
