import { configMaps, type Kind, serviceAccounts } from '../../harness/index.ts';

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
