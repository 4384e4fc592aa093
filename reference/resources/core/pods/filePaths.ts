import { type FieldError, invalid } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';

/*
 * Paths of files inside volumes and containers, which must not lead out of them.
 */

/** A path without steps up. */
export function noStepsUp(text: string, path: FieldPath): FieldError[] {
  return text.split('/').includes('..') ? [invalid(path, text, "must not contain '..'")] : [];
}

/** A path that leads down from where it is used. */
export function descending(text: string, path: FieldPath): FieldError[] {
  const errors = text.startsWith('/') ? [invalid(path, text, 'must be a relative path')] : [];
  return [...errors, ...noStepsUp(text, path)];
}

/** The same, for paths beside which the service keeps names that begin with two dots. */
export function descendingUnreserved(text: string, path: FieldPath): FieldError[] {
  const errors = descending(text, path);
  if (text.startsWith('..') && !text.startsWith('../')) errors.push(invalid(path, text, "must not start with '..'"));
  return errors;
}
