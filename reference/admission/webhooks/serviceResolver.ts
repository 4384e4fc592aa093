import { asJson } from '../../api/object.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../../api/parts.ts';
import type { Store } from '../../contracts/store.ts';
import { objectKey } from '../../contracts/storeKeys.ts';
import type { HookService } from './hook.ts';

export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}
/** Addresses that the operator gave: by `namespace/name:port`, or by `namespace/name` for every port. */
export type ServiceAddresses = ReadonlyMap<string, ServiceAddress>;

/** A service leads nowhere; the message is as the client is told. */
export class ServiceFault extends Error {}

/**
 * Where a service is. This server routes no cluster network: a service is where the operator says, or where its
 * external name leads.
 * @throws ServiceFault
 */
export async function resolveService(
  { namespace, name, port }: HookService,
  given: ServiceAddresses,
  store: Store,
): Promise<ServiceAddress> {
  const own = given.get(`${namespace}/${name}:${port}`) ?? given.get(`${namespace}/${name}`);
  if (own) return own;
  const entry = await store.get(objectKey({ group: '', resource: 'services' }, namespace, name));
  const shown = JSON.stringify(name);
  if (!entry) throw new ServiceFault(`service ${shown} not found`);
  const spec = objectOf(asJson(entry.object).spec);
  if (spec.type === 'ExternalName') return { host: textOf(spec.externalName), port };
  if (spec.clusterIP === 'None') throw new ServiceFault('cannot route to service with ClusterIP "None"');
  if (!objectsOf(spec.ports).some((one) => numberOf(one.port) === port)) {
    throw new ServiceFault(`no service port ${port} found for service ${shown}`);
  }
  throw new ServiceFault(`no endpoints available for service ${shown}`);
}
