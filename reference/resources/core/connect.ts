import { objectOf, textOf } from '../../api/parts.ts';
import { badRequest, notFound, serviceUnavailable } from '../../api/status.ts';
import type { SubresourceOperation } from '../../contracts/resourceType.ts';

/*
 * Subresources that reach into what runs: this service has no nodes, so each ends where the real one finds that
 * there is nobody to reach. All of them throw ApiError. By name of the subresource.
 */

type Connections = Readonly<Record<string, SubresourceOperation>>;

const reach: SubresourceOperation = async ({ parent }) => {
  const node = textOf(objectOf(parent.spec).nodeName);
  if (node === '') throw badRequest(`pod ${parent.metadata.name} does not have a host assigned`);
  throw notFound({ group: '', resource: 'nodes' }, node);
};

export const podConnect: Connections = {
  attach: reach,
  exec: reach,
  log: reach,
  portforward: reach,
  proxy: async () => {
    throw badRequest('address not allowed');
  },
};

export const nodeConnect: Connections = {
  proxy: async () => {
    throw serviceUnavailable('no preferred addresses found; known addresses: []');
  },
};

export const serviceConnect: Connections = {
  proxy: async ({ parent }) => {
    throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(parent.metadata.name)}`);
  },
};
