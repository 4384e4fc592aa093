import { CROSSED, type CrossedGroup, IN_PROTOBUF } from '../areas/crossed.ts';
import { type SequenceType, TYPES } from '../types.ts';
import { PARTS } from './applying.ts';
import { contentsOf } from './contents.ts';
import type { CrossedPlace } from './crossings/space.ts';

const named = (kind: string): SequenceType => {
  const found = TYPES.find((type) => type.kind === kind);
  if (!found) throw new Error(`there is no type ${kind}`);
  return found;
};
/** The types that are crossed with everything, by what the clauses call them. */
export const COVERED: Readonly<Record<CrossedGroup, readonly SequenceType[]>> = {
  ...CROSSED,
  cluster: [
    ...CROSSED.cluster,
    named('ValidatingWebhookConfiguration'),
    { ...named('Namespace'), subresources: ['status'] },
  ],
};

/** A built-in type of each scope, and custom ones, of which all is asked in CBOR. */
export const IN_CBOR = ['configmaps', 'clusterrolebindings', 'widgets', 'planets'];

/** What the crossings need to know of a type. */
export const placeOf = (group: CrossedGroup, type: SequenceType): CrossedPlace => ({
  name: type.plural,
  group,
  subresources: type.subresources ?? [],
  custom: type.custom === true,
  namespaced: type.namespaced,
  inProtobuf: IN_PROTOBUF.includes(type.kind),
  alone: type.custom === true || ['Lease', 'Role', 'RoleBinding', 'Ingress'].includes(type.kind),
  isKeyed: type.kind.endsWith('Binding'),
  isLasting: type.kind === 'Namespace',
  legal: contentsOf(type).legal.length,
  illegal: contentsOf(type).illegal.length,
  hasInner: contentsOf(type).inner !== undefined,
  hasFixed: contentsOf(type).fixed !== undefined,
  parts: Object.fromEntries(
    Object.entries(PARTS).flatMap(([part, { kind, values }]) =>
      kind === type.kind ? [[part, Object.keys(values)]] : [],
    ),
  ),
});
