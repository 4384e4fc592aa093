import { type GroupVersionKind, parseApiVersion } from '../api/groupVersion.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import { objectOf, objectsOf, textOf, textsOf } from '../api/parts.ts';
import { Pace, type Staged } from '../api/staged.ts';
import { type DeclaredType, DYN } from '../cel/declaredType.ts';
import { PolicyScopes } from '../cel/policyScopes.ts';
import type { ExpressionScope } from '../cel/program.ts';
import { typeOfObject } from '../cel/schemaType.ts';
import type { ResourceRegistry } from '../contracts/resourceRegistry.ts';

/** Entries that long work passes in the time in which a short expression is compiled. */
const OF_AN_EXPRESSION = 64;
/** The most types that the expressions of a policy are held against. */
const MOST_TYPES = 10;

/**
 * What does not fit in the validations of a policy when they are about objects of the types that its rules name; rules
 * with wildcards name none.
 * Others have turns meanwhile where there are many expressions.
 * @returns a warning for each expression, as the status of the policy has it
 */
export function* expressionWarnings(spec: JsonObject, registry: ResourceRegistry): Staged<JsonObject[]> {
  const params = paramsTypeOf(spec, registry);
  const scopes = kindsOf(spec, registry).map(({ kind, type }) => ({ kind, scope: scopeOf(spec, type, params) }));
  const warnings: JsonObject[] = [];
  const pace = new Pace();
  const check = (fieldRef: string, expression: string): void => {
    const faults = scopes.flatMap(({ kind, scope }) => {
      const fault = faultOf(expression, scope);
      return fault === undefined ? [] : [`${shown(kind)}: ${fault}\n`];
    });
    if (faults.length > 0) warnings.push({ fieldRef, warning: faults.join('\n') });
  };
  for (const [index, { expression, messageExpression }] of objectsOf(spec.validations).entries()) {
    const at = `spec.validations[${index}]`;
    check(`${at}.expression`, textOf(expression));
    if (textOf(messageExpression) !== '') check(`${at}.messageExpression`, textOf(messageExpression));
    const letters = textOf(expression).length + textOf(messageExpression).length;
    if (pace.due(scopes.length * (OF_AN_EXPRESSION + letters))) yield;
  }
  return warnings;
}

interface KnownKind {
  readonly kind: GroupVersionKind;
  readonly type: DeclaredType;
}

function shown({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** What the expressions of a policy speak of when it is about an object of a type. */
function scopeOf({ variables }: JsonObject, object: DeclaredType, params: DeclaredType | undefined): ExpressionScope {
  const scopes = new PolicyScopes({ object, params, strict: true });
  for (const { name, expression: own } of objectsOf(variables)) scopes.define(textOf(name), textOf(own));
  return scopes.scope;
}

function faultOf(expression: string, scope: ExpressionScope): string | undefined {
  const compiled = scope.compile(expression, 'dyn');
  return 'fault' in compiled ? compiled.fault.replace(/^compilation failed: /, '') : undefined;
}

/** The kinds that the rules of a policy name, by group, version and kind. */
function kindsOf({ matchConstraints }: JsonObject, registry: ResourceRegistry): KnownKind[] {
  const found = new Map<string, KnownKind>();
  for (const rule of objectsOf(objectOf(matchConstraints).resourceRules)) {
    for (const [group, version, resource] of namedBy(rule)) {
      if (found.size >= MOST_TYPES) break;
      const type = registry.type(group, resource);
      const known = type && typeOfKind({ group, version, kind: type.kind }, registry);
      if (known) found.set(shown(known.kind), known);
    }
  }
  return [...found.values()].sort((a, b) => compare(a.kind, b.kind));
}

function compare(a: GroupVersionKind, b: GroupVersionKind): number {
  const [left, right] = [a, b].map(({ group, version, kind }) => `${group}\0${version}\0${kind}`);
  return (left as string) < (right as string) ? -1 : 1;
}

/** All that a rule names; nothing where it names groups or versions by a wildcard. */
function namedBy(rule: JsonObject): [string, string, string][] {
  const groups = [...textsOf(rule.apiGroups)].sort();
  const versions = [...textsOf(rule.apiVersions)].sort();
  if ([...groups, ...versions].some((name) => name.includes('*'))) return [];
  const resources = textsOf(rule.resources)
    .filter((name) => !/[*/]/.test(name))
    .sort();
  return groups.flatMap((group) =>
    versions.flatMap((version) => resources.map((resource): [string, string, string] => [group, version, resource])),
  );
}

function typeOfKind(kind: GroupVersionKind, registry: ResourceRegistry): KnownKind | undefined {
  const version = registry.typeOfKind(kind.group, kind.kind)?.versions.get(kind.version);
  if (!version?.served) return undefined;
  return { kind, type: typeOfObject(version.schema, metadataSchema(registry)) };
}

function metadataSchema(registry: ResourceRegistry) {
  const schema = registry.type('', 'namespaces')?.versions.get('v1')?.schema.fields.get('metadata')?.schema;
  if (!schema) throw new Error('namespaces have no metadata');
  return schema;
}

/** Undefined without parameters; dynamic where their kind is not served. */
function paramsTypeOf({ paramKind }: JsonObject, registry: ResourceRegistry): DeclaredType | undefined {
  if (!isObject(paramKind)) return undefined;
  const parsed = parseApiVersion(textOf(paramKind.apiVersion));
  const known = parsed && typeOfKind({ ...parsed, kind: textOf(paramKind.kind) }, registry);
  return known?.type ?? DYN;
}
