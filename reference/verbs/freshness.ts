import { IntegerError, readUint64 } from '../api/integer.ts';
import { ApiError } from '../api/status.ts';
import type { Call } from '../contracts/call.ts';
import type { Watcher } from '../contracts/store.ts';

/** A resourceVersion that a read asks for. */
export interface AskedVersion {
  /** As the client meant it; may be larger than any version a store can have. */
  readonly value: bigint;
  /** For the store; imprecise only where the version cannot exist yet. */
  readonly revision: number;
}

/** Reads a resourceVersion (1/reading-resource-version-semantics/p1). @throws the error that `refuse` makes */
export function readVersion(text: string, refuse: (why: string) => ApiError): AskedVersion {
  try {
    const value = readUint64(text);
    return { value, revision: Number(value) };
  } catch (error) {
    if (!(error instanceof IntegerError)) throw error;
    throw refuse(`resourceVersion: Invalid value: ${JSON.stringify(text)}: ${error.message}`);
  }
}

/** How long a read waits for a version of the future, in milliseconds. */
const PATIENCE = 3_000;

/**
 * Waits until the store has reached a version, but not long
 * (1/reading-resource-version-semantics/p6). Throws ApiError 504 when it does not come.
 */
export async function reached({ services, exchange }: Call, asked: AskedVersion): Promise<void> {
  const { store, clock } = services;
  const current = await store.revision();
  if (asked.revision <= current) return;
  const { signal } = exchange.request;
  let watcher: Watcher | undefined;
  const came = await new Promise<boolean>((resolve) => {
    const settle = (result: boolean) => {
      timer.cancel();
      signal.removeEventListener('abort', gone);
      resolve(result);
    };
    const gone = () => settle(false);
    const look = (revision: number) => {
      if (revision >= asked.revision) settle(true);
    };
    const timer = clock.after(PATIENCE, () => settle(false));
    signal.addEventListener('abort', gone);
    watcher = store.watch('', current, {
      event: ({ revision }) => look(revision),
      progress: look,
      failed: gone,
    });
  });
  watcher?.cancel();
  if (!came) throw tooLarge(asked, await store.revision());
}

/** The version asked for did not come in time (1/errors/t1.7). */
export function tooLarge({ value }: AskedVersion, current: number): ApiError {
  return new ApiError(504, 'Timeout', `Timeout: Too large resource version: ${value}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}
