import { duplicate, type FieldError, invalid, required } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type JsonObject, repeatedAt } from '../../api/json.ts';
import { pathSegment } from '../../api/nameRules.ts';
import { ensureObject, listOf, objectsOf, textsOf } from '../../api/parts.ts';
import { validateLabelSelector } from '../../selectors/labelSelectorObject.ts';
import type { RuleContext } from '../builtinType.ts';
import { choiceFaults } from '../validation/fields.ts';
import { validateOperationRule } from './operationRules.ts';

const MATCH_POLICIES = ['Equivalent', 'Exact'];
const RULES = ['resourceRules', 'excludeResourceRules'];

/** Fills what is absent in the requests that a policy or a binding is about. */
export function fillMatchResources(match: JsonObject): void {
  match.matchPolicy ??= 'Equivalent';
  ensureObject(match, 'namespaceSelector');
  ensureObject(match, 'objectSelector');
  for (const name of RULES) {
    for (const rule of listOf(match[name])) if (isObject(rule)) rule.scope ??= '*';
  }
}

/** Which requests a policy or a binding is about. */
export function validateMatchResources(match: JsonObject, path: FieldPath, context: RuleContext): FieldError[] {
  const errors =
    match.matchPolicy === undefined
      ? [required(path.child('matchPolicy'))]
      : choiceFaults(match, 'matchPolicy', MATCH_POLICIES, path);
  for (const name of ['namespaceSelector', 'objectSelector']) {
    if (match[name] === undefined) errors.push(required(path.child(name)));
    else errors.push(...validateLabelSelector(match[name], path.child(name)));
  }
  for (const name of RULES) {
    for (const [index, rule] of objectsOf(match[name]).entries()) {
      const at = path.child(name).index(index);
      errors.push(...validateNames(textsOf(rule.resourceNames), at.child('resourceNames')));
      errors.push(...validateOperationRule(rule, at, context));
    }
  }
  return errors;
}

function validateNames(names: readonly string[], path: FieldPath): FieldError[] {
  const repeated = repeatedAt(names);
  return names.flatMap((name, index) => [
    ...pathSegment(name, false).map((fault) => invalid(path.index(index), name, fault)),
    ...(repeated.has(index) ? [duplicate(path.index(index), name)] : []),
  ]);
}
