import { type Actor, configMaps, type Kind, named, serviceAccounts, unsupported } from '../../harness/index.ts';

/** Kinds with a subresource that webhooks can be asked about; the specification does not define them. */

const labels = { app: 'touchstone' };

/** With a scale. The least of it runs nothing. */
export const deployments: Kind = {
  ...configMaps,
  kind: 'Deployment',
  plural: 'deployments',
  prefix: '',
  group: 'apps',
  least: () => ({
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } },
    },
  }),
};

/** With a proxy, to which one connects. */
export const serviceObjects: Kind = {
  ...configMaps,
  kind: 'Service',
  plural: 'services',
  least: () => ({ spec: { ports: [{ port: 80 }] } }),
};

/** With tokens, which are created and not stored. */
export const accounts: Kind = serviceAccounts;

/** Prepares a service to connect to, behind which nobody listens; where none can be connected to, the check is unsupported. */
export async function servedProxy(author: Actor, served: readonly string[]): Promise<void> {
  if (!served.includes('v1/services/proxy')) unsupported('discovery lists no proxy subresource of services');
  await author.given(serviceObjects, named('behind'));
}
