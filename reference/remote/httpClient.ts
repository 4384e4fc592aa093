let loaded: Promise<typeof import('undici')> | undefined;

/** The HTTP client, loaded with the first question to somebody else: it is large, and most servers ask nobody. */
export function httpClient(): Promise<typeof import('undici')> {
  loaded ??= import('undici');
  return loaded;
}
