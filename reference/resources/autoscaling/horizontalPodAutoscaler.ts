import { type FieldError, forbiddenField, invalid, notSupported, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { parseApiVersion } from '../../api/groupVersion.ts';
import { isObject, type Json, type JsonObject } from '../../api/json.ts';
import { dns1123Label, dns1123Subdomain, pathSegment } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { parseQuantity } from '../../schema/quantity.ts';
import { validateContainerResource } from '../core/pods/resources.ts';
import type { PodScope } from '../core/pods/scope.ts';
import { named, optionalOneOf } from '../validation/fields.ts';

const SPEC = FieldPath.of('spec');
const LONGEST_WINDOW = 3600;
const LONGEST_PERIOD = 1800;
/** First release that looks at the group of what is scaled. */
const GROUP_SINCE = 34;

/** What rules of autoscalers depend on. */
export interface ScalerScope extends PodScope {
  /** Whether any may scale to nothing. */
  readonly toNothing: boolean;
}

/** Faults of an autoscaler; one that could scale to nothing before still may. */
export function validateScaler(scaler: ApiObject, old: ApiObject | undefined, scope: ScalerScope): FieldError[] {
  const spec = objectOf(scaler.spec);
  const least = scope.toNothing || numberOf(objectOf(old?.spec).minReplicas) === 0 ? 0 : 1;
  const min = numberOf(spec.minReplicas);
  const max = numberOf(spec.maxReplicas) ?? 0;
  const errors: FieldError[] = [];
  if (min !== undefined && min < least) {
    errors.push(invalid(SPEC.child('minReplicas'), min, `must be greater than or equal to ${least}`));
  }
  if (max < 1) errors.push(invalid(SPEC.child('maxReplicas'), max, 'must be greater than 0'));
  if (min !== undefined && max < min) {
    errors.push(invalid(SPEC.child('maxReplicas'), max, 'must be greater than or equal to `minReplicas`'));
  }
  return [
    ...errors,
    ...validateTarget(spec, objectOf(old?.spec), scope),
    ...validateMetrics(spec, SPEC.child('metrics'), scope),
    ...['scaleUp', 'scaleDown'].flatMap((side) =>
      validateScaling(objectOf(spec.behavior)[side], SPEC.child('behavior', side)),
    ),
  ];
}

/** What is scaled; a version that was wrong before stays allowed. */
function validateTarget(spec: JsonObject, before: JsonObject, { release }: PodScope): FieldError[] {
  const ref = objectOf(spec.scaleTargetRef);
  const path = SPEC.child('scaleTargetRef');
  const errors = validateNames(ref, path);
  const version = textOf(ref.apiVersion);
  if (release < GROUP_SINCE || objectOf(before.scaleTargetRef).apiVersion === version) return errors;
  const fault = versionFault(version, ref.kind === 'ReplicationController');
  return fault === undefined ? errors : [...errors, invalid(path.child('apiVersion'), version, fault)];
}

function validateNames(ref: JsonObject, path: FieldPath): FieldError[] {
  return [...segment(ref.kind, path.child('kind')), ...segment(ref.name, path.child('name'))];
}

function segment(value: Json | undefined, path: FieldPath): FieldError[] {
  const text = textOf(value);
  return text === '' ? [required(path)] : named(text, (name) => pathSegment(name, false), path);
}

/** A reference to what a metric describes, which may belong to the core group. */
function validateDescribed(ref: JsonObject, path: FieldPath, { release }: PodScope): FieldError[] {
  const errors = validateNames(ref, path);
  const version = textOf(ref.apiVersion);
  const fault = release < GROUP_SINCE ? undefined : versionFault(version, true);
  return fault === undefined ? errors : [...errors, invalid(path.child('apiVersion'), version, fault)];
}

/** @param anyGroup whether what is named may belong to the core group */
function versionFault(apiVersion: string, anyGroup: boolean): string | undefined {
  const parsed = apiVersion === '' ? { group: '', version: '' } : parseApiVersion(apiVersion);
  if (!parsed) return `unexpected GroupVersion string: ${apiVersion}`;
  if (parsed.group === '') return anyGroup ? undefined : 'apiVersion must specify API group';
  const faults = dns1123Subdomain(parsed.group);
  return faults.length === 0 ? undefined : faults.join(',');
}

const SOURCES = ['object', 'external', 'pods', 'resource', 'containerResource'];
const TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
type SourceRule = (source: JsonObject, path: FieldPath, scope: PodScope) => FieldError[];

function validateMetrics(spec: JsonObject, path: FieldPath, scope: PodScope): FieldError[] {
  const metrics = objectsOf(spec.metrics);
  const errors = metrics.flatMap((metric, index) => validateMetric(metric, path.index(index), scope));
  const outside = metrics.some((metric) => metric.type === 'Object' || metric.type === 'External');
  if (numberOf(spec.minReplicas) === 0 && !outside) {
    const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
    errors.push(forbiddenField(path, detail));
  }
  return errors;
}

function validateMetric(metric: JsonObject, path: FieldPath, scope: PodScope): FieldError[] {
  const type = textOf(metric.type);
  const known = TYPES.includes(type);
  const unknown = known ? [] : [notSupported(path.child('type'), type, TYPES)];
  const errors =
    type === '' ? [required(path.child('type'), 'must specify a metric source type'), ...unknown] : unknown;
  const given = SOURCES.filter((name) => isObject(metric[name]));
  const [first] = given;
  const expected = known ? `${type.slice(0, 1).toLowerCase()}${type.slice(1)}` : '';
  const found = first === undefined ? [] : (RULES[first]?.(objectOf(metric[first]), path.child(first), scope) ?? []);
  const missing =
    known && !given.includes(expected)
      ? [required(path.child(expected), 'must populate information for the given metric source')]
      : unknown;
  const surplus = given.length === 1 ? [] : given.filter((name) => name !== expected);
  return [
    ...errors,
    ...found,
    ...missing,
    ...surplus.map((name) => forbiddenField(path.child(name), 'must populate the given metric source only')),
  ];
}

const EITHER_SHARE = 'must set either a target raw value or a target utilization';

const RULES: Readonly<Record<string, SourceRule>> = {
  object: (source, path, scope) => {
    const target = objectOf(source.target);
    const errors = [
      ...validateDescribed(objectOf(source.describedObject), path.child('describedObject'), scope),
      ...validateIdentifier(source.metric, path.child('metric')),
      ...validateWanted(target, path.child('target')),
    ];
    if (target.value !== undefined || target.averageValue !== undefined) return errors;
    return [
      ...errors,
      required(path.child('target', 'averageValue'), 'must set either a target value or averageValue'),
    ];
  },
  external: (source, path) => {
    const target = objectOf(source.target);
    const errors = [
      ...validateIdentifier(source.metric, path.child('metric')),
      ...validateWanted(target, path.child('target')),
    ];
    if (target.value === undefined && target.averageValue === undefined) {
      const detail = 'must set either a target value for metric or a per-pod target';
      errors.push(required(path.child('target', 'averageValue'), detail));
    }
    if (target.value !== undefined && target.averageValue !== undefined) {
      const detail = 'may not set both a target value for metric and a per-pod target';
      errors.push(forbiddenField(path.child('target', 'value'), detail));
    }
    return errors;
  },
  pods: (source, path) => {
    const target = objectOf(source.target);
    const errors = [
      ...validateIdentifier(source.metric, path.child('metric')),
      ...validateWanted(target, path.child('target')),
    ];
    if (target.averageValue !== undefined) return errors;
    return [...errors, required(path.child('target', 'averageValue'), 'must specify a positive target averageValue')];
  },
  resource: (source, path) => [
    ...(textOf(source.name) === '' ? [required(path.child('name'), 'must specify a resource name')] : []),
    ...validateShare(objectOf(source.target), path.child('target')),
  ],
  containerResource: (source, path, scope) => [
    ...(textOf(source.name) === ''
      ? [required(path.child('name'), 'must specify a resource name')]
      : validateContainerResource(textOf(source.name), path.child('name'), scope)),
    ...(textOf(source.container) === ''
      ? [required(path.child('container'), 'must specify a container')]
      : named(source.container, dns1123Label, path.child('container'))),
    ...validateShare(objectOf(source.target), path.child('target')),
  ],
};

function validateIdentifier(metric: Json | undefined, path: FieldPath): FieldError[] {
  const name = textOf(objectOf(metric).name);
  if (name === '') return [required(path.child('name'), 'must specify a metric name')];
  return named(name, (text) => pathSegment(text, false), path.child('name'));
}

/** A share of what is requested, or an amount: one of the two. */
function validateShare(target: JsonObject, path: FieldPath): FieldError[] {
  const errors = validateWanted(target, path);
  const { averageUtilization: share, averageValue: amount } = target;
  if (share === undefined && amount === undefined)
    errors.push(required(path.child('averageUtilization'), EITHER_SHARE));
  if (share !== undefined && amount !== undefined) {
    const detail = 'may not set both a target raw value and a target utilization';
    errors.push(forbiddenField(path.child('averageValue'), detail));
  }
  return errors;
}

const TARGETS = ['Utilization', 'Value', 'AverageValue'];

function validateWanted(target: JsonObject, path: FieldPath): FieldError[] {
  const type = textOf(target.type);
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(path.child('type'), 'must specify a metric target type'));
  if (!TARGETS.includes(type)) {
    errors.push(invalid(path.child('type'), type, 'must be either Utilization, Value, or AverageValue'));
  }
  for (const name of ['value', 'averageValue']) {
    const amount = target[name];
    if (amount === undefined || parseQuantity(textOf(amount)).digits > 0n) continue;
    errors.push(invalid(path.child(name), amount, 'must be positive'));
  }
  const share = numberOf(target.averageUtilization);
  if (share !== undefined && share < 1) {
    errors.push(invalid(path.child('averageUtilization'), share, 'must be greater than 0'));
  }
  return errors;
}

