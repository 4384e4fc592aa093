import type { Actor } from '../../harness/index.ts';
import { unsupported } from '../../harness/index.ts';
import { metricsOf } from '../metrics.ts';

export type GateStage = 'ALPHA' | 'BETA' | '' | 'DEPRECATED';

/** A feature gate as a server tells it in its metrics; `''` is the stage of what is generally available. */
export interface Gate {
  readonly name: string;
  readonly stage: GateStage;
  readonly on: boolean;
}

/**
 * The gates of the server that an actor speaks to. The specification names no gates: where a server does not tell its
 * own, the check is unsupported.
 */
export async function gatesOf(actor: Actor): Promise<Gate[]> {
  const samples = (await metricsOf(actor)).samples(/_feature_enabled$/);
  if (samples.length === 0) unsupported('the metrics do not tell the feature gates');
  return samples.map(({ labels, value }) => ({
    name: labels.name ?? '',
    stage: (labels.stage ?? '') as GateStage,
    on: value === 1,
  }));
}

/** The gates of a stage; without any the check is unsupported. */
export async function gatesAt(actor: Actor, stage: GateStage): Promise<Gate[]> {
  const gates = (await gatesOf(actor)).filter((each) => each.stage === stage && !/^All(Alpha|Beta)$/.test(each.name));
  return gates.length > 0 ? gates : unsupported(`there is no gate at stage ${stage || 'GA'}`);
}
