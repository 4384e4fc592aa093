import type { User } from '../api/identity.ts';
import type { Query, RequestInfo } from '../api/request.ts';
import type { Attributes } from '../contracts/authorizer.ts';
import { fieldRequirementsForAuthorizer, parseFieldSelector } from '../selectors/fields.ts';
import type { SelectorRequirement } from '../selectors/labelRequirement.ts';
import { labelRequirementsForAuthorizer } from '../selectors/labelRequirement.ts';
import { parseLabelSelector, SelectorSyntaxError } from '../selectors/labels.ts';

const SELECTING = new Set(['list', 'watch', 'deletecollection']);

/**
 * The attributes of a request that authorizers see (2/authorization/3).
 *
 * @param withSelectors whether field and label selectors are among them (gate AuthorizeWithSelectors)
 */
export function attributesOf(info: RequestInfo, user: User, query: Query, withSelectors = true): Attributes {
  if (!info.isResource) return { isResource: false, user, verb: info.verb, path: info.path };
  const { verb, group, version, resource, subresource, namespace, name } = info;
  const attributes = { isResource: true as const, user, verb, group, version, resource, subresource, namespace, name };
  if (!withSelectors || !SELECTING.has(verb)) return attributes;
  const fields = query.get('fieldSelector');
  const labels = query.get('labelSelector');
  if (!fields && !labels) return attributes;
  // A selector that cannot be read is left out: it restricts nothing, and the verb will refuse it anyway.
  const fieldSelector = fields ? readable(() => fieldRequirementsForAuthorizer(parseFieldSelector(fields))) : undefined;
  const labelSelector = labels ? readable(() => labelRequirementsForAuthorizer(parseLabelSelector(labels))) : undefined;
  return {
    ...attributes,
    ...(fieldSelector?.length ? { fieldSelector } : {}),
    ...(labelSelector?.length ? { labelSelector } : {}),
  };
}

/** The requirements, or undefined when the selector cannot be read. */
export function readable(read: () => SelectorRequirement[]): SelectorRequirement[] | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SelectorSyntaxError) return undefined;
    throw error;
  }
}
