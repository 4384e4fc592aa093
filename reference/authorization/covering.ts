import type { PolicyRule } from '../contracts/authorizer.ts';
import { pathMatches } from '../contracts/rbacRules.ts';

/**
 * The parts of `wanted` that no single rule of `held` allows: what somebody would grant without having it
 * (2/rbac-behavior/2). Each rule is taken apart into single groups, resources, verbs and names first.
 */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  const missing: PolicyRule[] = [];
  for (const rule of wanted) {
    for (const part of parts(rule)) {
      if (!held.some((owner) => covers(owner, part))) missing.push(part);
    }
  }
  return missing;
}

function* parts(rule: PolicyRule): Generator<PolicyRule> {
  const names: readonly (readonly string[])[] =
    rule.resourceNames.length > 0 ? rule.resourceNames.map((name) => [name]) : [[]];
  for (const group of rule.apiGroups) {
    for (const resource of rule.resources) {
      for (const verb of rule.verbs) {
        for (const resourceNames of names) {
          yield { verbs: [verb], apiGroups: [group], resources: [resource], resourceNames, nonResourceURLs: [] };
        }
      }
    }
  }
  for (const path of rule.nonResourceURLs) {
    for (const verb of rule.verbs) {
      yield { verbs: [verb], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [path] };
    }
  }
}

function covers(owner: PolicyRule, part: PolicyRule): boolean {
  return (
    hasAll(owner.verbs, part.verbs) &&
    hasAll(owner.apiGroups, part.apiGroups) &&
    part.resources.every((resource) => holdsResource(owner.resources, resource)) &&
    part.nonResourceURLs.every((path) => owner.nonResourceURLs.some((pattern) => pathMatches(pattern, path))) &&
    (owner.resourceNames.length === 0 ||
      (part.resourceNames.length > 0 && part.resourceNames.every((name) => owner.resourceNames.includes(name))))
  );
}
function hasAll(owner: readonly string[], wanted: readonly string[]): boolean {
  return owner.includes('*') || wanted.every((one) => owner.includes(one));
}
function holdsResource(owner: readonly string[], resource: string): boolean {
  if (owner.includes('*') || owner.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && owner.includes(`*${resource.slice(slash)}`);
}

/**
 * Rules that differ in their verbs alone, joined into one; other rules as they are. For messages and for rules
 * reviews. The order is that of first appearance.
 */
export function compactRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const joined = new Map<string, PolicyRule>();
  const all: PolicyRule[] = [];
  for (const rule of rules) {
    const simple =
      rule.apiGroups.length === 1 &&
      rule.resources.length === 1 &&
      rule.nonResourceURLs.length === 0 &&
      rule.resourceNames.length <= 1;
    if (!simple) {
      all.push(rule);
      continue;
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const before = joined.get(key);
    if (before) (before.verbs as string[]).push(...rule.verbs.filter((verb) => !before.verbs.includes(verb)));
    else {
      const own = { ...rule, verbs: [...rule.verbs] };
      joined.set(key, own);
      all.push(own);
    }
  }
  return all;
}

const quoted = (values: readonly string[]) => `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;

/** A rule as messages write it: `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`. */
export function describeRule(rule: PolicyRule): string {
  const fields: string[] = [];
  const add = (name: string, values: readonly string[]) => {
    if (values.length > 0) fields.push(`${name}:${quoted(values)}`);
  };
  add('APIGroups', rule.apiGroups);
  add('Resources', rule.resources);
  add('NonResourceURLs', rule.nonResourceURLs);
  add('ResourceNames', rule.resourceNames);
  add('Verbs', rule.verbs);
  return `{${fields.join(', ')}}`;
}
