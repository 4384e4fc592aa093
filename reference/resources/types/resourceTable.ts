/**
 * The built-in resource types, in the order in which discovery lists them. A line with a group and a version, then
 * a line a type: plural, kind, scope, verbs (`*` for all eight), short names, categories; below a type a line a
 * subresource: name, form, verbs, and the kind it takes where that is not the kind of the type.
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
    eviction operation create policy.v1.Eviction
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
apps v1
  controllerrevisions ControllerRevision namespaced *
  daemonsets DaemonSet namespaced * short=ds in=all
    status status get,patch,update
  deployments Deployment namespaced * short=deploy in=all
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
autoscaling v1
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
  leases Lease namespaced *
node.{domain} v1
  runtimeclasses RuntimeClass cluster *
discovery.{domain} v1
  endpointslices EndpointSlice namespaced *
resource.{domain} v1
  deviceclasses DeviceClass cluster *
  resourceclaims ResourceClaim namespaced *
    status status get,patch,update
  resourceclaimtemplates ResourceClaimTemplate namespaced *
  resourceslices ResourceSlice cluster *
flowcontrol.apiserver.{domain} v1
  flowschemas FlowSchema cluster *
    status status get,patch,update
  prioritylevelconfigurations PriorityLevelConfiguration cluster *
    status status get,patch,update
`;
