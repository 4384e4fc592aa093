import { isObject, type Json, type JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import type { Attributes, PolicyRule } from './authorizer.ts';

const NONE: readonly string[] = [];

/** The rules of a stored role; fields that are missing are empty. */
export function rulesOf(role: ApiObject): readonly PolicyRule[] {
  return Array.isArray(role.rules) ? role.rules.filter(isObject).map(ruleOf) : [];
}
export function ruleOf(rule: JsonObject): PolicyRule {
  return {
    verbs: texts(rule.verbs),
    apiGroups: texts(rule.apiGroups),
    resources: texts(rule.resources),
    resourceNames: texts(rule.resourceNames),
    nonResourceURLs: texts(rule.nonResourceURLs),
  };
}
function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) && value.length > 0 ? (value as string[]) : NONE;
}

/** Whether a rule allows what is asked (2/rbac-objects/p1). */
export function ruleAllows(rule: PolicyRule, asked: Attributes): boolean {
  if (!holds(rule.verbs, asked.verb)) return false;
  if (!asked.isResource) return rule.nonResourceURLs.some((pattern) => pathMatches(pattern, asked.path));
  return (
    holds(rule.apiGroups, asked.group) &&
    rule.resources.some((pattern) => resourceMatches(pattern, asked.resource, asked.subresource)) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(asked.name))
  );
}

function holds(list: readonly string[], value: string): boolean {
  return list.includes(value) || list.includes('*');
}
/** `*` is everything, `pods/log` a subresource, and a star before the slash a subresource of every type. */
function resourceMatches(pattern: string, resource: string, subresource: string): boolean {
  if (pattern === '*') return true;
  if (subresource === '') return pattern === resource;
  return pattern === `${resource}/${subresource}` || pattern === `*/${subresource}`;
}
/** Whether a path of a rule, perhaps with a star at its end, matches a request's path. */
export function pathMatches(pattern: string, path: string): boolean {
  if (pattern === '*' || pattern === path) return true;
  return pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, ''));
}
