import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { Follow } from '../../fixtures/follow.ts';
import type { Admission, AdmissionChain } from '../contracts/admission.ts';
import type { Authorizer } from '../contracts/authorizer.ts';
import type { ResourceRegistry } from '../contracts/resourceRegistry.ts';
import type { Store } from '../contracts/store.ts';
import type { Random } from '../random.ts';
import type { Clock } from '../time.ts';
import { alwaysAdmit, alwaysDeny, alwaysPullImages } from './always.ts';
import { antiAffinity } from './antiAffinity.ts';
import { certificateApproval, certificateSigning, certificateSubject } from './certificates.ts';
import { admissionChain } from './chain.ts';
import { claimResize } from './claimResize.ts';
import { defaultIngressClass, defaultStorageClass } from './defaultClasses.ts';
import { defaultTolerations } from './defaultTolerations.ts';
import { celConditions } from './expressions/celConditions.ts';
import { externalAddresses } from './externalAddresses.ts';
import { limitRanger } from './limitRanger.ts';
import { namespaceExists } from './namespaceExists.ts';
import { namespaceLifecycle } from './namespaceLifecycle.ts';
import { nodeRestriction } from './nodeRestriction.ts';
import { nodeTaint } from './nodeTaint.ts';
import { ownerPermissions } from './ownerPermissions.ts';
import { podPriority } from './podPriority.ts';
import { podSecurity } from './podSecurity/podSecurity.ts';
import { podSecurityPolicy } from './podSecurity/podSecurityPolicy.ts';
import { mutatingPolicies } from './policies/mutatingPolicies.ts';
import { validatingPolicies } from './policies/validatingPolicies.ts';
import { priorityClasses, systemPriorities } from './priorityClasses.ts';
import { resourceQuota } from './quota/resourceQuota.ts';
import { runtimeClass } from './runtimeClass.ts';
import { serviceAccount } from './serviceAccount.ts';
import { storageProtection } from './storageProtection.ts';
import type { PutReview } from './webhooks/caller.ts';
import type { HookKind } from './webhooks/hook.ts';
import { webhookPlugin } from './webhooks/plugins.ts';
import type { ServiceAddresses } from './webhooks/serviceResolver.ts';
import type { HookDependencies } from './webhooks/validating.ts';

export interface AdmissionDependencies {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly dialect: Dialect;
  readonly random: Random;
  readonly clock: Clock;
  readonly authorizer: Authorizer;
  readonly follow: Follow;
  /** Where services are that webhook configurations name. */
  readonly services: ServiceAddresses;
  /** The seam of validating webhooks. */
  readonly webhooks: ((dependencies: HookDependencies) => HookDependencies) | undefined;
  /** The seam of reviews that hooks of either kind are asked for. */
  readonly hookReviews: ((put: PutReview) => PutReview) | undefined;
}

/** A plugin that the flags can turn on and off by its name. */
interface Plugin {
  readonly name: string;
  readonly byDefault: boolean;
  readonly make: (dependencies: AdmissionDependencies) => Admission;
}

/** In the order in which they run. */
const PLUGINS: readonly Plugin[] = [
  { name: 'AlwaysAdmit', byDefault: false, make: alwaysAdmit },
  { name: 'NamespaceExists', byDefault: false, make: namespaceExists },
  { name: 'NamespaceLifecycle', byDefault: true, make: ({ store, dialect }) => namespaceLifecycle(store, dialect) },
  { name: 'LimitPodHardAntiAffinityTopology', byDefault: false, make: antiAffinity },
  { name: 'LimitRanger', byDefault: true, make: limitRanger },
  { name: 'ServiceAccount', byDefault: true, make: serviceAccount },
  { name: 'NodeRestriction', byDefault: false, make: nodeRestriction },
  { name: 'TaintNodesByCondition', byDefault: true, make: nodeTaint },
  { name: 'PodSecurity', byDefault: true, make: podSecurity },
  { name: 'AlwaysPullImages', byDefault: false, make: alwaysPullImages },
  { name: 'Priority', byDefault: true, make: podPriority },
  { name: 'Priority', byDefault: true, make: priorityClasses },
  { name: 'DefaultTolerationSeconds', byDefault: true, make: ({ dialect }) => defaultTolerations(dialect) },
  { name: 'DefaultStorageClass', byDefault: true, make: defaultStorageClass },
  { name: 'StorageObjectInUseProtection', byDefault: true, make: storageProtection },
  { name: 'OwnerReferencesPermissionEnforcement', byDefault: false, make: ownerPermissions },
  { name: 'PersistentVolumeClaimResize', byDefault: true, make: claimResize },
  { name: 'RuntimeClass', byDefault: true, make: runtimeClass },
  { name: 'CertificateApproval', byDefault: true, make: certificateApproval },
  { name: 'CertificateSigning', byDefault: true, make: certificateSigning },
  { name: 'CertificateSubjectRestriction', byDefault: true, make: certificateSubject },
  { name: 'DefaultIngressClass', byDefault: true, make: defaultIngressClass },
  { name: 'DenyServiceExternalIPs', byDefault: false, make: externalAddresses },
  { name: 'PodSecurityPolicy', byDefault: false, make: podSecurityPolicy },
];

/** Plugins that ask others. They come last, so that nobody outside hears of what this server refuses by itself. */
const HOOKS: readonly Plugin[] = [
  { name: 'MutatingAdmissionPolicy', byDefault: true, make: changes },
  { name: 'MutatingAdmissionWebhook', byDefault: true, make: (dependencies) => hooks('mutating', dependencies) },
  { name: 'ValidatingAdmissionPolicy', byDefault: true, make: policies },
  { name: 'ValidatingAdmissionWebhook', byDefault: true, make: (dependencies) => hooks('validating', dependencies) },
  // What is counted should not be refused any more.
  { name: 'ResourceQuota', byDefault: true, make: resourceQuota },
  { name: 'AlwaysDeny', byDefault: false, make: alwaysDeny },
];

function changes(dependencies: AdmissionDependencies): Admission {
  return mutatingPolicies({ ...dependencies, conditions: celConditions(dependencies.authorizer) });
}

function policies(dependencies: AdmissionDependencies): Admission {
  return validatingPolicies({ ...dependencies, conditions: celConditions(dependencies.authorizer) });
}

function hooks(kind: HookKind, dependencies: AdmissionDependencies): Admission {
  return webhookPlugin(kind, {
    ...dependencies,
    conditions: celConditions(dependencies.authorizer),
    seam: dependencies.webhooks,
    reviews: dependencies.hookReviews,
  });
}

/**
 * The chain that the flags ask for: default plugins and those enabled, less those disabled, then what no flag can
 * turn off, and the webhooks behind all of it.
 */
export function createAdmission(
  asked: { readonly enable: readonly string[]; readonly disable: readonly string[] },
  dependencies: AdmissionDependencies,
  always: readonly Admission[],
): AdmissionChain {
  const chosen = (plugins: readonly Plugin[]) =>
    plugins
      .filter(({ name, byDefault }) => (byDefault || asked.enable.includes(name)) && !asked.disable.includes(name))
      .map(({ make }) => make(dependencies));
  return admissionChain([...chosen(PLUGINS), systemPriorities(dependencies.dialect), ...always, ...chosen(HOOKS)]);
}
