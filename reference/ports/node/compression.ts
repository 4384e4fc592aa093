import { gunzipSync, gzipSync } from 'node:zlib';

/** Compresses at once. @param level 1 is the fastest, 9 the smallest */
export const gzip = (body: Uint8Array, level: number): Uint8Array => gzipSync(body, { level });

/** What was compressed. @throws Error where it was not */
export const gunzip = (body: Uint8Array): Uint8Array => gunzipSync(body);
