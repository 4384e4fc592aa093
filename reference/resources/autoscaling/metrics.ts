import type { Json, JsonObject } from '../../api/json.ts';
import { isObject } from '../../api/json.ts';
import { objectOf, textOf } from '../../api/parts.ts';

/*
 * Metrics in the form of the old version, as its annotations keep them: flat, where the new one nests what is
 * measured and what is wanted.
 */

/** Fields that are set in an object, without those that are not. */
function compact(fields: Record<string, Json | undefined>): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) object[name] = value;
  return object;
}

const RESOURCES = ['resource', 'containerResource'];

function memberOf(metric: JsonObject): string {
  const type = textOf(metric.type);
  return `${type.slice(0, 1).toLowerCase()}${type.slice(1)}`;
}

/** @param prefix of the flat fields: `target` for what is wanted, `current` for what is measured. */
function toOld(metric: JsonObject, side: 'target' | 'current'): JsonObject {
  const member = memberOf(metric);
  const source = objectOf(metric[member]);
  const amount = objectOf(source[side]);
  const named = objectOf(source.metric);
  if (RESOURCES.includes(member)) {
    const share = side === 'target' ? 'targetAverageUtilization' : 'currentAverageUtilization';
    const value = side === 'target' ? 'targetAverageValue' : 'currentAverageValue';
    const flat = compact({
      name: source.name,
      container: source.container,
      [share]: amount.averageUtilization,
      [value]: amount.averageValue,
    });
    return { type: textOf(metric.type), [member]: flat };
  }
  const flat = compact({
    target: source.describedObject,
    metricName: named.name,
    [member === 'external' ? 'metricSelector' : 'selector']: named.selector,
    [`${side}Value`]: amount.value,
    [member === 'object' ? 'averageValue' : `${side}AverageValue`]: amount.averageValue,
  });
  return { type: textOf(metric.type), [member]: flat };
}

function fromOld(metric: JsonObject, side: 'target' | 'current'): JsonObject {
  const member = memberOf(metric);
  const flat = objectOf(metric[member]);
  const share = flat[`${side}AverageUtilization`];
  const average = flat[`${side}AverageValue`] ?? (member === 'object' ? flat.averageValue : undefined);
  const value = average === undefined ? flat[`${side}Value`] : undefined;
  const type = share !== undefined ? 'Utilization' : average !== undefined ? 'AverageValue' : 'Value';
  const amount = compact({
    type: side === 'target' ? type : undefined,
    value: value,
    averageValue: average,
    averageUtilization: share,
  });
  const selector = member === 'external' ? flat.metricSelector : flat.selector;
  const source = RESOURCES.includes(member)
    ? compact({ name: flat.name, container: flat.container, [side]: amount })
    : compact({
        describedObject: flat.target,
        metric: compact({ name: flat.metricName, selector: isObject(selector) ? selector : undefined }),
        [side]: amount,
      });
  return { type: textOf(metric.type), [member]: source };
}

/** A wanted metric of the new version in the form of the old one. */
export const metricToOld = (metric: JsonObject): JsonObject => toOld(metric, 'target');
export const metricFromOld = (metric: JsonObject): JsonObject => fromOld(metric, 'target');
/** A measured metric of the new version in the form of the old one. */
export const statusToOld = (metric: JsonObject): JsonObject => toOld(metric, 'current');
export const statusFromOld = (metric: JsonObject): JsonObject => fromOld(metric, 'current');
