import { type FieldError, invalid, required } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import { dns1035Label } from '../../api/nameRules.ts';
import type { Names } from './definition.ts';

const MIXED = 'may have mixed case, but should otherwise match: ';

/** What every set of names must obey, wanted or accepted; empty ones are passed over. */
export function validateNames(names: Names, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const check = (at: FieldPath, name: string, prefix = ''): void => {
    const faults = dns1035Label(prefix ? name.toLowerCase() : name);
    if (name !== '' && faults.length > 0) errors.push(invalid(at, name, prefix + faults.join(',')));
  };
  const { plural, singular, kind, listKind, shortNames, categories } = names;
  check(path.child('plural'), plural);
  check(path.child('singular'), singular);
  check(path.child('kind'), kind, MIXED);
  check(path.child('listKind'), listKind, MIXED);
  for (const [index, name] of shortNames.entries()) checkEven(path.child('shortNames').index(index), name, errors);
  if (kind !== '' && kind === listKind) {
    errors.push(invalid(path.child('listKind'), listKind, 'kind and listKind may not be the same'));
  }
  for (const [index, name] of categories.entries()) checkEven(path.child('categories').index(index), name, errors);
  return errors;
}

/** Items of lists count even when they are empty. */
function checkEven(path: FieldPath, name: string, errors: FieldError[]): void {
  const faults = dns1035Label(name);
  if (faults.length > 0) errors.push(invalid(path, name, faults.join(',')));
}

/** Names that a definition must have, besides obeying the rules. */
export function requireNames({ plural, singular, kind, listKind }: Names, path: FieldPath): FieldError[] {
  return Object.entries({ plural, singular, kind, listKind })
    .filter(([, name]) => name === '')
    .map(([field]) => required(path.child(field)));
}
