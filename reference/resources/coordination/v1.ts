/** The types of coordination.v1 in the notation of schema/notation.ts, transcribed from release 1.36. */
export const coordinationV1: string = `
Lease kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 LeaseSpec!
LeaseSpec
  holderIdentity 1 string*
  leaseDurationSeconds 2 int32*
  acquireTime 3 microTime*
  renewTime 4 microTime*
  leaseTransitions 5 int32*
  strategy 6 string*
  preferredHolder 7 string*
`;
