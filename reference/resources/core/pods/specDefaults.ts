import { isObject, type JsonObject } from '../../../api/json.ts';
import { ensureObject, listOf, setDefault } from '../../../api/parts.ts';
import { fillContainer } from './containerDefaults.ts';
import { roundList } from './resourceAmounts.ts';
import { fillVolume } from './volumeDefaults.ts';

const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'];
const GRACE_SECONDS = 30;

/** Fills the spec of a pod or of a template, in place. */
export function fillPodSpec(spec: JsonObject): void {
  setDefault(spec, 'dnsPolicy', 'ClusterFirst');
  setDefault(spec, 'restartPolicy', 'Always');
  setDefault(spec, 'schedulerName', 'default-scheduler');
  spec.terminationGracePeriodSeconds ??= GRACE_SECONDS;
  ensureObject(spec, 'securityContext');
  sameAccount(spec);
  for (const field of CONTAINERS) {
    for (const container of listOf(spec[field])) if (isObject(container)) fillContainer(container);
  }
  for (const volume of listOf(spec.volumes)) if (isObject(volume)) fillVolume(volume);
  roundList(spec.overhead);
}

/** The account has an old name too; both say the same, and the new one wins. */
function sameAccount(spec: JsonObject): void {
  setDefault(spec, 'serviceAccountName', spec.serviceAccount ?? '');
  if (spec.serviceAccountName) spec.serviceAccount = spec.serviceAccountName;
  else {
    delete spec.serviceAccountName;
    delete spec.serviceAccount;
  }
}

/** Fills the template of a pod under `template` of `holder`, in place; `holder` is the spec of a workload. */
export function fillTemplate(holder: object): void {
  fillPodSpec(ensureObject(ensureObject(holder, 'template'), 'spec'));
}
