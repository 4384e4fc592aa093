import type { ApiError } from '../api/status.ts';

const HEAD = /^\S+ in version "[^"]*" cannot be handled as a [^:]+: /;

/** Why a value could not be decoded, without the words around it that name the kind. */
export function reasonOf(error: ApiError): string {
  return error.message.replace(HEAD, '');
}
