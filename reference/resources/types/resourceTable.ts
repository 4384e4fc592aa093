/**
 * The built-in resource types, in the order in which discovery lists them. A line with a group and the version in which
 * its objects are kept and judged, whichever versions a release serves; then a line a type: plural, kind, scope, verbs
 * (`*` for all eight), short names, categories, `as=VERSION` where it is kept in another version than the rest of the
 * group, `of=GROUP/VERSION` where its objects are those of another group; below a type a line a subresource: name, form,
 * verbs, the kind it takes where that is not the kind of the type, `since=N` and `until=N` for releases with and without
 * it, `in=VERSION,…` where only those versions have it.
 */
export const resourceTable: string = `
core v1
  bindings Binding namespaced create
  componentstatuses ComponentStatus cluster get,list short=cs
  configmaps ConfigMap namespaced * short=cm
  endpoints Endpoints namespaced * short=ep
  events Event namespaced * short=ev
  limitranges LimitRange namespaced * short=limits
  namespaces Namespace cluster create,delete,get,list,patch,update,watch short=ns
    finalize part update
    status status get,patch,update
  nodes Node cluster * short=no
    proxy connect create,delete,get,patch,update NodeProxyOptions
    status status get,patch,update
  persistentvolumeclaims PersistentVolumeClaim namespaced * short=pvc
    status status get,patch,update
  persistentvolumes PersistentVolume cluster * short=pv
    status status get,patch,update
  pods Pod namespaced * short=po in=all
    attach connect create,get PodAttachOptions
    binding operation create core.v1.Binding
    ephemeralcontainers part get,patch,update
    eviction operation create policy.v1.Eviction since=22
    eviction operation create policy.v1beta1.Eviction until=22
    exec connect create,get PodExecOptions
    log connect get Pod
    portforward connect create,get PodPortForwardOptions
    proxy connect create,delete,get,patch,update PodProxyOptions
    resize part get,patch,update since=33
    status status get,patch,update
  podtemplates PodTemplate namespaced *
  replicationcontrollers ReplicationController namespaced * short=rc in=all
    scale scale get,patch,update
    status status get,patch,update
  resourcequotas ResourceQuota namespaced * short=quota
    status status get,patch,update
  secrets Secret namespaced *
  serviceaccounts ServiceAccount namespaced * short=sa
    token operation create authentication.v1.TokenRequest
  services Service namespaced * short=svc in=all
    proxy connect create,delete,get,patch,update ServiceProxyOptions
    status status get,patch,update
apiregistration.{domain} v1
  apiservices APIService cluster * in=api-extensions
    status status get,patch,update
extensions v1
  daemonsets DaemonSet namespaced * short=ds in=all of=apps/v1
    status status get,patch,update
  deployments Deployment namespaced * short=deploy in=all of=apps/v1
    rollback operation create extensions.v1beta1.DeploymentRollback
    scale scale get,patch,update
    status status get,patch,update
  ingresses Ingress namespaced * short=ing of=networking.{domain}/v1
    status status get,patch,update
  networkpolicies NetworkPolicy namespaced * short=netpol of=networking.{domain}/v1
  podsecuritypolicies PodSecurityPolicy cluster * short=psp of=policy/v1beta1
  replicasets ReplicaSet namespaced * short=rs in=all of=apps/v1
    scale scale get,patch,update
    status status get,patch,update
apps v1
  controllerrevisions ControllerRevision namespaced *
  daemonsets DaemonSet namespaced * short=ds in=all
    status status get,patch,update
  deployments Deployment namespaced * short=deploy in=all
    rollback operation create apps.v1beta1.DeploymentRollback in=v1beta1
    scale scale get,patch,update
    status status get,patch,update
  replicasets ReplicaSet namespaced * short=rs in=all
    scale scale get,patch,update
    status status get,patch,update
  statefulsets StatefulSet namespaced * short=sts in=all
    scale scale get,patch,update
    status status get,patch,update
events.{domain} v1
  events Event namespaced * short=ev
authentication.{domain} v1
  selfsubjectreviews SelfSubjectReview cluster create
  tokenreviews TokenReview cluster create
authorization.{domain} v1
  localsubjectaccessreviews LocalSubjectAccessReview namespaced create
  selfsubjectaccessreviews SelfSubjectAccessReview cluster create
  selfsubjectrulesreviews SelfSubjectRulesReview cluster create
  subjectaccessreviews SubjectAccessReview cluster create
autoscaling v2
  horizontalpodautoscalers HorizontalPodAutoscaler namespaced * short=hpa in=all
    status status get,patch,update
batch v1
  cronjobs CronJob namespaced * short=cj in=all
    status status get,patch,update
  jobs Job namespaced * in=all
    status status get,patch,update
certificates.{domain} v1
  certificatesigningrequests CertificateSigningRequest cluster * short=csr
    approval part get,patch,update
    status status get,patch,update
  clustertrustbundles ClusterTrustBundle cluster * as=v1beta1
networking.{domain} v1
  ingressclasses IngressClass cluster *
  ingresses Ingress namespaced * short=ing
    status status get,patch,update
  ipaddresses IPAddress cluster * short=ip
  networkpolicies NetworkPolicy namespaced * short=netpol
  servicecidrs ServiceCIDR cluster *
    status status get,patch,update
policy v1
  poddisruptionbudgets PodDisruptionBudget namespaced * short=pdb
    status status get,patch,update
  podsecuritypolicies PodSecurityPolicy cluster * short=psp as=v1beta1
rbac.authorization.{domain} v1
  clusterrolebindings ClusterRoleBinding cluster *
  clusterroles ClusterRole cluster *
  rolebindings RoleBinding namespaced *
  roles Role namespaced *
storage.{domain} v1
  csidrivers CSIDriver cluster *
  csinodes CSINode cluster *
  csistoragecapacities CSIStorageCapacity namespaced *
  storageclasses StorageClass cluster * short=sc
  volumeattachments VolumeAttachment cluster *
    status status get,patch,update
  volumeattributesclasses VolumeAttributesClass cluster * short=vac
admissionregistration.{domain} v1
  mutatingadmissionpolicies MutatingAdmissionPolicy cluster * in=api-extensions
  mutatingadmissionpolicybindings MutatingAdmissionPolicyBinding cluster * in=api-extensions
  mutatingwebhookconfigurations MutatingWebhookConfiguration cluster * in=api-extensions
  validatingadmissionpolicies ValidatingAdmissionPolicy cluster * in=api-extensions
    status status get,patch,update
  validatingadmissionpolicybindings ValidatingAdmissionPolicyBinding cluster * in=api-extensions
  validatingwebhookconfigurations ValidatingWebhookConfiguration cluster * in=api-extensions
apiextensions.{domain} v1
  customresourcedefinitions CustomResourceDefinition cluster * short=crd,crds in=api-extensions
    status status get,patch,update
scheduling.{domain} v1
  priorityclasses PriorityClass cluster * short=pc
coordination.{domain} v1
  leasecandidates LeaseCandidate namespaced * as=v1beta1
  leases Lease namespaced *
node.{domain} v1
  runtimeclasses RuntimeClass cluster *
discovery.{domain} v1
  endpointslices EndpointSlice namespaced *
resource.{domain} v1
  deviceclasses DeviceClass cluster *
  devicetaintrules DeviceTaintRule cluster * as=v1beta2
    status status get,patch,update since=36
  resourceclaims ResourceClaim namespaced *
    status status get,patch,update
  resourceclaimtemplates ResourceClaimTemplate namespaced *
  resourcepoolstatusrequests ResourcePoolStatusRequest cluster * as=v1alpha3
    status status get,patch,update
  resourceslices ResourceSlice cluster *
flowcontrol.apiserver.{domain} v1
  flowschemas FlowSchema cluster *
    status status get,patch,update
  prioritylevelconfigurations PriorityLevelConfiguration cluster *
    status status get,patch,update
internal.apiserver.{domain} v1alpha1
  storageversions StorageVersion cluster *
    status status get,patch,update
storagemigration.{domain} v1alpha1
  storageversionmigrations StorageVersionMigration cluster *
    status status get,patch,update
`;
