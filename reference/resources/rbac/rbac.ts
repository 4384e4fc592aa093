import { groupName } from '../../../fixtures/dialects/dialect.ts';
import { departs } from '../../../fixtures/follow.ts';
import { type FieldError, invalid, notSupported, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { equalJson, isObject, type JsonObject } from '../../api/json.ts';
import { dns1123Subdomain, pathSegment } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, listOf, objectOf, objectsOf, setDefault, textOf } from '../../api/parts.ts';
import { badRequest } from '../../api/status.ts';
import type { Strategy } from '../../contracts/resourceType.ts';
import { validateLabelSelector } from '../../selectors/labelSelectorObject.ts';
import type { RuleContext, RuleMaker } from '../builtinType.ts';

/** Names of all four kinds are any segment of a path, and PUT creates what is missing (2/rbac-objects). */
const shared: Partial<Strategy> = { validateName: pathSegment, createOnUpdate: true, unconditionalUpdate: true };

export const roleRules =
  (namespaced: boolean): RuleMaker =>
  () => {
    const validate = (role: ApiObject): FieldError[] => [
      ...objectsOf(role.rules).flatMap((rule, index) =>
        validateRule(rule, FieldPath.of('rules').index(index), namespaced),
      ),
      ...(namespaced ? [] : validateAggregation(role)),
    ];
    return { strategy: { ...shared, validate, validateUpdate: (role) => validate(role) } };
  };

function validateRule(rule: JsonObject, path: FieldPath, namespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const empty = (name: string): boolean => listOf(rule[name]).length === 0;
  if (empty('verbs')) errors.push(required(path.child('verbs'), 'verbs must contain at least one value'));
  if (!empty('nonResourceURLs')) {
    const urls = path.child('nonResourceURLs');
    if (namespaced) {
      errors.push(invalid(urls, rule.nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs'));
    }
    if (!empty('apiGroups') || !empty('resources') || !empty('resourceNames')) {
      errors.push(
        invalid(urls, rule.nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs'),
      );
    }
    return errors;
  }
  if (empty('apiGroups')) {
    errors.push(required(path.child('apiGroups'), 'resource rules must supply at least one api group'));
  }
  if (empty('resources')) {
    errors.push(required(path.child('resources'), 'resource rules must supply at least one resource'));
  }
  return errors;
}

function validateAggregation(role: ApiObject): FieldError[] {
  if (!isObject(role.aggregationRule)) return [];
  const path = FieldPath.of('aggregationRule', 'clusterRoleSelectors');
  const selectors = objectsOf(role.aggregationRule.clusterRoleSelectors);
  if (selectors.length === 0) {
    return [required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  }
  return selectors.flatMap((selector, index) => {
    const errors = validateLabelSelector(selector, path.index(index));
    return errors.length === 0 ? [] : [...errors, invalid(path.index(index), null, 'invalid label selector.')];
  });
}

export const bindingRules =
  (namespaced: boolean): RuleMaker =>
  (context) => {
    const group = groupName(context.dialect, 'rbac.authorization');
    const roleKinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
    const validate = (binding: ApiObject): FieldError[] => [
      ...validateRoleRef(objectOf(binding.roleRef), group, roleKinds),
      ...objectsOf(binding.subjects).flatMap((subject, index) =>
        validateSubject(subject, FieldPath.of('subjects').index(index), group, namespaced),
      ),
    ];
    return {
      strategy: {
        ...shared,
        validate,
        validateUpdate: (binding, old) => [...validate(binding), ...validateSameRole(binding, old, context)],
      },
      defaults: {
        v1(binding) {
          if (departs(context.follow, 'role-ref-group-filled')) {
            setDefault(ensureObject(binding, 'roleRef'), 'apiGroup', group);
          }
          for (const subject of listOf(binding.subjects)) {
            if (isObject(subject) && (subject.kind === 'User' || subject.kind === 'Group')) {
              setDefault(subject, 'apiGroup', group);
            }
          }
        },
      },
    };
  };

function validateRoleRef(role: JsonObject, group: string, kinds: readonly string[]): FieldError[] {
  const path = FieldPath.of('roleRef');
  const errors: FieldError[] = [];
  if (textOf(role.apiGroup) === '') errors.push(required(path.child('apiGroup')));
  else if (role.apiGroup !== group) errors.push(notSupported(path.child('apiGroup'), textOf(role.apiGroup), [group]));
  if (!kinds.includes(textOf(role.kind))) errors.push(notSupported(path.child('kind'), textOf(role.kind), kinds));
  const name = textOf(role.name);
  if (name === '') errors.push(required(path.child('name')));
  else for (const fault of pathSegment(name, false)) errors.push(invalid(path.child('name'), name, fault));
  return errors;
}

function validateSubject(subject: JsonObject, path: FieldPath, group: string, namespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const name = textOf(subject.name);
  const apiGroup = textOf(subject.apiGroup);
  if (name === '') errors.push(required(path.child('name')));
  switch (subject.kind) {
    case 'ServiceAccount':
      if (name !== '')
        for (const fault of dns1123Subdomain(name)) errors.push(invalid(path.child('name'), name, fault));
      if (apiGroup !== '') errors.push(notSupported(path.child('apiGroup'), apiGroup, ['']));
      if (!namespaced && textOf(subject.namespace) === '') errors.push(required(path.child('namespace')));
      break;
    case 'User':
    case 'Group':
      if (apiGroup !== group) errors.push(notSupported(path.child('apiGroup'), apiGroup, [group]));
      break;
    default:
      errors.push(notSupported(path.child('kind'), textOf(subject.kind), ['ServiceAccount', 'User', 'Group']));
  }
  return errors;
}

/** roleRef never changes (1/clusterrolebinding). @throws ApiError 400 where the text is followed (2/errors/t1.3) */
function validateSameRole(binding: ApiObject, old: ApiObject, { follow }: RuleContext): FieldError[] {
  const role = objectOf(binding.roleRef);
  if (equalJson(role, objectOf(old.roleRef))) return [];
  if (!departs(follow, 'role-ref-change-status')) throw badRequest('cannot change roleRef');
  const shown = { APIGroup: textOf(role.apiGroup), Kind: textOf(role.kind), Name: textOf(role.name) };
  return [invalid(FieldPath.of('roleRef'), shown, 'cannot change roleRef')];
}
