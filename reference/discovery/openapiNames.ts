import type { Dialect } from '../../fixtures/dialects/dialect.ts';

/** Packages of types that do not stand among those of the service's own groups. */
const PACKAGES: Readonly<Record<string, string>> = {
  internal: 'api.apiserverinternal',
  meta: 'apimachinery.pkg.apis.meta',
  apiextensions: 'apiextensions-apiserver.pkg.apis.apiextensions',
  apiregistration: 'kube-aggregator.pkg.apis.apiregistration',
};

/** Names of the types that scalars have in OpenAPI. */
export const SCALAR_NAMES = {
  quantity: 'apimachinery.pkg.api.resource.Quantity',
  intOrString: 'apimachinery.pkg.util.intstr.IntOrString',
  time: 'apimachinery.pkg.apis.meta.v1.Time',
  microTime: 'apimachinery.pkg.apis.meta.v1.MicroTime',
  duration: 'apimachinery.pkg.apis.meta.v1.Duration',
  fields: 'apimachinery.pkg.apis.meta.v1.FieldsV1',
  raw: 'apimachinery.pkg.runtime.RawExtension',
} as const;

/** A domain with its parts in reverse: `io.k8s`. */
export function reversed(domain: string): string {
  return domain.split('.').reverse().join('.');
}

/** The name of a built-in type: `core.v1.PodSpec` becomes `io.k8s.api.core.v1.PodSpec`. */
export function definitionName(dialect: Dialect, name: string): string {
  const [module = '', ...rest] = name.split('.');
  return `${reversed(dialect.apiDomain)}.${PACKAGES[module] ?? `api.${module}`}.${rest.join('.')}`;
}
/** The name of a type under a package of the service. */
export function packageName(dialect: Dialect, name: string): string {
  return `${reversed(dialect.apiDomain)}.${name}`;
}
/** The name of a type made from a definition: `com.example.stable.v1.CronTab`. */
export function customName(group: string, version: string, kind: string): string {
  return `${reversed(group)}.${version}.${kind}`;
}
