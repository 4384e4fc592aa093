import { domainPathFaults } from '../../api/domainPath.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import type { User } from '../../api/identity.ts';

const KEY = FieldPath.of('extra').child('key');

/** Why extra values cannot be taken on by a constrained verb: keys are paths behind a domain, and none is empty. */
export function extraFault(extra: User['extra']): string | undefined {
  for (const [key, values] of Object.entries(extra)) {
    const what = faultOf(key, values);
    if (what !== undefined) return `impersonating ${what}`;
  }
  return undefined;
}

function faultOf(key: string, values: readonly string[]): string | undefined {
  if (key === '') return 'the empty string key in extra is not allowed';
  const faults = domainPathFaults(key, KEY).map(({ field, message }) => `${field}: ${message}`);
  if (faults.length > 0) {
    const all = faults.length > 1 ? `[${faults.join(', ')}]` : faults[0];
    return `an invalid key in extra is not allowed: ${all}`;
  }
  if (values.length === 0) return 'empty values in extra is not allowed';
  return values.includes('') ? 'the empty string value in extra is not allowed' : undefined;
}
