import type { User } from '../api/identity.ts';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import type { Attributes } from '../contracts/authorizer.ts';
import { fieldRequirementsForAuthorizer, parseFieldSelector } from '../selectors/fields.ts';
import type { SelectorRequirement } from '../selectors/labelRequirement.ts';
import { labelRequirementsForAuthorizer } from '../selectors/labelRequirement.ts';
import { parseLabelSelector } from '../selectors/labels.ts';
import { readable } from './attributes.ts';

const OPERATORS: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);

/** What a review asks about, with a word on each selector that could not be read. */
export interface ReviewQuestion {
  readonly asked: Attributes;
  readonly faults: readonly string[];
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** The attributes that the spec of an access review describes (2/access-review-objects/p1). */
export function reviewQuestion(spec: JsonObject, user: User): ReviewQuestion {
  const path = spec.nonResourceAttributes;
  const resource = spec.resourceAttributes;
  if (!isObject(resource)) {
    const { verb, path: at } = isObject(path) ? path : {};
    return { asked: { isResource: false, user, verb: text(verb), path: text(at) }, faults: [] };
  }
  const faults: string[] = [];
  const selector = (name: 'fieldSelector' | 'labelSelector') => {
    const given = resource[name];
    if (!isObject(given)) return {};
    const requirements = requirementsOf(name, given);
    if (!requirements) faults.push(`spec.resourceAttributes.${name} ignored due to parse error`);
    return requirements && requirements.length > 0 ? { [name]: requirements } : {};
  };
  return {
    asked: {
      isResource: true,
      user,
      verb: text(resource.verb),
      group: text(resource.group),
      version: text(resource.version) || '*',
      resource: text(resource.resource),
      subresource: text(resource.subresource),
      namespace: text(resource.namespace),
      name: text(resource.name),
      ...selector('fieldSelector'),
      ...selector('labelSelector'),
    },
    faults,
  };
}

/** Undefined when the selector cannot be read. */
function requirementsOf(
  name: 'fieldSelector' | 'labelSelector',
  selector: JsonObject,
): SelectorRequirement[] | undefined {
  const raw = text(selector.rawSelector);
  if (raw !== '') {
    return readable(() =>
      name === 'fieldSelector'
        ? fieldRequirementsForAuthorizer(parseFieldSelector(raw))
        : labelRequirementsForAuthorizer(parseLabelSelector(raw)),
    );
  }
  const given = Array.isArray(selector.requirements) ? selector.requirements.filter(isObject) : [];
  if (!given.every((one) => OPERATORS.has(text(one.operator)))) return undefined;
  // A field can only equal a value or not; an authorizer takes no other condition on fields into account.
  const known = given.filter((one) => name === 'labelSelector' || one.operator === 'In' || one.operator === 'NotIn');
  return known.map((one) => ({
    key: text(one.key),
    operator: text(one.operator) as SelectorRequirement['operator'],
    values: Array.isArray(one.values) ? one.values.map(text) : [],
  }));
}
