import type { Json, JsonObject } from '../../../api/json.ts';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../../../api/parts.ts';
import { AGE, type ApiObject, column, named, wide } from '../../columns/column.ts';
import { firstFew, labelsText, NONE, orNone, UNKNOWN } from '../../columns/labels.ts';

const LINKS = 'https://kubernetes.io/docs/concepts/services-networking/service/';
const LONGEST_ADDRESSES = 16;

/** Addresses of a load balancer, cut short for a narrow column. */
export function balancerText(status: Json | undefined): string {
  const ingress = objectsOf(objectOf(objectOf(status).loadBalancer).ingress);
  const found = new Set(ingress.map((one) => textOf(one.ip) || textOf(one.hostname)).filter((text) => text !== ''));
  const text = [...found].sort().join(',');
  return text.length > LONGEST_ADDRESSES ? `${text.slice(0, LONGEST_ADDRESSES - 3)}...` : text;
}

function externalText(service: ApiObject): string {
  const spec = objectOf(service.spec);
  const addresses = textsOf(spec.externalIPs);
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return orNone(addresses.join(','));
    case 'LoadBalancer': {
      const balancer = balancerText(service.status as Json | undefined);
      if (addresses.length > 0) return [...(balancer === '' ? [] : balancer.split(',')), ...addresses].join(',');
      return balancer || '<pending>';
    }
    case 'ExternalName':
      return textOf(spec.externalName);
    default:
      return UNKNOWN;
  }
}

function portText(port: JsonObject): string {
  const node = numberOf(port.nodePort) ?? 0;
  const number = numberOf(port.port) ?? 0;
  return `${node > 0 ? `${number}:${node}` : number}/${textOf(port.protocol)}`;
}

export const serviceColumns = named(
  column(
    'Type',
    `type determines how the Service is exposed. Defaults to ClusterIP. Valid options are ExternalName, ClusterIP, NodePort, and LoadBalancer. "ClusterIP" allocates a cluster-internal IP address for load-balancing to endpoints. Endpoints are determined by the selector or if that is not specified, by manual construction of an Endpoints object or EndpointSlice objects. If clusterIP is "None", no virtual IP is allocated and the endpoints are published as a set of endpoints rather than a virtual IP. "NodePort" builds on ClusterIP and allocates a port on every node which routes to the same endpoints as the clusterIP. "LoadBalancer" builds on NodePort and creates an external load-balancer (if supported in the current cloud) which routes to the same endpoints as the clusterIP. "ExternalName" aliases this service to the specified externalName. Several other fields do not apply to ExternalName services. More info: ${LINKS}#publishing-services-service-types`,
    (service) => textOf(objectOf(service.spec).type),
  ),
  column(
    'Cluster-IP',
    `clusterIP is the IP address of the service and is usually assigned randomly. If an address is specified manually, is in-range (as per system configuration), and is not in use, it will be allocated to the service; otherwise creation of the service will fail. This field may not be changed through updates unless the type field is also being changed to ExternalName (which requires this field to be blank) or the type field is being changed from ExternalName (in which case this field may optionally be specified, as describe above).  Valid values are "None", empty string (""), or a valid IP address. Setting this to "None" makes a "headless service" (no virtual IP), which is useful when direct endpoint connections are preferred and proxying is not required.  Only applies to types ClusterIP, NodePort, and LoadBalancer. If this field is specified when creating a Service of type ExternalName, creation will fail. This field will be wiped when updating a Service to type ExternalName. More info: ${LINKS}#virtual-ips-and-service-proxies`,
    (service) => textsOf(objectOf(service.spec).clusterIPs)[0] ?? NONE,
  ),
  column(
    'External-IP',
    'externalIPs is a list of IP addresses for which nodes in the cluster will also accept traffic for this service.  These IPs are not managed by Kubernetes.  The user is responsible for ensuring that traffic arrives at a node with this IP.  A common example is external load-balancers that are not part of the Kubernetes system.',
    externalText,
  ),
  column(
    'Port(s)',
    `The list of ports that are exposed by this service. More info: ${LINKS}#virtual-ips-and-service-proxies`,
    (service) => orNone(objectsOf(objectOf(service.spec).ports).map(portText).join(',')),
  ),
  AGE,
  wide(
    'Selector',
    `Route service traffic to pods with label keys and values matching this selector. If empty or not present, the service is assumed to have an external process managing its endpoints, which Kubernetes will not modify. Only applies to types ClusterIP, NodePort, and LoadBalancer. Ignored if type is ExternalName. More info: ${LINKS}`,
    (service) => labelsText(objectOf(service.spec).selector),
  ),
);

function hostPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

function endpointsText(endpoints: ApiObject): string {
  const found = objectsOf(endpoints.subsets as Json | undefined).flatMap((subset) => {
    const addresses = objectsOf(subset.addresses).map((one) => textOf(one.ip));
    const ports = objectsOf(subset.ports);
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) => addresses.map((ip) => hostPort(ip, numberOf(port.port) ?? 0)));
  });
  return orNone(firstFew(found, 3));
}

export const endpointsColumns = named(column('Endpoints', 'Addresses and ports that answer.', endpointsText), AGE);
