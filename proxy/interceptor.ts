import type { Exchange } from './exchange.ts';

/**
 * Stands between client and server. Before `next` it sees the request, after it the answer; it may change both, call
 * `next` twice, or not at all and answer by itself.
 */
export type Interceptor = (exchange: Exchange, next: () => Promise<void>) => Promise<void>;

/** Takes an exchange through all of them, the first outermost, to the server behind. */
export async function intercept(interceptors: readonly Interceptor[], exchange: Exchange): Promise<void> {
  const step = async (index: number): Promise<void> => {
    const interceptor = interceptors[index];
    await (interceptor ? interceptor(exchange, () => step(index + 1)) : exchange.pass());
  };
  await step(0);
}
