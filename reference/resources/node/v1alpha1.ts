/** What node/v1alpha1 has otherwise than node/v1. Transcribed from release 1.36. */
export const nodeV1alpha1: string = `
RuntimeClass kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 RuntimeClassSpec! required
RuntimeClassSpec
  runtimeHandler 1 string! required
  overhead 2 Overhead*
  scheduling 3 Scheduling*
`;
