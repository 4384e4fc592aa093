/** A value that may be there already: memory answers at once, disk and network later. */
export type Awaitable<T> = T | Promise<T>;
