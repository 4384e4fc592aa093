import { nearest } from '../collections/nearest.ts';

/** Names that the admission flags take: the plugins of the service, whether or not they do something here. */
const KNOWN: ReadonlySet<string> = new Set(
  `AlwaysAdmit AlwaysDeny AlwaysPullImages CertificateApproval CertificateSigning CertificateSubjectRestriction
   ClusterTrustBundleAttest DefaultIngressClass DefaultStorageClass DefaultTolerationSeconds
   DenyServiceExternalIPs EventRateLimit ExtendedResourceToleration ImagePolicyWebhook
   LimitPodHardAntiAffinityTopology LimitRanger MutatingAdmissionPolicy MutatingAdmissionWebhook
   NamespaceAutoProvision NamespaceExists NamespaceLifecycle NodeRestriction OwnerReferencesPermissionEnforcement
   PersistentVolumeClaimResize PodNodeSelector PodSecurity PodTolerationRestriction PodTopologyLabels Priority
   ResourceQuota RuntimeClass ServiceAccount StorageObjectInUseProtection TaintNodesByCondition
   ValidatingAdmissionPolicy ValidatingAdmissionWebhook`.split(/\s+/),
);

/** Plugins that went, with the first release that does not know them. */
const GONE: ReadonlyMap<string, number> = new Map([['PodSecurityPolicy', 25]]);

/**
 * Errors in the two admission flags, one sentence each: unknown plugins, and plugins that both name.
 * @param release minor of the release
 */
export function admissionFlagErrors(enable: readonly string[], disable: readonly string[], release: number): string[] {
  const errors: string[] = [];
  for (const [flag, names] of [
    ['enable', enable],
    ['disable', disable],
  ] as const) {
    for (const name of names) {
      const gone = GONE.get(name);
      if (KNOWN.has(name) || (gone !== undefined && release < gone)) continue;
      if (gone !== undefined) {
        errors.push(`--${flag}-admission-plugins: plugin ${name} was removed in release 1.${gone}`);
        continue;
      }
      const close = nearest(name, KNOWN);
      errors.push(
        `--${flag}-admission-plugins: there is no plugin ${name}${close === undefined ? '' : `; did you mean ${close}?`}`,
      );
    }
  }
  for (const name of enable) {
    if (disable.includes(name)) {
      errors.push(`--enable-admission-plugins and --disable-admission-plugins both name ${name}`);
    }
  }
  return errors;
}
