import { type Dialect, extensionName } from '../../../../fixtures/dialects/dialect.ts';
import { type FieldError, forbiddenField, invalid, notSupported, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { Pace, type Staged } from '../../../api/staged.ts';
import { validateExpressions, validateRuleTexts } from './expressionRules.ts';
import { validateListKind } from './listRules.ts';
import { RuleCosts } from './ruleCosts.ts';
import type { RefusedPart, SchemaNode } from './schemaNode.ts';

/** Faults of the schema, and those of its expressions, which are looked at only where the schema has none. */
interface NodeFaults {
  readonly schema: FieldError[];
  readonly expressions: FieldError[];
}

/** What a node inherits from where it stands. */
interface Place {
  readonly root: boolean;
  /** Why defaults are forbidden here; undefined: they are not. */
  readonly noDefault?: string | undefined;
  readonly insideMeta: boolean;
  /** The nearest part around whose old and new items cannot be matched. */
  readonly uncorrelatable?: FieldPath | undefined;
  /** Whether expressions are looked at here: not below combinators, nor in schemas that are not structural. */
  readonly expressions: boolean;
  /** How often the node can stand in one object; undefined where nothing bounds a list or map around it. */
  readonly times: number | undefined;
  readonly costs: RuleCosts;
  readonly pace: Pace;
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const META_FIELDS = new Set(['metadata', 'kind', 'apiVersion']);
const UNSUPPORTED: readonly RefusedPart[] = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
];

/** Rules that hold for each node of a schema by itself, whether or not the whole is structural. */
export function* validateNodes(
  root: SchemaNode,
  path: FieldPath,
  dialect: Dialect,
  expressions: boolean,
): Staged<NodeFaults> {
  const costs = new RuleCosts();
  const place = { root: true, insideMeta: false, expressions, times: 1, costs, pace: new Pace() };
  const faults = yield* visit(root, path, place, dialect);
  return { ...faults, expressions: [...faults.expressions, ...costs.faults(path, dialect)] };
}

function multiplied(times: number | undefined, most: number | undefined): number | undefined {
  return times === undefined || most === undefined ? undefined : times * most;
}

function* visit(node: SchemaNode, path: FieldPath, place: Place, dialect: Dialect): Staged<NodeFaults> {
  if (place.pace.due()) yield;
  const schema = validateKeywords(node, path, place, dialect);
  const expressions: FieldError[] = [];
  const below = function* (child: SchemaNode, at: FieldPath, change: Partial<Place>): Staged<void> {
    const found = yield* visit(child, at, { ...place, root: false, ...change }, dialect);
    schema.push(...found.schema);
    expressions.push(...found.expressions);
  };
  const { additional, properties, items } = node;
  if (additional !== undefined) {
    const at = path.child('additionalProperties');
    if (properties?.size && additional !== true) {
      schema.push(forbiddenField(at, 'additionalProperties and properties are mutual exclusive'));
    }
    if (typeof additional === 'object') {
      const noDefault = place.insideMeta ? 'inside additionalProperties applying to object metadata' : place.noDefault;
      yield* below(additional, at, { noDefault, times: multiplied(place.times, node.maxProperties) });
    }
  }
  for (const [name, field] of properties ?? []) {
    const meta = (place.root || node.embedded) && META_FIELDS.has(name);
    yield* below(field, path.child('properties').key(name), {
      insideMeta: meta || place.insideMeta,
      noDefault: meta && place.root ? `in top-level ${name}` : place.noDefault,
    });
  }
  const { not } = node;
  if (not) yield* below(not, path.child('not'), { expressions: false });
  for (const word of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [index, one] of node[word].entries()) {
      yield* below(one, path.child(word).index(index), { expressions: false });
    }
  }
  if (items) {
    const uncorrelatable = place.uncorrelatable ?? (node.listType === 'map' ? undefined : path);
    yield* below(items, path.child('items'), { uncorrelatable, times: multiplied(place.times, node.maxItems) });
  }
  schema.push(...validateMarkers(node, path, dialect), ...validateListKind(node, path, dialect));
  schema.push(...validateRuleTexts(node, path, dialect));
  if (schema.length === 0 && place.expressions && node.rules.length > 0) {
    const root = place.root || node.embedded;
    expressions.push(...(yield* validateExpressions(node, path, root, place, dialect)));
  }
  return { schema, expressions };
}

function validateKeywords(node: SchemaNode, path: FieldPath, place: Place, dialect: Dialect): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (field: string, why: string): void => {
    errors.push(forbiddenField(path.child(field), why));
  };
  if (node.type !== '' && !TYPES.includes(node.type)) errors.push(notSupported(path.child('type'), node.type, TYPES));
  if (node.default !== undefined && place.noDefault) refuse('default', `must not be set ${place.noDefault}`);
  for (const part of UNSUPPORTED) if (node.refused.has(part)) refuse(part, `${part} is not supported`);
  if (node.type === 'null') refuse('type', 'type cannot be set to null, use nullable as an alternative');
  if (node.refused.has('itemsArray')) refuse('items', 'items must be a schema object and not an array');
  if (place.insideMeta && node.embedded) {
    refuse(extensionName(dialect, 'embedded-resource'), 'must not be used inside of resource meta');
  }
  if (node.uniqueItems) {
    refuse('uniqueItems', 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic');
  }
  return errors;
}

/** Markers stand on values of their own type. */
function validateMarkers(node: SchemaNode, path: FieldPath, dialect: Dialect): FieldError[] {
  const errors: FieldError[] = [];
  const preserve = extensionName(dialect, 'preserve-unknown-fields');
  if (node.preserveUnknown === false) errors.push(invalid(path.child(preserve), false, 'must be true or undefined'));
  if (node.mapType === undefined) return errors;
  const name = extensionName(dialect, 'map-type');
  if (node.type !== 'object') {
    const why = `must be object if ${name} is specified`;
    errors.push(node.type === '' ? required(path.child('type'), why) : invalid(path.child('type'), node.type, why));
  }
  if (node.mapType !== 'atomic' && node.mapType !== 'granular') {
    errors.push(notSupported(path.child(name), node.mapType, ['atomic', 'granular']));
  }
  return errors;
}
