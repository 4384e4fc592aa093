import { isObject, type JsonObject } from '../../../api/json.ts';
import type { ApiObject } from '../../../api/object.ts';
import { ensureObject, listOf, numberOf, objectOf, setDefault, textOf } from '../../../api/parts.ts';
import { isExternallyAccessible, needsAddress } from './serviceParts.ts';

/** Seconds for which a client stays with one backend. */
const AFFINITY_SECONDS = 10_800;

/** Fills what a service leaves out and what no allocation is needed for. */
export function fillService(service: ApiObject): void {
  const spec = ensureObject(service, 'spec');
  setDefault(spec, 'sessionAffinity', 'None');
  setDefault(spec, 'type', 'ClusterIP');
  fillAffinity(spec);
  for (const port of listOf(spec.ports)) if (isObject(port)) fillPort(port);
  if (isExternallyAccessible(spec)) setDefault(spec, 'externalTrafficPolicy', 'Cluster');
  if (needsAddress(spec)) spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of listOf(objectOf(objectOf(service.status).loadBalancer).ingress)) {
    if (isObject(ingress) && textOf(ingress.ip) !== '') ingress.ipMode ??= 'VIP';
  }
}

function fillAffinity(spec: JsonObject): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') return;
  const config = ensureObject(ensureObject(spec, 'sessionAffinityConfig'), 'clientIP');
  config.timeoutSeconds ??= AFFINITY_SECONDS;
}

/** Traffic goes to the port of the same number unless another one is named. */
function fillPort(port: JsonObject): void {
  setDefault(port, 'protocol', 'TCP');
  if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === '') {
    port.targetPort = numberOf(port.port) ?? 0;
  }
}
