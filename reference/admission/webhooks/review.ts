import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import type { GroupVersionKind } from '../../api/groupVersion.ts';
import type { User } from '../../api/identity.ts';
import type { JsonObject } from '../../api/json.ts';
import { asJson } from '../../api/object.ts';
import { stringify } from '../../encoding/jsonText.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { isNamespaces } from './target.ts';
import type { VersionedView } from './versionedView.ts';

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

/**
 * The request of a review without its objects, in the order of the wire; empty names are left out.
 * @param sent the request in the version it was made through
 * @param view the request in the version that the hook is asked in
 */
export function reviewRequest(
  attributes: AdmissionAttributes,
  sent: VersionedView,
  view: VersionedView,
  uid: string | undefined,
): JsonObject {
  const { endpoint, name, operation, exchange, dryRun, options } = attributes;
  const namespace = isNamespaces(endpoint.type) ? name : attributes.namespace;
  const subresource = endpoint.subresource?.name ?? '';
  return {
    ...(uid === undefined ? {} : { uid }),
    kind: kindOf(view.kind),
    resource: resourceOf(attributes, view),
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: kindOf(sent.kind),
    requestResource: resourceOf(attributes, sent),
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userInfo(exchange.user),
    dryRun,
    options: options ? asJson(options) : null,
  };
}

/** A whole AdmissionReview as JSON text; `request` is what {@link reviewRequest} made. */
export function reviewText(dialect: Dialect, version: ReviewVersion, request: JsonObject, view: VersionedView): string {
  const { dryRun, options, ...lead } = request;
  const head = stringify(lead).slice(0, -1);
  return (
    `{"kind":"AdmissionReview","apiVersion":"${reviewGroup(dialect)}/${version}","request":${head},` +
    `"object":${view.text('object')},"oldObject":${view.text('oldObject')},` +
    `"dryRun":${stringify(dryRun ?? false)},"options":${stringify(options ?? null)}}}`
  );
}

function kindOf({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, version, kind };
}

function resourceOf({ endpoint }: AdmissionAttributes, { version }: VersionedView): JsonObject {
  const { group, resource } = endpoint.type;
  return { group, version: version.version, resource };
}

function userInfo({ username, uid, groups, extra }: User): JsonObject {
  const info: JsonObject = {};
  if (username) info.username = username;
  if (uid) info.uid = uid;
  if (groups.length > 0) info.groups = [...groups];
  const entries = Object.entries(extra);
  if (entries.length > 0) info.extra = Object.fromEntries(entries.map(([key, values]) => [key, [...values]]));
  return info;
}
