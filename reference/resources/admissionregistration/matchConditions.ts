import { departs, type Follow } from '../../../fixtures/follow.ts';
import { duplicate, type FieldError, invalid, required, tooMany } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import type { JsonObject } from '../../api/json.ts';
import { qualifiedName } from '../../api/nameRules.ts';
import { textOf } from '../../api/parts.ts';
import type { RuleContext } from '../builtinType.ts';

const MOST = 64;

/**
 * Conditions have names of their own and compile to a boolean (1/validatingwebhookconfiguration/p4).
 * @param params whether they may speak of parameters
 */
export function validateMatchConditions(
  conditions: readonly JsonObject[],
  path: FieldPath,
  { compileMatchCondition, follow }: RuleContext,
  params = false,
): FieldError[] {
  const errors: FieldError[] = [];
  if (conditions.length > MOST) errors.push(tooMany(path, conditions.length, MOST));
  const names = new Set<string>();
  for (const [index, condition] of conditions.entries()) {
    const at = path.index(index);
    const expression = textOf(condition.expression).trim();
    const fault = expression === '' ? undefined : compileMatchCondition?.(expression, params);
    if (expression === '') errors.push(required(at.child('expression')));
    else if (fault !== undefined) errors.push(invalid(at.child('expression'), expression, fault));
    const name = textOf(condition.name);
    if (name === '') errors.push(required(at.child('name')));
    else for (const wrong of nameFaults(name, follow)) errors.push(invalid(at.child('name'), name, wrong));
    if (name !== '' && names.has(name)) errors.push(duplicate(at.child('name'), name));
    names.add(name);
  }
  return errors;
}

/** A qualified name, in which the text, unlike the service, has no underscore. */
function nameFaults(name: string, follow: Follow): readonly string[] {
  const faults = qualifiedName(name);
  if (faults.length > 0 || !name.includes('_') || departs(follow, 'match-condition-underscore')) return faults;
  return ["must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"];
}
