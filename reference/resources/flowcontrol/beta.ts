/**
 * What flowcontrol/v1beta3 has otherwise than flowcontrol/v1. Transcribed from release 1.36, where shares that are not
 * set are 0; here the two differ, since by the text an explicit 0 is kept.
 */
export const flowcontrolV1beta3: string = `
LimitedPriorityLevelConfiguration
  nominalConcurrencyShares 1 int32*
  limitResponse 2 LimitResponse!
  lendablePercent 3 int32*
  borrowingLimitPercent 4 int32*
`;

/** What flowcontrol versions before v1beta3 have otherwise than flowcontrol/v1. Transcribed from release 1.36. */
export const flowcontrolAssured: string = `
LimitedPriorityLevelConfiguration
  assuredConcurrencyShares 1 int32*
  limitResponse 2 LimitResponse!
  lendablePercent 3 int32*
  borrowingLimitPercent 4 int32*
`;
