import { type FieldError, invalid, notSupported } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { qualifiedName } from '../../../api/nameRules.ts';
import { type PodScope, SINCE } from './scope.ts';

/*
 * Names of resources: a few plain ones, those of the service's own domain, and those of others, which are whole
 * things and cannot be promised twice.
 */

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const STANDARD = new Set([
  ...COMPUTE,
  ...COMPUTE.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'storage',
  'requests.storage',
  'services.nodeports',
  'services.loadbalancers',
]);
/** Resources that are counted. */
const COUNTED = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);

export const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

/** Whether the name belongs to the service. */
function isNative(name: string, domain: string): boolean {
  return !name.includes('/') || name.includes(`${domain}/`);
}

/** Whether the name is a proper one of somebody else's. */
function isExtended(name: string, domain: string): boolean {
  if (isNative(name, domain) || name.startsWith('requests.')) return false;
  return qualifiedName(`requests.${name}`).length === 0;
}

/** Whether more can be allowed of a resource than is there. */
export function isOvercommittable(name: string, domain: string): boolean {
  return isNative(name, domain) && !isHugePages(name);
}

/** Whether a resource comes in whole pieces. */
export function isWhole(name: string, domain: string): boolean {
  return COUNTED.has(name) || isExtended(name, domain);
}

function validateName(name: string, path: FieldPath): FieldError[] {
  const errors = qualifiedName(name).map((fault) => invalid(path, name, fault));
  if (errors.length > 0 || name.includes('/')) return errors;
  if (STANDARD.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-')) return [];
  return [invalid(path, name, 'must be a standard resource type or fully qualified')];
}

/** Faults of the name of a resource that a container asks for. */
export function validateContainerResource(name: string, path: FieldPath, { labelDomain }: PodScope): FieldError[] {
  const errors = validateName(name, path);
  if (errors.length > 0) return errors;
  if (!name.includes('/')) {
    if (COMPUTE.includes(name) || isHugePages(name)) return [];
    return [invalid(path, name, 'must be a standard resource for containers')];
  }
  if (isNative(name, labelDomain) || isExtended(name, labelDomain)) return [];
  return [invalid(path, name, "doesn't follow extended resource name standard")];
}

/** First release in which pods as a whole can ask for huge pages. */
const POD_PAGES_SINCE = SINCE.podResources;

/** Faults of the name of a resource that a pod as a whole asks for. */
export function validatePodResource(name: string, path: FieldPath, { release }: PodScope): FieldError[] {
  const errors = validateName(name, path);
  const pages = release >= POD_PAGES_SINCE;
  if (errors.length > 0 || name === 'cpu' || name === 'memory' || (pages && isHugePages(name))) return errors;
  return [notSupported(path, name, pages ? ['cpu', 'hugepages-', 'memory'] : ['cpu', 'memory'])];
}
