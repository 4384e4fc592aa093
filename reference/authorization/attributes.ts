import type { User } from '../api/identity.ts';
import type { Query, RequestInfo } from '../api/request.ts';
import { remembered } from '../collections/remembered.ts';
import type { Attributes, ResourceAttributes } from '../contracts/authorizer.ts';
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
  const attributes: Asked = { isResource: true, user, verb, group, version, resource, subresource, namespace, name };
  if (!withSelectors || !SELECTING.has(verb)) return attributes;
  const fields = query.get('fieldSelector');
  const labels = query.get('labelSelector');
  if (!fields && !labels) return attributes;
  const { fieldSelector } = fields ? fieldsAsked(fields) : NOT_ASKED;
  const { labelSelector } = labels ? labelsAsked(labels) : NOT_ASKED;
  if (fieldSelector) attributes.fieldSelector = fieldSelector;
  if (labelSelector) attributes.labelSelector = labelSelector;
  return attributes;
}

/** The attributes while they are put together. */
type Asked = { -readonly [name in keyof ResourceAttributes]: ResourceAttributes[name] };
type Selectors = Pick<ResourceAttributes, 'fieldSelector' | 'labelSelector'>;
const NOT_ASKED: Selectors = {};

// A selector that cannot be read is left out: it restricts nothing, and the verb will refuse it anyway.
const fieldsAsked = remembered((text): Selectors => {
  const fieldSelector = readable(() => fieldRequirementsForAuthorizer(parseFieldSelector(text)));
  return fieldSelector?.length ? { fieldSelector } : NOT_ASKED;
});
const labelsAsked = remembered((text): Selectors => {
  const labelSelector = readable(() => labelRequirementsForAuthorizer(parseLabelSelector(text)));
  return labelSelector?.length ? { labelSelector } : NOT_ASKED;
});

/** The requirements, or undefined when the selector cannot be read. */
export function readable(read: () => SelectorRequirement[]): SelectorRequirement[] | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SelectorSyntaxError) return undefined;
    throw error;
  }
}
