import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import type { ResourceType } from '../contracts/resourceType.ts';

/**
 * How a type checks metadata beyond what all types share. The causes of a 422 repeat what several checks find,
 * so the number of checks is visible on the wire.
 */
export interface MetadataChecks {
  /** Finalizers without a domain are refused, except for the standard ones. */
  readonly domainFinalizers: boolean;
  /** What an update of the type checks again, in order: the metadata for itself, or against the old one. */
  readonly onUpdate: readonly ('object' | 'change')[];
}

const CHANGE = ['change'] as const;
const OBJECT = ['object'] as const;
const OBJECT_CHANGE = ['object', 'change'] as const;
const CHANGE_OBJECT = ['change', 'object'] as const;

/** By prefix of the group (`''` is the core group) and plural. Types that are not listed check the change. */
const CORE_CHECKS: Readonly<Record<string, MetadataChecks['onUpdate']>> = {
  configmaps: CHANGE_OBJECT,
  secrets: CHANGE_OBJECT,
  serviceaccounts: CHANGE_OBJECT,
  services: CHANGE_OBJECT,
  endpoints: CHANGE_OBJECT,
  pods: CHANGE_OBJECT,
  nodes: OBJECT_CHANGE,
  persistentvolumes: OBJECT,
  persistentvolumeclaims: ['object', 'change', 'object'],
  replicationcontrollers: OBJECT_CHANGE,
  limitranges: OBJECT,
  events: [],
};
const GROUP_CHECKS: Readonly<Record<string, Readonly<Record<string, MetadataChecks['onUpdate']>>>> = {
  apps: { statefulsets: OBJECT_CHANGE, daemonsets: OBJECT_CHANGE },
  batch: { jobs: OBJECT_CHANGE },
  policy: { poddisruptionbudgets: [] },
  'rbac.authorization': {
    roles: OBJECT_CHANGE,
    clusterroles: OBJECT_CHANGE,
    rolebindings: OBJECT_CHANGE,
    clusterrolebindings: OBJECT_CHANGE,
  },
  networking: { networkpolicies: OBJECT_CHANGE },
  storage: { storageclasses: OBJECT_CHANGE },
  discovery: { endpointslices: OBJECT },
  certificates: { certificatesigningrequests: OBJECT_CHANGE },
  'flowcontrol.apiserver': { flowschemas: OBJECT, prioritylevelconfigurations: OBJECT },
  node: { runtimeclasses: OBJECT_CHANGE },
  admissionregistration: {
    validatingwebhookconfigurations: OBJECT,
    mutatingwebhookconfigurations: OBJECT,
    validatingadmissionpolicies: OBJECT,
    validatingadmissionpolicybindings: OBJECT,
  },
  apiregistration: { apiservices: CHANGE_OBJECT },
};
/** Groups whose types take any finalizer that is a qualified name. */
const FREE_FINALIZER_GROUPS = ['admissionregistration', 'apiextensions', 'apiregistration'];

export function metadataChecksOf(type: ResourceType, dialect: Dialect): MetadataChecks {
  if (type.custom) return { domainFinalizers: false, onUpdate: CHANGE };
  const inGroup = type.group === '' ? CORE_CHECKS : checksOfGroup(type.group, dialect);
  return {
    domainFinalizers: !FREE_FINALIZER_GROUPS.some((prefix) => type.group === groupName(dialect, prefix)),
    onUpdate: inGroup?.[type.resource] ?? CHANGE,
  };
}

function checksOfGroup(group: string, dialect: Dialect): Readonly<Record<string, MetadataChecks['onUpdate']>> {
  for (const [prefix, checks] of Object.entries(GROUP_CHECKS)) {
    if (group === prefix || group === groupName(dialect, prefix)) return checks;
  }
  return {};
}
