import type { GroupVersionKind } from '../../api/groupVersion.ts';
import type { User } from '../../api/identity.ts';
import type { JsonObject } from '../../api/json.ts';
import { asJson } from '../../api/object.ts';
import type { AdmissionAttributes } from '../../contracts/admission.ts';
import { isNamespaces } from './target.ts';
import type { VersionedView } from './versionedView.ts';

/**
 * The request as hooks and expressions see it, without its objects, in the order of the wire; empty names are left out.
 * @param sent the request in the version it was made through
 * @param view the request in the version that the hook or the expression is about
 */
export function admissionRequest(
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
    resource: resourceOf(view),
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: kindOf(sent.kind),
    requestResource: resourceOf(sent),
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userInfo(exchange.user),
    dryRun,
    options: options ? asJson(options) : null,
  };
}

function kindOf({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, version, kind };
}

function resourceOf({ endpoint, version }: VersionedView): JsonObject {
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
