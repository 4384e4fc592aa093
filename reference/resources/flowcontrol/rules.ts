import { type FieldError, forbiddenField, invalid, notSupported, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../api/json.ts';
import { dns1123Label, dns1123Subdomain, type NameRule } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, listOf, numberOf, objectOf, objectsOf, setDefault, textOf, textsOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';
import { nameFaults, requiredChoiceFaults } from '../validation/fields.ts';

const SPEC = FieldPath.of('spec');
const PRECEDENCE = 1000;
const HIGHEST_PRECEDENCE = 10_000;
const DISTINGUISHERS = ['ByNamespace', 'ByUser'];
const QUEUING = { queues: 64, handSize: 8, queueLengthLimit: 50 };
const MOST_QUEUES = 10_000_000;
const HASH_BITS = 60;

export const flowSchemaRules: RuleMaker = () => ({
  strategy: { validate: validateSchema, validateUpdate: (one) => validateSchema(one) },
  defaults: {
    v1(one) {
      const spec = ensureObject(one, 'spec');
      if (!spec.matchingPrecedence) spec.matchingPrecedence = PRECEDENCE;
    },
  },
});

export const priorityLevelConfigurationRules: RuleMaker = () => ({
  strategy: { validate: validateLevel, validateUpdate: (one) => validateLevel(one) },
  defaults: { v1: (one) => fillLevel(one) },
});

/**
 * Fills a PriorityLevelConfiguration, in place.
 * @param shares what the version calls the shares of a limited level
 */
export function fillLevel(one: ApiObject, shares = 'nominalConcurrencyShares'): void {
  const spec = objectOf(one.spec);
  if (isObject(spec.exempt)) {
    spec.exempt.nominalConcurrencyShares ??= 0;
    spec.exempt.lendablePercent ??= 0;
  }
  if (!isObject(spec.limited)) return;
  spec.limited[shares] ??= 30;
  spec.limited.lendablePercent ??= 0;
  const { queuing } = objectOf(spec.limited.limitResponse);
  if (!isObject(queuing)) return;
  for (const [name, value] of Object.entries(QUEUING)) {
    if (queuing[name] === 0) delete queuing[name];
    setDefault(queuing, name, value);
  }
}

function validateSchema(one: ApiObject): FieldError[] {
  const spec = objectOf(one.spec);
  const path = SPEC.child('matchingPrecedence');
  const precedence = numberOf(spec.matchingPrecedence) ?? 0;
  const errors: FieldError[] = [];
  if (precedence <= 0) errors.push(invalid(path, precedence, 'must be a positive value'));
  if (precedence > HIGHEST_PRECEDENCE) {
    errors.push(invalid(path, precedence, `must not be greater than ${HIGHEST_PRECEDENCE}`));
  }
  if (precedence === 1 && one.metadata.name !== 'exempt') {
    errors.push(invalid(path, 1, "only the schema named 'exempt' may have matchingPrecedence 1"));
  }
  const method = spec.distinguisherMethod;
  if (isObject(method) && !DISTINGUISHERS.includes(textOf(method.type))) {
    const shown = { Type: textOf(method.type) };
    errors.push(notSupported(SPEC.child('distinguisherMethod', 'type'), shown, DISTINGUISHERS));
  }
  const level = textOf(objectOf(spec.priorityLevelConfiguration).name);
  const levelPath = SPEC.child('priorityLevelConfiguration', 'name');
  if (level === '') errors.push(required(levelPath, 'must reference a priority level'));
  else errors.push(...nameFaults(level, dns1123Subdomain, levelPath));
  return [...errors, ...validateFlowRules(spec.rules, SPEC.child('rules'), dns1123Label)];
}

function validateLevel(one: ApiObject): FieldError[] {
  const spec = objectOf(one.spec);
  const type = textOf(spec.type);
  const errors: FieldError[] = [];
  if ((one.metadata.name === 'exempt') !== (type === 'Exempt')) {
    errors.push(invalid(SPEC.child('type'), type, "type must be 'Exempt' if and only if name is 'exempt'"));
  }
  if (type === 'Exempt') {
    if (spec.limited !== undefined) {
      errors.push(forbiddenField(SPEC.child('limited'), 'must be nil if the type is not Limited'));
    }
  } else if (type === 'Limited') {
    if (spec.exempt !== undefined) {
      errors.push(forbiddenField(SPEC.child('exempt'), 'must be nil if the type is Limited'));
    }
    if (isObject(spec.limited)) errors.push(...validateLimited(spec.limited, SPEC.child('limited')));
    else errors.push(required(SPEC.child('limited'), 'must not be empty when type is Limited'));
  } else errors.push(notSupported(SPEC.child('type'), type, ['Exempt', 'Limited']));
  return errors;
}

function validateLimited(limited: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const shares = numberOf(limited.nominalConcurrencyShares) ?? 0;
  if (shares < 0) {
    errors.push(invalid(path.child('nominalConcurrencyShares'), shares, 'must be a non-negative integer'));
  }
  errors.push(...validateResponse(objectOf(limited.limitResponse), path.child('limitResponse')));
  const lent = numberOf(limited.lendablePercent);
  if (lent !== undefined && (lent < 0 || lent > 100)) {
    errors.push(invalid(path.child('lendablePercent'), lent, 'must be between 0 and 100, inclusive'));
  }
  const borrowed = numberOf(limited.borrowingLimitPercent);
  if (borrowed !== undefined && borrowed < 0) {
    const detail = 'if specified, must be a non-negative integer';
    errors.push(invalid(path.child('borrowingLimitPercent'), borrowed, detail));
  }
  return errors;
}

function validateResponse(response: JsonObject, path: FieldPath): FieldError[] {
  const queuing = path.child('queuing');
  if (response.type === 'Reject') {
    if (response.queuing === undefined) return [];
    return [forbiddenField(queuing, 'must be nil if limited.limitResponse.type is not Limited')];
  }
  if (response.type === 'Queue') {
    if (isObject(response.queuing)) return validateQueuing(response.queuing, queuing);
    return [required(queuing, 'must not be empty if limited.limitResponse.type is Limited')];
  }
  return requiredChoiceFaults(response, 'type', ['Queue', 'Reject'], path);
}

function validateQueuing(queuing: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const [length, queues, hand] = ['queueLengthLimit', 'queues', 'handSize'].map(
    (name) => numberOf(queuing[name]) ?? 0,
  ) as [number, number, number];
  const positive = 'must be positive';
  if (length <= 0) errors.push(invalid(path.child('queueLengthLimit'), length, positive));
  if (queues <= 0) errors.push(invalid(path.child('queues'), queues, positive));
  else if (queues > MOST_QUEUES) {
    errors.push(invalid(path.child('queues'), queues, `must not be greater than ${MOST_QUEUES}`));
  }
  const at = path.child('handSize');
  if (hand <= 0) errors.push(invalid(at, hand, positive));
  else if (hand > queues) errors.push(invalid(at, hand, `should not be greater than queues (${queues})`));
  else if (entropyBits(queues, hand) > HASH_BITS) {
    const detail = `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${HASH_BITS}`;
    errors.push(invalid(at, hand, detail));
  }
  return errors;
}

/** Bits that it takes to deal a hand of different queues by chance. */
function entropyBits(queues: number, hand: number): number {
  return Math.ceil(Math.log2(queues) * hand);
}

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];
/** Kinds of subjects with the field of each. */
const SUBJECTS = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;

/** Faults of the rules by which requests are sorted: of whom, and for what. */
function validateFlowRules(rules: Json | undefined, path: FieldPath, namespaceRule: NameRule): FieldError[] {
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
