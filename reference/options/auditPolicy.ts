import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import { FieldFaults, parseObject } from './yamlFile.ts';

/** How fully a request is logged. */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';
const LEVELS: readonly string[] = ['None', 'Metadata', 'Request', 'RequestResponse'];
const STAGES: readonly string[] = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'];

/** The first rule that fits a request decides; empty lists fit everything. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly namespaces: readonly string[];
  /** Paths, perhaps with a star at the end; a rule with paths fits no resource request. */
  readonly nonResourceURLs: readonly string[];
  readonly resources: readonly AuditResources[];
  readonly omitStages: readonly string[];
}
export interface AuditResources {
  readonly group: string;
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

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

/** Reads an audit policy. @throws ContentFault naming every field that is wrong */
export function readAuditPolicy(text: string, dialect: Dialect): readonly AuditRule[] {
  const policy = parseObject(text);
  const faults = new FieldFaults();
  const version = `${groupName(dialect, 'audit')}/v1`;
  if (policy.apiVersion !== version) faults.add('apiVersion', `${version} is expected`);
  if (policy.kind !== 'Policy') faults.add('kind', 'Policy is expected');
  faults.unknown(policy, '', ['apiVersion', 'kind', 'metadata', 'rules', 'omitStages', 'omitManagedFields']);
  const everywhere = stages(policy.omitStages, 'omitStages', faults);
  const rules = Array.isArray(policy.rules) ? policy.rules : [];
  if (rules.length === 0) faults.add('rules', 'at least one rule is needed');
  const read = rules.map((rule, index) => readRule(rule, `rules[${index}]`, everywhere, faults));
  faults.check();
  return read;
}

function readRule(value: unknown, path: string, everywhere: readonly string[], faults: FieldFaults): AuditRule {
  const rule: JsonObject = isObject(value) ? value : {};
  faults.unknown(rule, path, RULE_FIELDS);
  if (!LEVELS.includes(String(rule.level))) faults.add(`${path}.level`, `one of ${LEVELS.join(', ')} is expected`);
  const nonResourceURLs = texts(rule.nonResourceURLs);
  const resources = (Array.isArray(rule.resources) ? rule.resources : []).filter(isObject).map((one) => ({
    group: typeof one.group === 'string' ? one.group : '',
    resources: texts(one.resources),
    resourceNames: texts(one.resourceNames),
  }));
  if (nonResourceURLs.length > 0 && (resources.length > 0 || texts(rule.namespaces).length > 0)) {
    faults.add(`${path}.nonResourceURLs`, 'a rule is for paths or for resources, not for both');
  }
  for (const [index, url] of nonResourceURLs.entries()) {
    if (url !== '*' && !/^\/[^*]*\*?$/.test(url)) {
      faults.add(`${path}.nonResourceURLs[${index}]`, 'a path begins with a slash and has a star at its end only');
    }
  }
  return {
    level: rule.level as AuditLevel,
    users: texts(rule.users),
    userGroups: texts(rule.userGroups),
    verbs: texts(rule.verbs),
    namespaces: texts(rule.namespaces),
    nonResourceURLs,
    resources,
    omitStages: [...everywhere, ...stages(rule.omitStages, `${path}.omitStages`, faults)],
  };
}

function stages(value: unknown, path: string, faults: FieldFaults): readonly string[] {
  const found = texts(value);
  for (const stage of found) if (!STAGES.includes(stage)) faults.add(path, `there is no stage ${stage}`);
  return found;
}
function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
