/** The types of scheduling.v1 in the notation of schema/notation.ts, transcribed from release 1.36. */
export const schedulingV1: string = `
PriorityClass kind
  metadata 1 meta.v1.ObjectMeta!
  value 2 int32!
  globalDefault 3 boolean
  description 4 string
  preemptionPolicy 5 string*
`;
