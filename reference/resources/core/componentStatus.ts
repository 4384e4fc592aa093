import type { ApiObject } from '../../api/object.ts';
import type { RuleMaker } from '../builtinType.ts';

/** Components with the address at which they tell of their health; the store is part of this service. */
const COMPONENTS = [
  ['scheduler', '127.0.0.1:10259'],
  ['controller-manager', '127.0.0.1:10257'],
  ['etcd-0', undefined],
] as const;

/** How the parts of the whole are. Nothing runs beside this service, so only its store answers. */
export const componentStatusRules: RuleMaker = () => ({ computed: () => COMPONENTS.map(statusOf) });

function statusOf([name, address]: (typeof COMPONENTS)[number]): ApiObject {
  const message =
    address === undefined ? 'ok' : `Get "https://${address}/healthz": dial tcp ${address}: connect: connection refused`;
  return {
    kind: 'ComponentStatus',
    apiVersion: 'v1',
    metadata: { name },
    conditions: [{ type: 'Healthy', status: address === undefined ? 'True' : 'False', message }],
  };
}
