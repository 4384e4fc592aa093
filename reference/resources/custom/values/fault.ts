import {
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import type { Json } from '../../../api/json.ts';

/** What a schema finds wrong with a value. `name` is the dotted path to it, empty for the value itself. */
export interface Fault {
  readonly kind: 'type' | 'required' | 'enum' | 'tooLong' | 'tooMany' | 'value' | 'logic';
  readonly name: string;
  /** The sentence; tells faults apart. */
  readonly text: string;
  readonly value?: Json;
  /** Allowed values of an enum. */
  readonly allowed?: readonly Json[];
  /** Bytes or items at most. */
  readonly limit?: number;
}

/** A field that a fault about no field in particular is told under. */
export const NOWHERE = '<nil>';

/**
 * A fault as a cause of a 422.
 * @param base the path of the value that was checked; undefined for a whole object
 */
export function fieldErrorOf(fault: Fault, base: FieldPath | undefined): FieldError {
  const name = fault.name.startsWith('.') ? fault.name.slice(1) : fault.name;
  const path = below(base, name);
  switch (fault.kind) {
    case 'required':
      return required(path);
    case 'enum':
      return notSupported(path, fault.value, fault.allowed ?? []);
    case 'tooLong':
      return tooLong(path, fault.limit ?? -1);
    case 'tooMany':
      return tooMany(path, Number(fault.value), fault.limit ?? -1);
    case 'type':
      return typeInvalid(path, fault.value, fault.text);
    case 'value':
      return invalid(path, fault.value ?? '', fault.text);
    case 'logic':
      return invalid(base ?? FieldPath.of(NOWHERE), '', fault.text);
  }
}

function below(base: FieldPath | undefined, name: string): FieldPath {
  if (base) return name === '' ? base : base.child(name);
  return name === '' ? FieldPath.of(NOWHERE) : FieldPath.of(name);
}
