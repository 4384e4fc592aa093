import { metaV1 } from './metaV1.ts';
import { TypeLibrary } from './notation.ts';
import { betaScale, scale } from './scaleTypes.ts';
import type { ObjectSchema } from './schema.ts';

/** Types that no resource has, in the notation of schema/notation.ts. */
const representations = `
PartialObjectMetadata kind
  metadata 1 meta.v1.ObjectMeta!
PartialObjectMetadataList kind
  metadata 1 meta.v1.ListMeta!
  items 2 []PartialObjectMetadata!
APIGroupList kind
  groups 1 []meta.v1.APIGroup!
APIVersions kind
  versions 1 []string!
  serverAddressByClientCIDRs 2 []meta.v1.ServerAddressByClientCIDR!
`;

/** Aggregated discovery, the same in its two versions. */
const aggregated = `
GroupVersionKind
  group 1 string!
  version 2 string!
  kind 3 string!
APISubresourceDiscovery
  subresource 1 string!
  responseKind 2 GroupVersionKind*
  acceptedTypes 3 []GroupVersionKind
  verbs 4 []string!
APIResourceDiscovery
  resource 1 string!
  responseKind 2 GroupVersionKind*
  scope 3 string!
  singularResource 4 string!
  verbs 5 []string!
  shortNames 6 []string
  categories 7 []string
  subresources 8 []APISubresourceDiscovery
APIVersionDiscovery
  version 1 string!
  resources 2 []APIResourceDiscovery
  freshness 3 string
APIGroupDiscovery kind
  metadata 1 meta.v1.ObjectMeta!
  versions 2 []APIVersionDiscovery
APIGroupDiscoveryList kind
  metadata 1 meta.v1.ListMeta!
  items 2 []APIGroupDiscovery!
`;

const library = new TypeLibrary(
  new Map([
    ['meta.v1', metaV1],
    ['autoscaling.v1', scale],
    ['apps.v1beta1', betaScale],
    ['apps.v1beta2', betaScale],
    ['extensions.v1beta1', betaScale],
    ['representations', representations],
    ['discovery', aggregated],
  ]),
  { release: Number.MAX_SAFE_INTEGER, vendor: '' },
);

/** The schema of a type of the service that belongs to no resource: `meta.v1.Status`, `representations.APIVersions`. */
export function metaType(name: string): ObjectSchema {
  return library.type(name);
}

const MODULES = ['meta.v1', 'representations', 'discovery'] as const;

/** The schema of a document by its kind; undefined when it is none of these. */
export function documentSchema(kind: string): ObjectSchema | undefined {
  for (const module of MODULES) {
    const found = library.find(`${module}.${kind}`);
    if (found) return found;
  }
  return undefined;
}
