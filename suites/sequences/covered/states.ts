import type { Row } from '../../covering/covering.ts';
import type { Json, JsonObject } from '../../harness/json.ts';
import { PATCH, whole } from '../areas/objects.ts';
import type { Step } from '../step.ts';
import { collectionOf, type SequenceType } from '../types.ts';
import { contentsOf } from './contents.ts';
import { AGENT } from './manner.ts';

/** Finalizers that hold an object. */
export const HOLD = 'touchstone.example/hold';
export const MORE = 'touchstone.example/more';

/** Which objects are of the sequence. */
export const OWN = { seq: '{id}' };

/** Who applied before a row: somebody else, or the one as whom rows are written that name a manager. */
const APPLIED_BY: Readonly<Record<string, string>> = { owned: 'cem', mine: 'ann' };
const APPLIED: JsonObject = { labels: { z: '1' }, annotations: { more: '1' } };

/** The texts that an object has in a state beside those of its creation. */
export const appliedIn = ({ state = '' }: Row): JsonObject =>
  state in APPLIED_BY ? APPLIED : { labels: {}, annotations: {} };

/** Whether a row speaks of a version that has passed. */
export const isOld = ({ version, says = '' }: Row): boolean => version === 'stale' || ['stale', 'half'].includes(says);

/** How an object comes into the state in which a row finds it. */
export function preparing(type: SequenceType, name: string, keep: string, row: Row): Step[] {
  const { state, version, says } = row;
  if (state === 'absent') return [];
  if (state === 'former') {
    const gone: Step = { as: 'admin', method: 'DELETE', path: `${collectionOf(type)}/${name}`, unseen: true };
    return [...preparing(type, name, keep, { ...row, state: 'there', version: 'none' }), gone];
  }
  const item = `${collectionOf(type)}/${name}`;
  const { base } = contentsOf(type);
  const held = state === 'held' || state === 'leaving';
  const as = 'admin';
  const post: Step = {
    as,
    method: 'POST',
    path: collectionOf(type),
    headers: AGENT,
    body: {
      ...whole(type, name, base),
      metadata: { ...metadataOf(name), ...(held ? { finalizers: [HOLD, MORE] } : {}) },
    },
    keep,
    unseen: true,
  };
  const patch = (metadata: JsonObject): Step => ({
    as,
    method: 'PATCH',
    path: item,
    headers: { ...AGENT, 'content-type': PATCH.merge },
    body: { metadata },
    unseen: true,
  });
  const steps: Step[] = [post];
  const manager = APPLIED_BY[state ?? ''];
  if (manager !== undefined) {
    steps.push({
      as,
      method: 'PATCH',
      path: `${item}?fieldManager=${manager}&force=true`,
      headers: { 'content-type': PATCH.apply },
      body: {
        ...whole(type, name, roleRefOf(type)),
        metadata: { name, ...APPLIED },
      },
      unseen: true,
    });
  }
  if (state === 'leaving') steps.push({ as, method: 'DELETE', path: item, unseen: true });
  const moved = manager !== undefined || state === 'leaving';
  const current = version === 'current' || says === 'version' || says === 'both';
  if (isOld(row)) steps.push(patch({ labels: { moved: '1' } }));
  else if (moved && current) steps.push({ as, method: 'GET', path: item, keep });
  return steps;
}
/** Metadata of a new object. */
export const metadataOf = (name: string): JsonObject => ({
  name,
  labels: { ...OWN, x: '1', y: '1' },
  annotations: { note: 'a' },
});
/** What no object of a type may be without, where it creates. */
export const roleRefOf = (type: SequenceType): JsonObject => {
  const { base } = contentsOf(type);
  return type.kind.endsWith('Binding') ? { roleRef: base.roleRef as Json } : {};
};

/** An object in a state, of which an older version is kept as well. */
export function sharing(type: SequenceType, state: string): Step[] {
  const name = `{id}-${state}`;
  if (state === 'absent' || state === 'former') return preparing(type, name, 'former', { state });
  const read: Step = { as: 'admin', method: 'GET', path: `${collectionOf(type)}/${name}`, keep: `k-${state}` };
  return [...preparing(type, name, `old-${state}`, { state, version: 'stale' }), read];
}
