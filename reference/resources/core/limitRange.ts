import { duplicate, type FieldError, forbiddenField, invalid, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject, member, setMember } from '../../api/json.ts';
import { qualifiedName } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, listOf, objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { Pace, type Staged } from '../../api/staged.ts';
import { parseQuantity, scaledValue } from '../../schema/quantity.ts';
import type { RuleMaker } from '../builtinType.ts';
import { nameFaults } from '../validation/fields.ts';
import { judgedInParts } from '../validation/inParts.ts';
import { amountOf, compareAmounts } from './amounts.ts';
import { isOvercommittable, validateContainerResource, validateResourceName } from './pods/resources.ts';
import type { PodScope } from './pods/scope.ts';

const LIMITS = FieldPath.of('spec', 'limits');
const TYPES = ['Pod', 'Container', 'PersistentVolumeClaim'];

/** Where amounts stand, in the order in which their names are looked at. */
const FIELDS: readonly string[] = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'];

/** What the amounts must be against each other: the first may not be above the second. */
const ORDERS = [
  { low: 'min', high: 'max', at: 'min', text: 'min value LOW is greater than max value HIGH' },
  {
    low: 'min',
    high: 'defaultRequest',
    at: 'defaultRequest',
    text: 'min value LOW is greater than default request value HIGH',
  },
  {
    low: 'defaultRequest',
    high: 'max',
    at: 'defaultRequest',
    text: 'default request value LOW is greater than max value HIGH',
  },
  {
    low: 'defaultRequest',
    high: 'default',
    at: 'defaultRequest',
    text: 'default request value LOW is greater than default limit value HIGH',
  },
  { low: 'min', high: 'default', at: 'default', text: 'min value LOW is greater than default value HIGH' },
  { low: 'default', high: 'max', at: 'default', text: 'default value LOW is greater than max value HIGH' },
] as const;

/** Bounds of what pods, containers and claims of a namespace may ask for. */
export const limitRangeRules: RuleMaker = ({ release, dialect }) => {
  const scope: PodScope = { release, labelDomain: dialect.labelDomain, isPod: false };
  return {
    strategy: judgedInParts((range) => validate(range, scope)),
    defaults: {
      v1(range) {
        for (const item of listOf(ensureObject(range, 'spec').limits)) if (isObject(item)) fillItem(item);
      },
    },
  };
};

/** Containers get by default what they may have at most, and ask for that, or for the least. */
function fillItem(item: JsonObject): void {
  if (item.type !== 'Container') return;
  addMissing(item, 'default', item.max);
  addMissing(item, 'defaultRequest', item.default);
  addMissing(item, 'defaultRequest', item.min);
}

function addMissing(item: JsonObject, name: string, source: Json | undefined): void {
  for (const [key, amount] of Object.entries(objectOf(source))) {
    const target = ensureObject(item, name);
    if (member(target, key) === undefined) setMember(target, key, amount);
  }
}

function* validate(range: ApiObject, scope: PodScope): Staged<FieldError[]> {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  const pace = new Pace();
  for (const [index, item] of objectsOf(objectOf(range.spec).limits).entries()) {
    const path = LIMITS.index(index);
    const type = textOf(item.type);
    errors.push(...validateType(type, path.child('type')));
    if (seen.has(type)) errors.push(duplicate(path.child('type'), type));
    seen.add(type);
    const checkName = type === 'Pod' || type === 'Container' ? validateContainerResource : validateResourceName;
    for (const field of FIELDS) {
      const names = Object.keys(objectOf(item[field]));
      if (type === 'Pod' && field.startsWith('default')) {
        if (names.length === 0) continue;
        errors.push(forbiddenField(path.child(field), "may not be specified when `type` is 'Pod'"));
        continue;
      }
      for (const name of names) {
        errors.push(...checkName(name, path.child(field).key(name), scope));
        if (pace.due()) yield;
      }
    }
    if (type === 'PersistentVolumeClaim' && !amountOf(item.min, 'storage') && !amountOf(item.max, 'storage')) {
      const detail = 'either minimum or maximum storage value is required, but neither was provided';
      errors.push(required(path.child('limits'), detail));
    }
    errors.push(...(yield* validateAmounts(item, type, path, scope, pace)));
  }
  return errors;
}

/** More than the bounds themselves allow cannot be granted as the ratio between them. */
function validateRatio(item: JsonObject, name: string, path: FieldPath): FieldError[] {
  const [ratio, min, max] = [item.maxLimitRequestRatio, item.min, item.max].map((amounts) => amountOf(amounts, name));
  if (ratio === undefined || min === undefined || max === undefined) return [];
  const [wanted, least, most] = [ratio, min, max].map((text) => Number(scaledValue(parseQuantity(text), -3)));
  const highest = Number(most) / Number(least);
  if (Number(wanted) / 1000 <= highest || Number.isNaN(highest)) return [];
  return [invalid(path, ratio, `ratio ${ratio} is greater than max/min = ${highest.toFixed(6)}`)];
}

function validateType(type: string, path: FieldPath): FieldError[] {
  const errors = nameFaults(type, qualifiedName, path);
  if (errors.length > 0 || type.includes('/') || TYPES.includes(type)) return errors;
  return [invalid(path, type, 'must be a standard limit type or fully qualified')];
}

/** Names that long work passes in the time that the amounts of one take. */
const OF_AMOUNTS = 8;

function* validateAmounts(
  item: JsonObject,
  type: string,
  path: FieldPath,
  { labelDomain }: PodScope,
  pace: Pace,
): Staged<FieldError[]> {
  // What a pod may not have is not looked at.
  const fields = FIELDS.filter((field) => type !== 'Pod' || !field.startsWith('default'));
  const orders = ORDERS.filter(({ low, high }) => fields.includes(low) && fields.includes(high));
  const names = new Set(fields.flatMap((field) => Object.keys(objectOf(item[field]))));
  const errors: FieldError[] = [];
  for (const name of names) {
    if (pace.due(OF_AMOUNTS)) yield;
    for (const order of orders) {
      const low = amountOf(item[order.low], name);
      const high = amountOf(item[order.high], name);
      if (low === undefined || high === undefined || compareAmounts(low, high) <= 0) continue;
      const text = order.text.replace('LOW', low).replace('HIGH', high);
      errors.push(invalid(path.child(order.at).key(name), amountOf(item[order.at], name), text));
    }
    const ratio = amountOf(item.maxLimitRequestRatio, name);
    if (ratio !== undefined && compareAmounts(ratio, '1') < 0) {
      errors.push(invalid(path.child('maxLimitRequestRatio').key(name), ratio, `ratio ${ratio} is less than 1`));
    }
    errors.push(...validateRatio(item, name, path.child('maxLimitRequestRatio').key(name)));
    const [limit, request] = fields.includes('default')
      ? [amountOf(item.default, name), amountOf(item.defaultRequest, name)]
      : [];
    if (limit === undefined || request === undefined || isOvercommittable(name, labelDomain)) continue;
    if (compareAmounts(limit, request) !== 0) {
      const detail = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
      errors.push(invalid(path.child('defaultRequest').key(name), request, detail));
    }
  }
  return errors;
}
