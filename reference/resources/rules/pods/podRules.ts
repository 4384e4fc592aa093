import type { Json } from '../../../api/json.ts';
import type { ApiObject } from '../../../api/object.ts';
import { listOf, numberOf, objectOf, textOf } from '../parts.ts';
import type { RuleMaker } from '../ruleSet.ts';
import { fillPod } from './podDefaults.ts';
import { podSelection } from './podSelection.ts';
import { qosClass } from './qosClass.ts';

const ENDED = ['Failed', 'Succeeded'];

/** Rules of pods. */
export const podRules: RuleMaker = () => ({
  defaults: { v1: fillPod },
  selectableFields: podSelection,
  strategy: { prepareForCreate: begin, graceSeconds },
  subresources: {
    status: { resetFields: [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']] },
  },
});

/** Whatever the body says, a new pod waits for its node. */
function begin(pod: ApiObject): void {
  const spec = objectOf(pod.spec);
  const status: Record<string, Json> = { phase: 'Pending', qosClass: qosClass(spec) };
  if (listOf(spec.schedulingGates).length > 0) {
    status.conditions = [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: null,
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ];
  }
  pod.status = status;
}

/** Seconds a pod has to stop; none where no node runs it. */
function graceSeconds(pod: ApiObject, asked: number | undefined): number {
  const spec = objectOf(pod.spec);
  if (textOf(spec.nodeName) === '' || ENDED.includes(textOf(objectOf(pod.status).phase))) return 0;
  const seconds = asked ?? numberOf(spec.terminationGracePeriodSeconds) ?? 0;
  return seconds < 0 ? 1 : seconds;
}
