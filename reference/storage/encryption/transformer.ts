/**
 * What stands between the bytes of an object and those that storage keeps: encryption at rest, or nothing. Durable
 * stores call `seal` before they keep the bytes of an object and `open` on what they read; `key` is the key of the
 * object as stores know it. Both answer at once, so that a store may open an entry only when it is asked for.
 */
export interface Transformer {
  /** Rises when bytes are opened in another way than before; unset: never. What was opened may be kept while it stays. */
  readonly generation?: number;
  seal(key: string, plain: Uint8Array): Uint8Array;
  /** @throws Error that says why the bytes cannot be read; the store makes an UnreadableObject of it */
  open(key: string, kept: Uint8Array): Opened;
}

export interface Opened {
  readonly plain: Uint8Array;
  /** `seal` would keep this object in another way today: the next write of it counts even if it changes nothing. */
  readonly stale: boolean;
}

/** Keeps bytes as they are. */
export const PLAIN: Transformer = {
  seal: (_key, plain) => plain,
  open: (_key, kept) => ({ plain: kept, stale: false }),
};

/** Whether bytes of an object that is known should be written anew; those that can no longer be opened should. */
export function isStale(transformer: Transformer, key: string, kept: Uint8Array): boolean {
  try {
    return transformer.open(key, kept).stale;
  } catch {
    return true;
  }
}
