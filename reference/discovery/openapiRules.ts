import { type Dialect, extensionName } from '../../fixtures/dialects/dialect.ts';
import { type JsonObject, setMember } from '../api/json.ts';
import type { ValidationRule, ValueRules } from '../schema/schema.ts';

interface Target {
  readonly flavor: 'v2' | 'v3';
  readonly dialect: Dialect;
}

const KEYWORDS = [
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const;

/** Conditions on a value as keywords of OpenAPI; combinators only where the flavor has them. */
export function ruleKeywords(rules: ValueRules, target: Target): JsonObject {
  const written: JsonObject = {};
  for (const keyword of KEYWORDS) {
    const value = rules[keyword];
    if (value !== undefined) written[keyword] = value as JsonObject[string];
  }
  if (rules.expressions) {
    written[extensionName(target.dialect, 'validations')] = rules.expressions.map(expression);
  }
  if (target.flavor === 'v2') return written;
  for (const combinator of ['allOf', 'anyOf', 'oneOf'] as const) {
    const parts = rules[combinator];
    if (parts) written[combinator] = parts.map((part) => nested(part, target));
  }
  if (rules.not) written.not = nested(rules.not, target);
  return written;
}

/** Conditions inside a combinator: no types, but members and items. */
function nested(rules: ValueRules, target: Target): JsonObject {
  const written = ruleKeywords(rules, target);
  if (rules.required) written.required = [...rules.required];
  if (rules.items) written.items = nested(rules.items, target);
  if (rules.additionalProperties) written.additionalProperties = nested(rules.additionalProperties, target);
  if (rules.properties) {
    const properties: JsonObject = {};
    for (const [name, inner] of rules.properties) setMember(properties, name, nested(inner, target));
    written.properties = properties;
  }
  return written;
}

function expression(rule: ValidationRule): JsonObject {
  const written: JsonObject = {};
  for (const [name, value] of Object.entries(rule)) if (value !== undefined) written[name] = value;
  return written;
}
