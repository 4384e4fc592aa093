import { type FieldSet, LEAF, node } from './fieldSet.ts';
import { fieldElement } from './pathElement.ts';

const METADATA = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
];

const leavesOf = (names: readonly string[]) => names.map((name) => [fieldElement(name), LEAF] as const);

/** Fields that identify an object or that only the service writes: no entry names them. */
export const NEVER_OWNED: FieldSet = node(
  false,
  new Map([...leavesOf(['apiVersion', 'kind']), [fieldElement('metadata'), node(true, new Map(leavesOf(METADATA)))]]),
);
