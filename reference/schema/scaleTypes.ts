/**
 * The scale of a workload, in the notation of schema/notation.ts; it belongs to no resource of its own. Transcribed
 * from release 1.36.
 */
export const scale: string = `
Scale kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 ScaleSpec!
  status 3 ScaleStatus!
ScaleSpec
  replicas 1 int32
ScaleStatus
  replicas 1 int32! required
  selector 2 string
`;

/** The scale of a workload as every beta group had it for itself. Transcribed from release 1.36. */
export const betaScale: string = `
Scale kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 ScaleSpec!
  status 3 ScaleStatus!
ScaleSpec
  replicas 1 int32
ScaleStatus
  replicas 1 int32! required
  selector 2 {}string atomic
  targetSelector 3 string
`;
