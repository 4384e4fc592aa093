import { type FieldError, forbiddenField, invalid, notSupported, required } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../api/json.ts';
import { dns1123Subdomain, type NameRule } from '../../api/nameRules.ts';
import { listOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import { nameFaults } from '../validation/choices.ts';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];
/** Kinds of subjects with the field of each. */
const SUBJECTS = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;

/** Faults of the rules by which requests are sorted: of whom, and for what. */
export function validateFlowRules(rules: Json | undefined, path: FieldPath, namespaceRule: NameRule): FieldError[] {
  return objectsOf(rules).flatMap((rule, index) => {
    const at = path.index(index);
    const subjects = objectsOf(rule.subjects);
    const resources = objectsOf(rule.resourceRules);
    const others = objectsOf(rule.nonResourceRules);
    const errors: FieldError[] = [];
    if (subjects.length === 0) {
      errors.push(required(at.child('subjects'), 'subjects must contain at least one value'));
    }
    for (const [i, subject] of subjects.entries()) {
      errors.push(...validateSubject(subject, at.child('subjects').index(i), namespaceRule));
    }
    if (resources.length === 0 && others.length === 0) {
      errors.push(required(at, 'at least one of resourceRules and nonResourceRules has to be non-empty'));
    }
    for (const [i, one] of resources.entries()) {
      errors.push(...validateResourceRule(one, at.child('resourceRules').index(i), namespaceRule));
    }
    for (const [i, one] of others.entries()) {
      errors.push(...validateOtherRule(one, at.child('nonResourceRules').index(i)));
    }
    return errors;
  });
}

function validateSubject(subject: JsonObject, path: FieldPath, namespaceRule: NameRule): FieldError[] {
  const kind = textOf(subject.kind);
  const field = Object.hasOwn(SUBJECTS, kind) ? SUBJECTS[kind as keyof typeof SUBJECTS] : undefined;
  if (field === undefined) return [notSupported(path.child('kind'), kind, Object.keys(SUBJECTS).sort())];
  const own = subject[field];
  const at = path.child(field);
  const errors: FieldError[] = [];
  if (!isObject(own)) errors.push(required(at, `${field} is required when subject kind is '${kind}'`));
  else {
    const name = textOf(own.name);
    if (name === '') errors.push(required(at.child('name')));
    else if (kind === 'ServiceAccount' && name !== '*') {
      errors.push(...nameFaults(name, dns1123Subdomain, at.child('name')));
    }
    if (kind === 'ServiceAccount') {
      const namespace = textOf(own.namespace);
      if (namespace !== '') errors.push(...nameFaults(namespace, namespaceRule, at.child('namespace')));
      else errors.push(required(at.child('namespace'), 'must specify namespace for service account'));
    }
  }
  for (const [other, name] of Object.entries(SUBJECTS)) {
    if (other === kind || subject[name] === undefined) continue;
    errors.push(forbiddenField(path.child(name), `${name} is forbidden when subject kind is not '${other}'`));
  }
  return errors;
}

function validateResourceRule(rule: JsonObject, path: FieldPath, namespaceRule: NameRule): FieldError[] {
  const errors = validateVerbs(rule, path);
  for (const [name, noun, one] of [
    ['apiGroups', 'api groups', 'api group'],
    ['resources', 'resources', 'resource'],
  ] as const) {
    if (listOf(rule[name]).length === 0) {
      errors.push(required(path.child(name), `resource rules must supply at least one ${one}`));
    } else errors.push(...validateAlone(rule, name, noun, path));
  }
  const namespaces = textsOf(rule.namespaces);
  const at = path.child('namespaces');
  if (namespaces.length === 0) {
    if (rule.clusterScope === true) return errors;
    const detail = 'resource rules that are not cluster scoped must supply at least one namespace';
    return [...errors, required(at, detail)];
  }
  if (namespaces.includes('*')) return [...errors, ...validateAlone(rule, 'namespaces', 'namespaces', path)];
  for (const [index, namespace] of namespaces.entries()) {
    for (const fault of namespaceRule(namespace)) {
      const detail = `each member of this list must be '*' or a DNS-1123 label; ${fault}`;
      errors.push(invalid(at.index(index), namespace, detail));
    }
  }
  return errors;
}

function validateOtherRule(rule: JsonObject, path: FieldPath): FieldError[] {
  const errors = validateVerbs(rule, path);
  const urls = textsOf(rule.nonResourceURLs);
  const at = path.child('nonResourceURLs');
  if (urls.length === 0) return [...errors, required(at, 'nonResourceURLs must contain at least one value')];
  if (urls.includes('*')) return [...errors, ...validateAlone(rule, 'nonResourceURLs', 'non-resource URLs', path)];
  for (const [index, url] of urls.entries()) {
    const fault = urlFault(url);
    if (fault !== undefined) errors.push(invalid(at.index(index), url, fault));
  }
  return errors;
}

function validateVerbs(rule: JsonObject, path: FieldPath): FieldError[] {
  const verbs = [...textsOf(rule.verbs)];
  const at = path.child('verbs');
  if (verbs.length === 0) return [required(at, 'verbs must contain at least one value')];
  if (verbs.includes('*')) return validateAlone(rule, 'verbs', 'verbs', path);
  return verbs.every((verb) => VERBS.includes(verb)) ? [] : [notSupported(at, verbs, VERBS)];
}

function validateAlone(rule: JsonObject, name: string, noun: string, path: FieldPath): FieldError[] {
  const list = [...listOf(rule[name])];
  if (list.length < 2 || !list.includes('*')) return [];
  return [invalid(path.child(name), list, `if '*' is present, must not specify other ${noun}`)];
}

function urlFault(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const star = url.indexOf('*');
  return star < 0 || (star === url.length - 1 && url.endsWith('/*'))
    ? undefined
    : 'wildcard can only do suffix matching';
}
