export const hostname = (): string => 'browser';
export const platform = 'browser';
export const architecture = 'wasm';
/** What runs this code; a tab is told as little of it as any page. */
export const runtime = 'browser';
