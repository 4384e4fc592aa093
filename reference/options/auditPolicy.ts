import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { dns1123Subdomain } from '../api/nameRules.ts';
import { FieldFaults, parseObject } from '../codecs/yamlFile.ts';
import {
  AUDIT_LEVELS,
  AUDIT_STAGES,
  type AuditLevel,
  type AuditPolicy,
  type AuditResources,
  type AuditRule,
} from '../contracts/auditOptions.ts';

const POLICY_FIELDS = ['apiVersion', 'kind', 'metadata', 'rules', 'omitStages', 'omitManagedFields'];
const RULE_FIELDS = [
  'level',
  'users',
  'userGroups',
  'verbs',
  'namespaces',
  'nonResourceURLs',
  'resources',
  'omitStages',
  'omitManagedFields',
];
const RESOURCE_FIELDS = ['group', 'resources', 'resourceNames'];

/** Reads an audit policy. @throws ContentFault naming every field that is wrong */
export function readAuditPolicy(text: string, dialect: Dialect): AuditPolicy {
  const policy = parseObject(text);
  const reader = new PolicyReader();
  const version = `${groupName(dialect, 'audit')}/v1`;
  if (policy.apiVersion !== version) reader.faults.add('apiVersion', `${version} is expected`);
  if (policy.kind !== 'Policy') reader.faults.add('kind', 'Policy is expected');
  const rules = reader.rules(policy);
  reader.faults.check();
  return { rules, unknown: reader.unknown.all };
}

/** One walk through a policy, with what it found wrong on the way. */
class PolicyReader {
  readonly faults = new FieldFaults();
  readonly unknown = new FieldFaults();

  rules(policy: JsonObject): AuditRule[] {
    this.unknown.unknown(policy, '', POLICY_FIELDS);
    const everywhere = this.#stages(policy.omitStages, 'omitStages');
    const omit = this.#flag(policy.omitManagedFields, 'omitManagedFields') ?? false;
    const rules = this.#objects(policy.rules, 'rules');
    if (rules.length === 0) this.faults.add('rules', 'at least one rule is needed');
    return rules.map((rule, index) => this.#rule(rule, `rules[${index}]`, everywhere, omit));
  }

  #rule(rule: JsonObject, path: string, everywhere: readonly string[], omitManagedFields: boolean): AuditRule {
    this.unknown.unknown(rule, path, RULE_FIELDS);
    const read: AuditRule = {
      level: this.#level(rule.level, `${path}.level`),
      users: this.#texts(rule.users, `${path}.users`),
      userGroups: this.#texts(rule.userGroups, `${path}.userGroups`),
      verbs: this.#texts(rule.verbs, `${path}.verbs`),
      namespaces: this.#texts(rule.namespaces, `${path}.namespaces`),
      nonResourceURLs: this.#texts(rule.nonResourceURLs, `${path}.nonResourceURLs`),
      resources: this.#objects(rule.resources, `${path}.resources`).map((one, index) =>
        this.#resources(one, `${path}.resources[${index}]`),
      ),
      omitStages: [...everywhere, ...this.#stages(rule.omitStages, `${path}.omitStages`)],
      omitManagedFields: this.#flag(rule.omitManagedFields, `${path}.omitManagedFields`) ?? omitManagedFields,
    };
    this.#paths(read, `${path}.nonResourceURLs`);
    return read;
  }

  #resources(value: JsonObject, path: string): AuditResources {
    this.unknown.unknown(value, path, RESOURCE_FIELDS);
    const { group } = value;
    if (group !== undefined && group !== null && typeof group !== 'string') {
      this.faults.add(`${path}.group`, 'a text is expected');
    } else if (typeof group === 'string' && group !== '') {
      for (const fault of dns1123Subdomain(group)) this.faults.add(`${path}.group`, fault);
    }
    const resources = this.#texts(value.resources, `${path}.resources`);
    const resourceNames = this.#texts(value.resourceNames, `${path}.resourceNames`);
    if (resourceNames.length > 0 && resources.length === 0) {
      this.faults.add(`${path}.resourceNames`, 'names need at least one resource beside them');
    }
    return { group: typeof group === 'string' ? group : '', resources, resourceNames };
  }

  #paths({ nonResourceURLs, resources, namespaces }: AuditRule, path: string): void {
    if (nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0)) {
      this.faults.add(path, 'a rule is for paths or for resources, not for both');
    }
    for (const [index, url] of nonResourceURLs.entries()) {
      if (url !== '*' && !/^\/[^*]*\*?$/.test(url)) {
        this.faults.add(`${path}[${index}]`, 'a path begins with a slash and has a star at its end only');
      }
    }
  }

  #level(value: Json | undefined, path: string): AuditLevel {
    const level = AUDIT_LEVELS.find((one) => one === value);
    if (level === undefined) this.faults.add(path, `one of ${AUDIT_LEVELS.join(', ')} is expected`);
    return level ?? 'None';
  }

  #stages(value: Json | undefined, path: string): readonly string[] {
    const found = this.#texts(value, path);
    for (const [index, stage] of found.entries()) {
      if (!(AUDIT_STAGES as readonly string[]).includes(stage)) {
        this.faults.add(`${path}[${index}]`, `one of ${AUDIT_STAGES.join(', ')} is expected`);
      }
    }
    return found;
  }

  #flag(value: Json | undefined, path: string): boolean | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'boolean') this.faults.add(path, 'true or false is expected');
    return value === true;
  }

  #texts(value: Json | undefined, path: string): readonly string[] {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) {
      this.faults.add(path, 'a list is expected');
      return [];
    }
    for (const [index, one] of value.entries()) {
      if (typeof one !== 'string') this.faults.add(`${path}[${index}]`, 'a text is expected');
    }
    return value.filter((one) => typeof one === 'string');
  }

  #objects(value: Json | undefined, path: string): readonly JsonObject[] {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) {
      this.faults.add(path, 'a list is expected');
      return [];
    }
    return value.map((one, index) => {
      if (!isObject(one)) this.faults.add(`${path}[${index}]`, 'an object is expected');
      return isObject(one) ? one : {};
    });
  }
}
