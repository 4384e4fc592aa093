/** Who stands for a lease, as of coordination/v1alpha2. Transcribed from release 1.36. */
export const leaseCandidateFields: string = `
LeaseCandidate kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 LeaseCandidateSpec!
LeaseCandidateSpec
  leaseName 1 string! required
  pingTime 2 microTime*
  renewTime 3 microTime*
  binaryVersion 4 string! required
  emulationVersion 5 string
  strategy 6 string
`;

/** The same in coordination/v1alpha1. Release 1.31 was the last with it. */
export const leaseCandidatesV1alpha1: string = `
LeaseCandidate kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 LeaseCandidateSpec!
LeaseCandidateSpec
  leaseName 1 string! required
  pingTime 2 microTime*
  renewTime 3 microTime*
  binaryVersion 4 string
  emulationVersion 5 string
  preferredStrategies 6 []string required
`;
