import { gunzipSync, gzipSync } from 'fflate';

const LEVELS = 9;

/** Compresses. @param level 1 is the fastest, 9 the smallest */
export const gzip = async (body: Uint8Array, level: number): Promise<Uint8Array> =>
  gzipSync(body, { level: Math.min(LEVELS, Math.max(0, level)) as 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9, mtime: 0 });

/** What was compressed. @throws Error where it was not */
export const gunzip = (body: Uint8Array): Uint8Array => gunzipSync(body);
