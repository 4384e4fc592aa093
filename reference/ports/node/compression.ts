import { promisify } from 'node:util';
import { gunzipSync, gzip as gzipLater } from 'node:zlib';

const compressed = promisify<Uint8Array, { level: number }, Uint8Array>(gzipLater);

/** Compresses beside whatever else there is to do. @param level 1 is the fastest, 9 the smallest */
export const gzip = (body: Uint8Array, level: number): Promise<Uint8Array> => compressed(body, { level });

/** What was compressed. @throws Error where it was not */
export const gunzip = (body: Uint8Array): Uint8Array => gunzipSync(body);
