import { groupName } from '../../fixtures/dialects/dialect.ts';
import type { JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import type { Services } from '../contracts/call.ts';
import type { Client } from '../contracts/client.ts';
import { SYSTEM_PRIORITIES } from '../objects/systemPriorities.ts';

/** The first address of the range that services get theirs from: the service's own. */
const SERVICE_ADDRESS = '10.0.0.1';
const SERVICE_PORT = 443;

/** Creates what a server is never without: its namespaces and the service that stands for it. Throws ApiError. */
export async function bootstrap({ dialect }: Services, client: Client): Promise<void> {
  const { systemNamespace, publicNamespace, nodeLeaseNamespace } = dialect;
  for (const name of ['default', systemNamespace, nodeLeaseNamespace, publicNamespace]) {
    await place(client, 'namespaces', '', name, {});
  }
  for (const [name, value, description] of SYSTEM_PRIORITIES) {
    await place(client, 'priorityclasses', '', name, { value, description }, groupName(dialect, 'scheduling'));
  }
  await place(client, 'services', 'default', dialect.serviceName, {
    metadata: { labels: { component: 'apiserver', provider: dialect.serviceName } },
    spec: ownService(),
  });
}

function ownService(): JsonObject {
  return {
    clusterIP: SERVICE_ADDRESS,
    clusterIPs: [SERVICE_ADDRESS],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    ports: [{ name: 'https', port: SERVICE_PORT, protocol: 'TCP', targetPort: 6443 }],
    sessionAffinity: 'None',
    type: 'ClusterIP',
  };
}

async function place(
  client: Client,
  resource: string,
  namespace: string,
  name: string,
  body: Partial<ApiObject>,
  group = '',
): Promise<void> {
  const type = client.type(group, resource);
  if (!type) return;
  const address = { type, namespace, name };
  // A store that was there before has it already, and its service would find its address taken by itself.
  if (await client.get(address)) return;
  try {
    await client.create(address, body);
  } catch (error) {
    // Another server of the same store may have begun at the same time, and been first.
    if (!(await client.get(address))) throw error;
  }
}
