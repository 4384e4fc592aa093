import { type FieldError, invalid, tooLong } from '../api/fieldError.ts';
import type { FieldPath } from '../api/fieldPath.ts';

/** Bytes that the name of a field manager may have. */
const LONGEST_MANAGER = 128;
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
/** All that is printable among the characters of one byte; most names have no others. */
const PLAIN = /^[ -~]*$/;
const UNKNOWN_MANAGER = 'unknown';

/** Checks the name of a field manager: at most 128 bytes, printable characters only. */
export function validateManager(name: string, path: FieldPath): FieldError[] {
  if (name.length <= LONGEST_MANAGER && PLAIN.test(name)) return [];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(name) > LONGEST_MANAGER) errors.push(tooLong(path, LONGEST_MANAGER));
  let position = 0;
  for (const character of name) {
    if (!PRINTABLE.test(character)) {
      const code = (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalid(path, name, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}

/**
 * Who owns the fields of a write (1/server-side-apply-rules/2): the parameter, else the User-Agent up to its first
 * slash as far as it is printable and fits, else `unknown`.
 */
export function managerOf(parameter: string, userAgent: string | undefined): string {
  if (parameter) return parameter;
  const [agent = ''] = (userAgent ?? '').split('/', 1);
  if (agent.length <= LONGEST_MANAGER && PLAIN.test(agent)) return agent || UNKNOWN_MANAGER;
  let name = '';
  let bytes = 0;
  for (const character of agent) {
    if (!PRINTABLE.test(character)) continue;
    bytes += Buffer.byteLength(character);
    if (bytes > LONGEST_MANAGER) break;
    name += character;
  }
  return name || UNKNOWN_MANAGER;
}