function validateScaling(rules: Json | undefined, path: FieldPath): FieldError[] {
  if (!isObject(rules)) return [];
  const seconds = numberOf(rules.stabilizationWindowSeconds);
  const at = path.child('stabilizationWindowSeconds');
  const errors: FieldError[] = [];
  if (seconds !== undefined && seconds < 0) errors.push(invalid(at, seconds, 'must be greater than or equal to zero'));
  if (seconds !== undefined && seconds > LONGEST_WINDOW) {
    errors.push(invalid(at, seconds, `must be less than or equal to ${LONGEST_WINDOW}`));
  }
  errors.push(...optionalOneOf(rules.selectPolicy, ['Disabled', 'Max', 'Min'], path.child('selectPolicy')));
  const policies = objectsOf(rules.policies);
  if (policies.length === 0) errors.push(required(path.child('policies'), 'must specify at least one Policy'));
  errors.push(...policies.flatMap((policy, index) => validatePolicy(policy, path.child('policies').index(index))));
  if (rules.tolerance !== undefined && parseQuantity(textOf(rules.tolerance)).digits < 0n) {
    errors.push(invalid(path.child('tolerance'), rules.tolerance, 'must be greater or equal to zero'));
  }
  return errors;
}

function validatePolicy(policy: JsonObject, path: FieldPath): FieldError[] {
  const errors = optionalOneOf(textOf(policy.type), ['Percent', 'Pods'], path.child('type'));
  for (const name of ['value', 'periodSeconds']) {
    const number = numberOf(policy[name]) ?? 0;
    if (number <= 0) errors.push(invalid(path.child(name), number, 'must be greater than zero'));
  }
  const period = numberOf(policy.periodSeconds) ?? 0;
  if (period > LONGEST_PERIOD) {
    errors.push(invalid(path.child('periodSeconds'), period, `must be less than or equal to ${LONGEST_PERIOD}`));
  }
  return errors;
}
