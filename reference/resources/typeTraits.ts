import { dns1035Label, dns1123Label, dns1123Subdomain, type ObjectNameRule, objectName } from '../api/nameRules.ts';
import type { Strategy } from '../contracts/resourceType.ts';

/*
 * How types without rules of their own behave: short lists, by prefix of the group and plural (`apps/deployments`;
 * the core group has no prefix).
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Types whose objects count the changes of their content in metadata.generation. */
const GENERATION = words(`
  podtemplates replicationcontrollers
  apps/daemonsets apps/deployments apps/replicasets apps/statefulsets
  batch/cronjobs batch/jobs
  networking/ingresses networking/ingressclasses networking/networkpolicies
  policy/poddisruptionbudgets
  admissionregistration/mutatingadmissionpolicies admissionregistration/mutatingadmissionpolicybindings
  admissionregistration/validatingadmissionpolicies admissionregistration/validatingadmissionpolicybindings
  apiextensions/customresourcedefinitions
  scheduling/priorityclasses
  discovery/endpointslices
  resource/deviceclasses resource/resourceslices
  flowcontrol.apiserver/flowschemas flowcontrol.apiserver/prioritylevelconfigurations
`);
/** First release in which a type does. */
const GENERATION_SINCE: Readonly<Record<string, number>> = { pods: 33 };

/** Types that PUT creates where they are missing (1/verbs/3). */
const CREATE_ON_UPDATE = words('endpoints limitranges services');

/** Types that an update without resourceVersion does not overwrite. */
const CONDITIONAL_UPDATE = words(`
  policy/poddisruptionbudgets
  storage/csidrivers storage/csinodes storage/csistoragecapacities storage/volumeattachments
  node/runtimeclasses
  flowcontrol.apiserver/flowschemas flowcontrol.apiserver/prioritylevelconfigurations
  admissionregistration/mutatingadmissionpolicies admissionregistration/mutatingadmissionpolicybindings
  admissionregistration/validatingadmissionpolicies admissionregistration/validatingadmissionpolicybindings
  apiextensions/customresourcedefinitions
  apiregistration/apiservices
`);

/** Types whose deletion answers with the object. */
const RETURNED = words(`
  persistentvolumeclaims persistentvolumes pods podtemplates resourcequotas services
  storage/csidrivers storage/csinodes storage/storageclasses storage/volumeattachments
  storage/volumeattributesclasses
`);

const LABEL_NAMES = words('services');

/** The strategy of a type as data knows it; rules of the type come on top. */
export function traitsOf(groupPrefix: string, resource: string, release: number, hasStatus: boolean): Strategy {
  const key = groupPrefix === '' ? resource : `${groupPrefix}/${resource}`;
  return {
    validateName: nameRuleOf(key, release),
    generation: GENERATION.has(key) || (GENERATION_SINCE[key] ?? Number.POSITIVE_INFINITY) <= release,
    createOnUpdate: CREATE_ON_UPDATE.has(key),
    unconditionalUpdate: !CONDITIONAL_UPDATE.has(key),
    deleteReturnsObject: RETURNED.has(key),
    ...(hasStatus ? { resetFields: [['status']] } : {}),
  };
}

function nameRuleOf(key: string, release: number): ObjectNameRule {
  if (!LABEL_NAMES.has(key)) return objectName(dns1123Subdomain);
  // Services could not begin with a digit before.
  return objectName(release >= 34 ? dns1123Label : dns1035Label);
}
