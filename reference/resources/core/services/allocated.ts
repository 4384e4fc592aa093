import { isObject, type JsonObject } from '../../../api/json.ts';
import { listOf, numberOf, objectsOf, textOf, textsOf } from '../../../api/parts.ts';
import { needsAddress, needsHealthPort, needsNodePorts, sameTexts } from './serviceParts.ts';

/*
 * What a service was given stays its own, though clients need not repeat it.
 */

/** Gives an updated service what it had been given and does not name, in place. */
export function keepAllocated(spec: JsonObject, old: JsonObject): void {
  if (needsAddress(old) && needsAddress(spec)) {
    if (textOf(spec.clusterIP) === '' && old.clusterIP !== undefined) spec.clusterIP = old.clusterIP;
    if (textsOf(spec.clusterIPs).length === 0 && spec.clusterIP === old.clusterIP) copy(spec, old, 'clusterIPs');
  }
  if (needsNodePorts(old) && needsNodePorts(spec)) keepPorts(spec, old);
  if (needsHealthPort(old) && needsHealthPort(spec) && !numberOf(spec.healthCheckNodePort)) {
    copy(spec, old, 'healthCheckNodePort');
  }
}

function keepPorts(spec: JsonObject, old: JsonObject): void {
  const numbers = (one: JsonObject) => objectsOf(one.ports).map((port) => numberOf(port.nodePort) ?? 0);
  const wanted = new Set(numbers(spec));
  const used = new Set(numbers(old).filter((port) => port !== 0 && wanted.has(port)));
  const byName = new Map(objectsOf(old.ports).map((port) => [textOf(port.name), numberOf(port.nodePort) ?? 0]));
  for (const port of listOf(spec.ports).filter(isObject)) {
    if (numberOf(port.nodePort)) continue;
    const before = byName.get(textOf(port.name)) ?? 0;
    if (before === 0 || used.has(before)) continue;
    port.nodePort = before;
    used.add(before);
  }
}

/** Brings the single address and the list of them together, where a client has changed but one of the two. */
export function settlePrimary(spec: JsonObject, old: JsonObject | undefined): void {
  const address = textOf(spec.clusterIP);
  if (!old) {
    if (address !== '' && textsOf(spec.clusterIPs).length === 0) spec.clusterIPs = [address];
    return;
  }
  const before = textOf(old.clusterIP);
  if (textsOf(old.clusterIPs).length > 0 && textsOf(spec.clusterIPs).length === 0 && address === before) {
    copy(spec, old, 'clusterIPs');
  }
  if (address === before || !sameTexts(spec, old, 'clusterIPs')) return;
  if (address === '') delete spec.clusterIPs;
  else spec.clusterIPs = [address];
}

/** Takes away from an updated service what its new type has not and what it only has from its old one, in place. */
export function dropUnneeded(spec: JsonObject, old: JsonObject): void {
  if (needsAddress(old) && !needsAddress(spec)) {
    if (textOf(spec.clusterIP) === textOf(old.clusterIP) && sameTexts(spec, old, 'clusterIPs')) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    if (sameTexts(spec, old, 'ipFamilies')) delete spec.ipFamilies;
    if (spec.ipFamilyPolicy === old.ipFamilyPolicy) delete spec.ipFamilyPolicy;
  }
  if (needsNodePorts(old) && !needsNodePorts(spec) && sameNodePorts(spec, old)) {
    for (const port of listOf(spec.ports).filter(isObject)) delete port.nodePort;
  }
  if (needsHealthPort(old) && !needsHealthPort(spec)) dropSame(spec, old, 'healthCheckNodePort');
  if (old.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    dropSame(spec, old, 'allocateLoadBalancerNodePorts');
    dropSame(spec, old, 'loadBalancerClass');
  }
  const outside = (one: JsonObject) => one.type === 'LoadBalancer' || one.type === 'NodePort';
  if (outside(old) && !outside(spec) && listOf(spec.externalIPs).length === 0) {
    dropSame(spec, old, 'externalTrafficPolicy');
  }
  if (needsAddress(old) && !needsAddress(spec)) dropSame(spec, old, 'internalTrafficPolicy');
}

/** Whether every node port that is named was there before. */
function sameNodePorts(spec: JsonObject, old: JsonObject): boolean {
  const had = new Set(objectsOf(old.ports).map((port) => numberOf(port.nodePort) ?? 0));
  return objectsOf(spec.ports).every((port) => had.has(numberOf(port.nodePort) ?? 0) || !numberOf(port.nodePort));
}

function dropSame(spec: JsonObject, old: JsonObject, name: string): void {
  if (spec[name] === old[name]) delete spec[name];
}
function copy(spec: JsonObject, old: JsonObject, name: string): void {
  const value = old[name];
  if (value !== undefined) spec[name] = Array.isArray(value) ? [...value] : value;
}
