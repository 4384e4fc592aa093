import type { JsonObject } from '../suites/harness/json.ts';
import { clusterRoles, configMaps, type Kind, leases } from '../suites/harness/kinds.ts';

/** A type of objects that clients of a storm write. */
export interface StormType {
  readonly kind: Kind;
  /** What a write puts into an object, beside its metadata. */
  readonly content: (mark: string) => JsonObject;
  /** Where a JSON patch writes a text into it. */
  readonly pointer: string;
  /** It is defined for the storm, and knows no strategic merge. */
  readonly custom: boolean;
}

/** The annotation that stands in for content in what has none that is without effect. */
const NOTE = 'storm.touchstone/note';

/** The type that a storm defines for itself. */
export const CUSTOM = { plural: 'gusts', kind: 'Gust', domain: 'touchstone.example' } as const;

/**
 * Types by the name that the flag has for them: a built-in one of the core group, one of a named group, one without
 * namespaces, and one of the storm's own.
 */
const TYPES: Readonly<Record<string, (storm: string) => StormType>> = {
  configmaps: () => ({
    kind: configMaps,
    content: (mark) => ({ data: { by: mark } }),
    pointer: '/data/json',
    custom: false,
  }),
  leases: () => ({
    kind: leases,
    content: (mark) => ({ spec: { holderIdentity: mark } }),
    pointer: '/spec/holderIdentity',
    custom: false,
  }),
  // Roles that allow nothing.
  clusterroles: () => ({
    kind: clusterRoles,
    content: () => ({ rules: [] }),
    pointer: `/metadata/annotations/${NOTE.replaceAll('/', '~1')}`,
    custom: false,
  }),
  custom: (storm) => ({
    kind: {
      kind: CUSTOM.kind,
      plural: CUSTOM.plural,
      prefix: '',
      group: `${storm}.${CUSTOM.domain}`,
      version: 'v1',
      namespaced: true,
      specified: false,
      least: () => ({ spec: {} }),
    },
    content: (mark) => ({ spec: { by: mark } }),
    pointer: '/spec/json',
    custom: true,
  }),
};
export const TYPE_NAMES = Object.keys(TYPES);

/** @param name one of {@link TYPE_NAMES} @param storm the name of the storm, which the group of its own type has */
export function stormType(name: string, storm: string): StormType {
  const type = TYPES[name];
  if (!type) throw new Error(`no type of storms is called ${name}`);
  return type(storm);
}
