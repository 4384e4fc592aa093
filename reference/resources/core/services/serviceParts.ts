import type { JsonObject } from '../../../api/json.ts';
import type { ApiObject } from '../../../api/object.ts';
import { listOf, objectOf, textOf, textsOf } from '../../../api/parts.ts';

/*
 * What a service asks for, by its type and a few fields.
 */

export const NO_ADDRESS = 'None';

/** The spec, which the caller may change when the object is the caller's. */
export function specOf(service: ApiObject): JsonObject {
  return objectOf(service.spec);
}
/** Every type but ExternalName has an address in the cluster, or says that it wants none. */
export function needsAddress(spec: JsonObject): boolean {
  return spec.type === 'ClusterIP' || spec.type === 'NodePort' || spec.type === 'LoadBalancer';
}
/** A service without an address of its own: its name stands for the addresses behind it. */
export function isHeadless(spec: JsonObject): boolean {
  return textsOf(spec.clusterIPs)[0] === NO_ADDRESS;
}
export function hasSelector(spec: JsonObject): boolean {
  return Object.keys(objectOf(spec.selector)).length > 0;
}
export function needsNodePorts(spec: JsonObject): boolean {
  return spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);
}
export function isExternallyAccessible(spec: JsonObject): boolean {
  if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') return true;
  return spec.type === 'ClusterIP' && listOf(spec.externalIPs).length > 0;
}
/** A port on which load balancers ask a node whether it has something behind it. */
export function needsHealthPort(spec: JsonObject): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}
/** Whether a list of texts is the same in both. */
export function sameTexts(a: JsonObject, b: JsonObject, name: string): boolean {
  const one = textsOf(a[name]);
  const other = textsOf(b[name]);
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
export function sameText(a: JsonObject, b: JsonObject, name: string): boolean {
  return textOf(a[name]) === textOf(b[name]);
}
