import type { AboutResource, Question } from './question.ts';
import type { Binding, PolicyRule, Role, Roles, Subject } from './roles.ts';

/** A rule of a role that allows what is asked, with the binding that grants it. */
export interface GrantingRule {
  readonly binding: Binding;
  readonly subject: Subject;
  readonly role: Role;
  /** Place of the rule in the role, from 0. */
  readonly index: number;
  readonly rule: PolicyRule;
}
/** A rule or binding that would allow it but for one thing. */
export interface NearMiss {
  readonly what: string;
  /** What is missing, in words. */
  readonly but: string;
}
/** What the roles of a server say to a question. */
export interface Reading {
  readonly ways: readonly GrantingRule[];
  /** The nearest first; empty when there is a way. */
  readonly misses: readonly NearMiss[];
}

/**
 * Answers a question by roles and bindings alone: a reading of our own of 2/rbac-objects and 2/rbac-behavior, so that
 * what a server says can be held against it.
 */
export function readAccess(question: Question, { roles, bindings }: Roles): Reading {
  const ways: GrantingRule[] = [];
  const misses: { readonly distance: number; readonly miss: NearMiss }[] = [];
  const namespace = 'path' in question.about ? '' : question.about.namespace;
  for (const binding of bindings) {
    const subject = binding.subjects.find((one) => isSubject(one, question, binding.namespace));
    const inScope = binding.namespace === '' || binding.namespace === namespace;
    const role = roleOf(binding, roles);
    if (!role) {
      if (subject && inScope) misses.push({ distance: 0, miss: missingRole(binding) });
      continue;
    }
    for (const [index, rule] of role.rules.entries()) {
      const lacks = lacking(rule, question);
      const holders = subject ? [] : [`it is given to ${subjectsOf(binding)}`];
      const scope = inScope ? [] : [`it holds in namespace ${binding.namespace} only`];
      const all = [...lacks, ...scope, ...holders];
      if (subject && all.length === 0) ways.push({ binding, subject, role, index, rule });
      else if (all.length === 1 && !isOfTheSystem(binding)) {
        // What the user has already comes first, then what others have.
        const distance = subject ? 1 : 2;
        misses.push({ distance, miss: { what: describeRule(binding, role, index), but: all[0] as string } });
      }
    }
  }
  if (ways.length > 0) return { ways, misses: [] };
  return { ways, misses: misses.sort((a, b) => a.distance - b.distance).map(({ miss }) => miss) };
}

/** Bindings that every server has: what components may do is near to nothing that a person asks. */
function isOfTheSystem({ name, subjects }: Binding): boolean {
  return name.startsWith('system:') && subjects.every((one) => !one.name.startsWith('system:authenticated'));
}

function roleOf({ role, namespace }: Binding, roles: readonly Role[]): Role | undefined {
  return roles.find(
    (one) =>
      one.kind === role.kind && one.name === role.name && (one.kind === 'ClusterRole' || one.namespace === namespace),
  );
}

function isSubject(subject: Subject, { user, groups }: Question, bindingNamespace: string): boolean {
  if (subject.kind === 'User') return subject.name === user;
  if (subject.kind === 'Group') return groups.includes(subject.name);
  return (
    subject.kind === 'ServiceAccount' &&
    user === `system:serviceaccount:${subject.namespace || bindingNamespace}:${subject.name}`
  );
}

/** What a rule would need to allow what is asked, one text each; empty when it does. */
function lacking(rule: PolicyRule, { verb, about }: Question): string[] {
  const lacks: string[] = [];
  if (!among(verb, rule.verbs)) lacks.push(`it allows ${rule.verbs.join(', ') || 'nothing'}, not ${verb}`);
  if ('path' in about) {
    if (rule.nonResourceURLs.length === 0) return [...lacks, 'it is about resources', 'not about paths'];
    if (!rule.nonResourceURLs.some((pattern) => coversPath(pattern, about.path))) {
      lacks.push(`it covers ${rule.nonResourceURLs.join(', ')}, not ${about.path}`);
    }
    return lacks;
  }
  if (rule.resources.length === 0) return [...lacks, 'it is about paths', 'not about resources'];
  const named = coversResource(rule, about);
  const grouped = among(about.group, rule.apiGroups);
  const asked = about.subresource ? `${about.resource}/${about.subresource}` : about.resource;
  if (!named) lacks.push(`it covers ${rule.resources.join(', ')}, not ${asked}`);
  if (!grouped) {
    const groups = rule.apiGroups.map((group) => group || 'the core group').join(', ');
    lacks.push(`it covers ${groups}, not ${about.group || 'the core group'}`);
  }
  if (rule.resourceNames.length > 0 && !rule.resourceNames.includes(about.name)) {
    lacks.push(`it covers only what is named ${rule.resourceNames.join(', ')}`);
  }
  return lacks;
}

const among = (value: string, list: readonly string[]): boolean => list.includes(value) || list.includes('*');

function coversResource({ resources }: PolicyRule, { resource, subresource }: AboutResource): boolean {
  if (resources.includes('*')) return true;
  if (subresource === '') return resources.includes(resource);
  return resources.includes(`${resource}/${subresource}`) || resources.includes(`*/${subresource}`);
}
function coversPath(pattern: string, path: string): boolean {
  if (pattern === '*' || pattern === path) return true;
  return pattern.endsWith('*') && path.startsWith(pattern.slice(0, pattern.indexOf('*')));
}

function missingRole(binding: Binding): NearMiss {
  const { kind, name } = binding.role;
  return { what: `${describeBinding(binding)} names the user`, but: `there is no ${kind} ${name}` };
}

/** `RoleBinding readers in namespace team`. */
export function describeBinding({ kind, namespace, name }: Binding): string {
  return `${kind} ${name}${namespace ? ` in namespace ${namespace}` : ''}`;
}
function describeRule(binding: Binding, role: Role, index: number): string {
  return `rule ${index + 1} of ${role.kind} ${role.name}, by ${describeBinding(binding)}`;
}
function subjectsOf({ subjects }: Binding): string {
  const named = subjects.slice(0, 3).map(({ kind, name }) => `${kind} ${name}`);
  const more = subjects.length - named.length;
  return subjects.length === 0 ? 'nobody' : `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
