import { configMaps, type Kind } from '../../harness/index.ts';

/** Services: ports are a list with two keys, the selector an atomic map, and status a subresource. */
export const services: Kind = {
  ...configMaps,
  kind: 'Service',
  plural: 'services',
  least: () => ({ spec: { clusterIP: 'None', ports: [{ name: 'a', port: 80 }] } }),
};

/** A condition of a status. */
export const condition = (type: string) => ({
  type,
  status: 'True',
  reason: 'Touched',
  message: '',
  lastTransitionTime: '2030-01-01T00:00:00Z',
});
