/** The types of node.v1 in the notation of schema/notation.ts, transcribed from release 1.36. */
export const nodeV1: string = `
Overhead
  podFixed 1 {}quantity
RuntimeClass kind
  metadata 1 meta.v1.ObjectMeta!
  handler 2 string! required
  overhead 3 Overhead*
  scheduling 4 Scheduling*
Scheduling
  nodeSelector 1 {}string atomic
  tolerations 2 []core.v1.Toleration
`;
