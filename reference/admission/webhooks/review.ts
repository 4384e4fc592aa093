import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import type { JsonObject } from '../../api/json.ts';
import { stringify } from '../../codecs/jsonText.ts';
import type { VersionedView } from '../matching/versionedView.ts';

/** Versions of AdmissionReview that this server speaks. */
export type ReviewVersion = 'v1' | 'v1beta1';

/** The first version of a hook's list that is spoken here; undefined when none is. */
export function reviewVersionOf(versions: readonly string[]): ReviewVersion | undefined {
  return versions.find((version): version is ReviewVersion => version === 'v1' || version === 'v1beta1');
}

/** The group of AdmissionReview. */
export function reviewGroup(dialect: Dialect): string {
  return groupName(dialect, 'admission');
}

/** A whole AdmissionReview as JSON text; `request` is as `admissionRequest` makes it. */
export function reviewText(dialect: Dialect, version: ReviewVersion, request: JsonObject, view: VersionedView): string {
  const { dryRun, options, ...lead } = request;
  const head = stringify(lead).slice(0, -1);
  return (
    `{"kind":"AdmissionReview","apiVersion":"${reviewGroup(dialect)}/${version}","request":${head},` +
    `"object":${view.text('object')},"oldObject":${view.text('oldObject')},` +
    `"dryRun":${stringify(dryRun ?? false)},"options":${stringify(options ?? null)}}}`
  );
}
