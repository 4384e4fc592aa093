import type { ApiObject } from '../../../api/object.ts';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../../../api/parts.ts';
import type { Strategy } from '../../../contracts/resourceType.ts';
import type { RuleContext, RuleMaker } from '../../builtinType.ts';
import { judgedInParts } from '../../validation/inParts.ts';
import { beginPod, fillPod, validateNewPod } from './create.ts';
import type { PodScope } from './scope.ts';
import { validatePodStatus } from './status.ts';
import { keepEphemeralContainers, keepResources, validateEphemeralChange, validateResize } from './subresources.ts';
import { validatePodUpdate } from './update.ts';
import { podWarnings } from './warnings.ts';

const ENDED = ['Failed', 'Succeeded'];
/** First release in which pods count the changes of their spec. */
const GENERATION_SINCE = 33;

/** Rules of pods. */
export const podRules: RuleMaker = (context) => {
  const parts: Partial<Strategy> = {
    resetFields: [['metadata'], ['status']],
    generation: context.release >= GENERATION_SINCE,
  };
  return {
    defaults: { v1: fillPod },
    selectableFields: podSelection,
    strategy: {
      graceSeconds,
      prepareForCreate: (pod) => beginPod(pod, context.release),
      ...judgedInParts((pod, old) =>
        old ? validatePodUpdate(pod, old, scopeOf(context, pod, old)) : validateNewPod(pod, scopeOf(context, pod)),
      ),
      // People change pods through workloads; those who change them themselves are not told again.
      warnings: (pod, old) => (old ? [] : podWarnings(pod, context)),
    },
    subresources: {
      status: {
        resetFields: [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']],
        prepareForUpdate: keepClass,
        validateUpdate: (pod, old) => validatePodStatus(pod, old, scopeOf(context, pod, old)),
      },
      ephemeralcontainers: {
        ...parts,
        prepareForUpdate: keepEphemeralContainers,
        validateUpdate: (pod, old) => validateEphemeralChange(pod, old, scopeOf(context, pod, old)),
      },
      resize: {
        ...parts,
        prepareForUpdate: keepResources,
        validateUpdate: (pod, old) => validateResize(pod, old, scopeOf(context, pod, old)),
      },
    },
  };
};

function scopeOf({ release, dialect }: RuleContext, pod: ApiObject, old?: ApiObject): PodScope {
  const oldAddresses = old ? addressesOf(old) : [];
  return { release, labelDomain: dialect.labelDomain, isPod: true, podName: pod.metadata.name ?? '', oldAddresses };
}

function addressesOf(pod: ApiObject): string[] {
  const spec = objectOf(pod.spec);
  const aliases = objectsOf(spec.hostAliases).map((alias) => textOf(alias.ip));
  return [...aliases, ...textsOf(objectOf(spec.dnsConfig).nameservers)];
}

/** The class of a pod was found when it was made; a status without one leaves it alone. */
function keepClass(pod: ApiObject, old: ApiObject): void {
  const { qosClass } = objectOf(old.status);
  const status = objectOf(pod.status);
  if (qosClass !== undefined && textOf(status.qosClass) === '') pod.status = { ...status, qosClass };
}

/** Seconds a pod has to stop; none where no node runs it. */
function graceSeconds(pod: ApiObject, asked: number | undefined): number {
  const spec = objectOf(pod.spec);
  if (textOf(spec.nodeName) === '' || ENDED.includes(textOf(objectOf(pod.status).phase))) return 0;
  const seconds = asked ?? numberOf(spec.terminationGracePeriodSeconds) ?? 0;
  return seconds < 0 ? 1 : seconds;
}

/** Fields by which pods are selected, besides name and namespace. */
const podSelection: Readonly<Record<string, (pod: ApiObject) => string>> = {
  'spec.nodeName': (pod) => textOf(objectOf(pod.spec).nodeName),
  'spec.restartPolicy': (pod) => textOf(objectOf(pod.spec).restartPolicy),
  'spec.schedulerName': (pod) => textOf(objectOf(pod.spec).schedulerName),
  'spec.serviceAccountName': (pod) => textOf(objectOf(pod.spec).serviceAccountName),
  'spec.hostNetwork': (pod) => String(objectOf(pod.spec).hostNetwork === true),
  'status.phase': (pod) => textOf(objectOf(pod.status).phase),
  'status.podIP': (pod) => textOf(objectsOf(objectOf(pod.status).podIPs)[0]?.ip) || textOf(objectOf(pod.status).podIP),
  'status.podIPs': () => '',
  'status.nominatedNodeName': (pod) => textOf(objectOf(pod.status).nominatedNodeName),
};
