import { departs } from '../../../fixtures/departures.ts';
import { type FieldError, invalid, notSupported, required } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import type { JsonObject } from '../../api/json.ts';
import { listOf, textOf, textsOf } from '../../api/parts.ts';
import type { RuleContext } from '../builtinType.ts';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];

/** Which requests a hook is called for (1/validatingwebhookconfiguration/p3). */
export function validateOperationRule(rule: JsonObject, path: FieldPath, context: RuleContext): FieldError[] {
  const operations = textsOf(rule.operations);
  const versions = path.child('apiVersions');
  return [
    ...validateAlone(rule, 'operations', 'operations', path),
    ...operations.flatMap((operation, index) =>
      OPERATIONS.includes(operation)
        ? []
        : [notSupported(path.child('operations').index(index), operation, OPERATIONS)],
    ),
    ...validateAlone(rule, 'apiGroups', 'API groups', path),
    ...validateAlone(rule, 'apiVersions', 'API versions', path),
    ...textsOf(rule.apiVersions).flatMap((version, index) => (version === '' ? [required(versions.index(index))] : [])),
    ...validateResources(textsOf(rule.resources), path.child('resources'), context),
    ...(rule.scope === undefined || SCOPES.includes(textOf(rule.scope))
      ? []
      : [notSupported(path.child('scope'), textOf(rule.scope), SCOPES)]),
  ];
}

/** A list must not be empty, and `*` must stand alone in it. */
function validateAlone(rule: JsonObject, field: string, noun: string, path: FieldPath): FieldError[] {
  const list = listOf(rule[field]);
  if (list.length === 0) return [required(path.child(field))];
  if (list.length === 1 || !list.includes('*')) return [];
  return [invalid(path.child(field), rule[field], `if '*' is present, must not specify other ${noun}`)];
}

function validateResources(resources: readonly string[], path: FieldPath, { follow }: RuleContext): FieldError[] {
  if (resources.length === 0) return [required(path)];
  const inOrder = departs(follow, 'webhook-resource-overlap-order');
  const crossing = !departs(follow, 'webhook-resource-overlap-crossing');
  const errors: FieldError[] = [];
  for (const [index, resource] of resources.entries()) {
    if (resource === '') errors.push(required(path.index(index)));
    const others = inOrder ? resources.slice(0, index) : resources.filter((_, other) => other !== index);
    for (const wildcard of coveringWildcards(resource)) {
      if (!others.includes(wildcard)) continue;
      errors.push(invalid(path.index(index), resource, `if '${wildcard}' is present, must not specify ${resource}`));
    }
    const other = crossing && crosses(resource, resources.slice(0, index));
    if (other)
      errors.push(invalid(path.index(index), resource, `if '${other}' is present, must not specify ${resource}`));
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(invalid(path, [...resources], "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes('*') && hasPlainResource(resources, inOrder)) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalid(path, [...resources], detail));
  }
  return errors;
}

/** The wildcards that say all that a subresource says: `pods/*` and `*` + `/log` for `pods/log`. */
function coveringWildcards(resource: string): string[] {
  const slash = resource.indexOf('/');
  if (slash < 0) return [];
  const parent = resource.slice(0, slash);
  const child = resource.slice(slash + 1);
  const candidates = [`${parent}/*`, `*/${child}`];
  return candidates.filter((wildcard) => wildcard !== resource && wildcard !== '*/*');
}

/** The first of some resources that means a subresource in common without covering it: `pods/*` for `*` + `/log`. */
function crosses(resource: string, others: readonly string[]): string | undefined {
  const [parent, child] = resource.split('/', 2);
  if (child === undefined || (parent === '*') === (child === '*')) return undefined;
  return others.find((other) => {
    const [otherParent, otherChild] = other.split('/', 2);
    return parent === '*'
      ? otherChild === '*' && otherParent !== '*'
      : otherParent === '*' && otherChild !== undefined && otherChild !== '*';
  });
}

/** Whether there is a resource beside `*`; where order counts, the last of them without a subresource decides. */
function hasPlainResource(resources: readonly string[], inOrder: boolean): boolean {
  const plain = resources.filter((resource) => resource !== '' && !resource.includes('/'));
  return inOrder ? plain.at(-1) !== '*' : plain.some((resource) => resource !== '*');
}
