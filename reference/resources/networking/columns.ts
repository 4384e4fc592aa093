import type { Json, JsonObject } from '../../api/json.ts';
import { isObject } from '../../api/json.ts';
import { listOf, objectOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import { AGE, type ApiObject, column, named } from '../columns/column.ts';
import { firstFew, NONE, orNone, selectorText } from '../columns/labels.ts';
import { balancerText } from '../core/services/columns.ts';

const spec = (object: ApiObject): JsonObject => objectOf(object.spec);
const MOST_SHOWN = 3;

function parametersText(parameters: Json | undefined): string {
  if (!isObject(parameters)) return NONE;
  const group = textOf(parameters.apiGroup);
  return `${textOf(parameters.kind)}${group === '' ? '' : `.${group}`}/${textOf(parameters.name)}`;
}

function hostsText(rules: Json | undefined): string {
  const hosts = objectsOf(rules).map((rule) => textOf(rule.host) || '*');
  return hosts.length === 0 ? '*' : firstFew(hosts, MOST_SHOWN);
}

function parentText(parent: JsonObject): string {
  const group = textOf(parent.group);
  const resource = `${textOf(parent.resource)}${group === '' ? '' : `.${group}`}`;
  return [resource, textOf(parent.namespace), textOf(parent.name)].filter((part) => part !== '').join('/');
}

export const ingressClassColumns = named(
  column('Controller', 'Who serves ingresses of the class.', (object) => textOf(spec(object).controller)),
  column('Parameters', 'What configures the controller further.', (object) => parametersText(spec(object).parameters)),
  AGE,
);

export const ingressColumns = named(
  column('Class', 'The class of the ingress.', (object) => orNone(textOf(spec(object).ingressClassName))),
  column('Hosts', 'Hosts that the ingress answers for.', (object) => hostsText(spec(object).rules)),
  column('Address', 'Where the ingress is reached.', (object) => balancerText(object.status as Json | undefined)),
  column('Ports', 'Ports of the ingress.', (object) => (listOf(spec(object).tls).length > 0 ? '80, 443' : '80')),
  AGE,
);

export const ipAddressColumns = named(
  column('ParentRef', 'What has the address.', (object) => {
    const { parentRef } = spec(object);
    return isObject(parentRef) ? parentText(parentRef) : NONE;
  }),
);

export const networkPolicyColumns = named(
  column('Pod-Selector', 'Pods that the policy is for.', (object) => selectorText(spec(object).podSelector)),
  AGE,
);

export const serviceCIDRColumns = named(
  column('CIDRs', 'Ranges that addresses of services come from.', (object) => textsOf(spec(object).cidrs).join(',')),
  AGE,
);
