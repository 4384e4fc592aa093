import { departs } from '../../../fixtures/follow.ts';
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
  /** What a resource is judged against: those before it, or all. */
  const others = new Set(inOrder ? [] : resources);
  const crossings = new Crossings();
  for (const [index, resource] of resources.entries()) {
    if (resource === '') errors.push(required(path.index(index)));
    for (const wildcard of coveringWildcards(resource)) {
      if (!others.has(wildcard)) continue;
      errors.push(invalid(path.index(index), resource, `if '${wildcard}' is present, must not specify ${resource}`));
    }
    const other = crossings.add(resource);
    if (crossing && other)
      errors.push(invalid(path.index(index), resource, `if '${other}' is present, must not specify ${resource}`));
    others.add(resource);
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

/** Finds resources that mean a subresource in common without covering each other: `pods/*` and `*` + `/log`. */
class Crossings {
  /** The first resource that means all subresources of one type. */
  #ofType: string | undefined;
  /** The first resource that means one subresource of all types. */
  #ofAll: string | undefined;

  /** The first resource so far that crosses this one. */
  add(resource: string): string | undefined {
    const [parent, child] = resource.split('/', 2);
    if (child === undefined || (parent === '*') === (child === '*')) return undefined;
    if (parent === '*') {
      this.#ofAll ??= resource;
      return this.#ofType;
    }
    this.#ofType ??= resource;
    return this.#ofAll;
  }
}

/** Whether there is a resource beside `*`; where order counts, the last of them without a subresource decides. */
function hasPlainResource(resources: readonly string[], inOrder: boolean): boolean {
  const plain = resources.filter((resource) => resource !== '' && !resource.includes('/'));
  return inOrder ? plain.at(-1) !== '*' : plain.some((resource) => resource !== '*');
}
