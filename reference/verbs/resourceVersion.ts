import { ApiError } from '../api/status.ts';

const DECIMAL = /^[0-9]+$/;

/**
 * A resourceVersion that a client gave with an object, as a number; 0 means none. A text that is no number throws
 * the ApiError that the service gives, unless `otherwise` says what it counts as.
 */
export function parseVersion(text: string | undefined, otherwise?: number): number {
  if (!text) return 0;
  if (DECIMAL.test(text)) return Number(text);
  if (otherwise !== undefined) return otherwise;
  throw new ApiError(500, '', `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`);
}
