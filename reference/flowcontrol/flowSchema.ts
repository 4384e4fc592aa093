import type { User } from '../api/identity.ts';
import type { JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../api/parts.ts';
import type { RequestInfo } from '../api/request.ts';

/** A FlowSchema, read once: whose requests, and for what, go to which priority level. */
export interface FlowSchema {
  readonly name: string;
  readonly uid: string;
  /** Name of its PriorityLevelConfiguration. */
  readonly level: string;
  /** The lower, the sooner it is asked. */
  readonly precedence: number;
  /** What tells the flows of the schema apart; undefined: all are one. */
  readonly distinguisher: 'ByUser' | 'ByNamespace' | undefined;
  matches(info: RequestInfo, user: User): boolean;
}

type SubjectTest = (user: User) => boolean;
type RequestTest = (info: RequestInfo) => boolean;

/** Reads a stored FlowSchema of version v1. */
export function readFlowSchema(object: ApiObject): FlowSchema {
  const spec = objectOf(object.spec);
  const rules = objectsOf(spec.rules).map((rule) => {
    const subjects = subjectsTest(objectsOf(rule.subjects));
    const resources = objectsOf(rule.resourceRules).map(resourceTest);
    const others = objectsOf(rule.nonResourceRules).map(pathTest);
    return { subjects, resources, others };
  });
  return {
    name: textOf(object.metadata.name),
    uid: textOf(object.metadata.uid),
    level: textOf(objectOf(spec.priorityLevelConfiguration).name),
    precedence: numberOf(spec.matchingPrecedence) ?? 0,
    distinguisher: distinguisherOf(textOf(objectOf(spec.distinguisherMethod).type)),
    matches(info, user) {
      for (const { subjects, resources, others } of rules) {
        if (!subjects(user)) continue;
        if ((info.isResource ? resources : others).some((test) => test(info))) return true;
      }
      return false;
    },
  };
}

/** The order in which schemas are asked: by precedence, among equals by name. */
export function byPrecedence(a: FlowSchema, b: FlowSchema): number {
  return a.precedence - b.precedence || (a.name < b.name ? -1 : 1);
}

/** Requests of one flow compete with each other first: the schema with its user, with its namespace, or as a whole. */
export function flowOf(schema: FlowSchema, info: RequestInfo, user: User): string {
  if (schema.distinguisher === 'ByUser') return `${schema.name}/${user.username}`;
  if (schema.distinguisher === 'ByNamespace') return `${schema.name}/${info.isResource ? info.namespace : ''}`;
  return schema.name;
}

function distinguisherOf(type: string): FlowSchema['distinguisher'] {
  return type === 'ByUser' || type === 'ByNamespace' ? type : undefined;
}

/** Whether a user is one of the subjects; their names are looked up, and not asked for one after the other. */
function subjectsTest(subjects: readonly JsonObject[]): SubjectTest {
  const users = new Set<string>();
  const groups = new Set<string>();
  const prefixes: string[] = [];
  let everybody = false;
  for (const subject of subjects) {
    if (subject.kind === 'ServiceAccount') {
      const account = objectOf(subject.serviceAccount);
      const name = textOf(account.name);
      const prefix = `system:serviceaccount:${textOf(account.namespace)}:`;
      if (name === '*') prefixes.push(prefix);
      else users.add(prefix + name);
      continue;
    }
    const group = subject.kind === 'Group';
    const name = textOf(objectOf(group ? subject.group : subject.user).name);
    if (name === '*') everybody = true;
    else (group ? groups : users).add(name);
  }
  if (everybody) return () => true;
  return (user) =>
    users.has(user.username) ||
    (groups.size > 0 && user.groups.some((group) => groups.has(group))) ||
    prefixes.some((prefix) => user.username.startsWith(prefix));
}

/** Whether a text is among those of a list, where `*` stands for every one. */
function member(values: readonly string[]): (text: string) => boolean {
  if (values.includes('*')) return () => true;
  const [only] = values;
  if (values.length === 1) return (text) => text === only;
  const known = new Set(values);
  return (text) => known.has(text);
}

function resourceTest(rule: JsonObject): RequestTest {
  const verb = member(textsOf(rule.verbs));
  const group = member(textsOf(rule.apiGroups));
  const resource = member(textsOf(rule.resources));
  const namespace = member(textsOf(rule.namespaces));
  const clusterScope = rule.clusterScope === true;
  return (info) =>
    info.isResource &&
    verb(info.verb) &&
    group(info.group) &&
    resource(info.subresource ? `${info.resource}/${info.subresource}` : info.resource) &&
    (info.namespace === '' ? clusterScope : namespace(info.namespace));
}

function pathTest(rule: JsonObject): RequestTest {
  const verb = member(textsOf(rule.verbs));
  const paths = textsOf(rule.nonResourceURLs);
  const exact = new Set(paths.filter((path) => !path.endsWith('*')));
  const prefixes = paths.filter((path) => path.endsWith('*')).map((path) => path.slice(0, -1));
  return (info) =>
    !info.isResource &&
    verb(info.verb) &&
    (exact.has(info.path) || prefixes.some((prefix) => info.path.startsWith(prefix)));
}
