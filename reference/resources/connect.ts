import { objectOf, textOf } from '../api/parts.ts';
import { badRequest, notFound, serviceUnavailable } from '../api/status.ts';
import type { SubresourceOperation } from '../contracts/resourceType.ts';

/*
 * Subresources that reach into what runs: this service has no nodes, so each ends where the real one finds that
 * there is nobody to reach. All of them throw ApiError.
 */

const toPod: SubresourceOperation = async ({ parent }) => {
  const node = textOf(objectOf(parent.spec).nodeName);
  if (node === '') throw badRequest(`pod ${parent.metadata.name} does not have a host assigned`);
  throw notFound({ group: '', resource: 'nodes' }, node);
};

/** By type and subresource. */
const operations: Readonly<Record<string, SubresourceOperation>> = {
  'pods/proxy': async () => {
    throw badRequest('address not allowed');
  },
  'nodes/proxy': async () => {
    throw serviceUnavailable('no preferred addresses found; known addresses: []');
  },
  'services/proxy': async ({ parent }) => {
    throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(parent.metadata.name)}`);
  },
};

/** What a subresource of the form `connect` does. */
export function connectOperation(resource: string, subresource: string): SubresourceOperation {
  return operations[`${resource}/${subresource}`] ?? toPod;
}
