/** The library that asks over HTTP. */
export const loadHttpClient = () => import('undici');
