import { metaV1 } from '../../schema/metaV1.ts';
import { TypeLibrary } from '../../schema/notation.ts';
import type { ObjectSchema } from '../../schema/schema.ts';

/** What is read of an AdmissionReview that a hook answers, in the notation of schema/notation.ts. */
const admission = `
AdmissionReview kind
  response 2 AdmissionResponse*
AdmissionResponse
  uid 1 string!
  allowed 2 boolean!
  status 3 meta.v1.Status*
  patch 4 bytes
  patchType 5 string*
  auditAnnotations 6 {}string
  warnings 7 []string
`;

const library = new TypeLibrary(
  new Map([
    ['meta.v1', metaV1],
    ['admission.v1', admission],
  ]),
  { release: Number.POSITIVE_INFINITY, vendor: '' },
);

/** The part of AdmissionReview that hooks fill; the same in both versions. */
export const REVIEW_ANSWER: ObjectSchema = library.type('admission.v1.AdmissionReview');
