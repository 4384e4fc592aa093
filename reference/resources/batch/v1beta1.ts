/** What batch/v1beta1 and batch/v2alpha1 have otherwise than batch/v1. Transcribed from release 1.36. */
export const cronJobsBeta: string = `
JobTemplateSpec
  metadata 1 meta.v1.ObjectMeta!
  spec 2 batch.v1.JobSpec!
`;
