import type { User } from '../api/identity.ts';
import { EMPTY_QUERY } from '../api/query.ts';
import type { Exchange, IncomingRequest, ResourceRequest, WarningSink } from '../api/request.ts';
import type { Call } from '../contracts/call.ts';
import type { ResourceType } from '../contracts/resourceType.ts';

/** Who the service itself acts as. */
export const SERVICE_USER: User = {
  username: 'system:apiserver',
  uid: '',
  groups: ['system:authenticated', 'system:masters'],
  extra: {},
};

const NO_WARNINGS: WarningSink = { add: () => {}, list: () => [] };
const NO_BYTES = new Uint8Array();
const NEVER = new AbortController().signal;

/** An exchange of the service with itself: what a request would be, without a wire. */
export function internalExchange(
  type: ResourceType,
  verb: ResourceRequest['verb'],
  namespace: string,
  name: string,
  subresource = '',
): Call['exchange'] {
  const path = `internal:${type.group}/${type.storageVersion}/${type.resource}/${namespace}/${name}`;
  const request: IncomingRequest = {
    method: 'POST',
    path,
    target: path,
    query: EMPTY_QUERY,
    headers: {},
    remoteAddress: '',
    secure: true,
    peerCertificate: undefined,
    headerLines: undefined,
    signal: NEVER,
    body: async () => NO_BYTES,
  };
  const info: ResourceRequest = {
    isResource: true,
    verb,
    group: type.group,
    version: type.storageVersion,
    resource: type.resource,
    subresource,
    namespace,
    below: namespace,
    name,
    path,
    rest: [],
  };
  const exchange: Exchange & { readonly info: ResourceRequest } = {
    request,
    info,
    user: SERVICE_USER,
    warnings: NO_WARNINGS,
    audit: new Map(),
    trace: undefined,
  };
  return exchange;
}
