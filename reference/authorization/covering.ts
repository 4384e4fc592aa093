import type { Staged } from '../api/staged.ts';
import type { PolicyRule } from '../contracts/authorizer.ts';
import { pathMatches } from '../contracts/rbacRules.ts';

/** Parts that are missing after which nobody looks for more: what is refused need not be refused for all of it. */
const MOST_MISSING = 20_000;
/** Steps of one turn: one for each rule that may be asked about a part, and some for the look-up of the part. */
const STEPS_PER_TURN = 262_144;
const LOOK_UP = 64;

/**
 * The parts of `wanted` that no single rule of `held` allows: what somebody would grant without having it
 * (2/rbac-behavior/2). Each rule is taken apart into single groups, resources, verbs and names first, unless one rule
 * allows all of it. The work is staged.
 */
export function* uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): Staged<PolicyRule[]> {
  const owned = new HeldRules(held);
  const missing: PolicyRule[] = [];
  const steps = LOOK_UP + owned.asked;
  let passed = 0;
  for (const rule of wanted) {
    for (const part of owned.coverWhole(rule) ? [undefined] : parts(withoutRepetition(rule))) {
      if (part && !owned.cover(part)) missing.push(part);
      if (missing.length >= MOST_MISSING) return missing;
      passed += steps;
      if (passed < STEPS_PER_TURN) continue;
      passed = 0;
      yield;
    }
  }
  return missing;
}

function withoutRepetition(rule: PolicyRule): PolicyRule {
  const once = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
  return {
    verbs: once(rule.verbs),
    apiGroups: once(rule.apiGroups),
    resources: once(rule.resources),
    resourceNames: once(rule.resourceNames),
    nonResourceURLs: once(rule.nonResourceURLs),
  };
}

/** Parts up to which a rule is kept by each of them, and found by a look-up; others are asked one after the other. */
const FEW_PARTS = 64;

function countOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): number {
  const names = Math.max(1, resourceNames.length);
  return verbs.length * (apiGroups.length * resources.length * names + nonResourceURLs.length);
}

/** The rules that somebody holds, so kept that few of them are asked about a part. */
class HeldRules {
  readonly #parts = new Set<string>();
  readonly #broad: SetRule[] = [];
  readonly #wildcards: SetRule[] = [];

  constructor(rules: readonly PolicyRule[]) {
    for (const rule of rules) {
      if (countOf(rule) > FEW_PARTS || rule.nonResourceURLs.some((path) => path.includes('*'))) {
        this.#broad.push(setsOf(rule));
        continue;
      }
      for (const part of parts(rule)) this.#parts.add(keyOf(part));
      if ([...rule.verbs, ...rule.apiGroups, ...rule.resources].includes('*')) this.#wildcards.push(setsOf(rule));
    }
  }
  /** Rules that are asked one after the other. */
  get asked(): number {
    return this.#broad.length;
  }

  /** Whether one rule allows all the parts of another that has many. */
  coverWhole(rule: PolicyRule): boolean {
    if (countOf(rule) <= FEW_PARTS) return false;
    return [...this.#wildcards, ...this.#broad].some((owner) => covers(owner, rule));
  }

  cover(part: PolicyRule): boolean {
    return this.#keeps(part) || this.#broad.some((owner) => covers(owner, part));
  }

  #keeps(part: PolicyRule): boolean {
    const [resource] = part.resources;
    if (resource === undefined)
      return this.#parts.has(keyOf(part)) || this.#parts.has(keyOf({ ...part, verbs: ['*'] }));
    const slash = resource.indexOf('/');
    const resources = slash < 0 ? [resource, '*'] : [resource, '*', `*${resource.slice(slash)}`];
    for (const verb of [part.verbs[0] as string, '*']) {
      for (const group of [part.apiGroups[0] as string, '*']) {
        for (const one of resources) {
          for (const resourceNames of [part.resourceNames, []]) {
            const wider = { ...part, verbs: [verb], apiGroups: [group], resources: [one], resourceNames };
            if (this.#parts.has(keyOf(wider))) return true;
          }
        }
      }
    }
    return false;
  }
}

/** The text by which a part is kept. */
function keyOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  return JSON.stringify([verbs[0], apiGroups[0], resources[0], resourceNames[0], nonResourceURLs[0]]);
}

/** A rule by whose parts can be asked. */
type SetRule = { readonly [Name in keyof PolicyRule]: ReadonlySet<string> };

function setsOf(rule: PolicyRule): SetRule {
  return {
    verbs: new Set(rule.verbs),
    apiGroups: new Set(rule.apiGroups),
    resources: new Set(rule.resources),
    resourceNames: new Set(rule.resourceNames),
    nonResourceURLs: new Set(rule.nonResourceURLs),
  };
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

function covers(owner: SetRule, part: PolicyRule): boolean {
  return (
    hasAll(owner.verbs, part.verbs) &&
    hasAll(owner.apiGroups, part.apiGroups) &&
    part.resources.every((resource) => holdsResource(owner.resources, resource)) &&
    part.nonResourceURLs.every((path) => holdsPath(owner.nonResourceURLs, path)) &&
    (owner.resourceNames.size === 0 ||
      (part.resourceNames.length > 0 && part.resourceNames.every((name) => owner.resourceNames.has(name))))
  );
}
function hasAll(owner: ReadonlySet<string>, wanted: readonly string[]): boolean {
  return owner.has('*') || wanted.every((one) => owner.has(one));
}
function holdsResource(owner: ReadonlySet<string>, resource: string): boolean {
  if (owner.has('*') || owner.has(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && owner.has(`*${resource.slice(slash)}`);
}
function holdsPath(owner: ReadonlySet<string>, path: string): boolean {
  if (owner.has(path)) return true;
  for (const pattern of owner) if (pathMatches(pattern, path)) return true;
  return false;
}

/**
 * Rules that differ in their verbs alone, joined into one; other rules as they are. For messages and for rules
 * reviews. The order is that of first appearance.
 */
export function compactRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const joined = new Map<string, { readonly verbs: Set<string> }>();
  const all: { readonly rule: PolicyRule; readonly verbs?: Set<string> }[] = [];
  for (const rule of rules) {
    const simple =
      rule.apiGroups.length === 1 &&
      rule.resources.length === 1 &&
      rule.nonResourceURLs.length === 0 &&
      rule.resourceNames.length <= 1;
    if (!simple) {
      all.push({ rule });
      continue;
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const before = joined.get(key);
    if (before) for (const verb of rule.verbs) before.verbs.add(verb);
    else {
      const own = { rule, verbs: new Set(rule.verbs) };
      joined.set(key, own);
      all.push(own);
    }
  }
  return all.map(({ rule, verbs }) => (verbs ? { ...rule, verbs: [...verbs] } : rule));
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
