import { hasFormat, isKnownFormat } from '../../../api/formats.ts';
import { equalityKey, isObject, type Json, type JsonObject, member } from '../../../api/json.ts';
import { entriesOf, type Staged, sortInParts } from '../../../api/staged.ts';
import type { SchemaNode } from '../schema/schemaNode.ts';
import type { Correlation } from './correlation.ts';
import { Effort } from './effort.ts';
import { FaultList } from './faultList.ts';
import { checkNumber } from './numbers.ts';
import { contains } from './pattern.ts';

/**
 * What a schema finds wrong with a value, in the order in which the service tells it. The fault of a value that
 * did not change since the last write does not count (ratcheting), where its old state is known.
 * @param path dotted, as messages name it; empty for the value itself
 * @throws ApiError 413 where it would take too much work
 */
export function validateValue(
  node: SchemaNode,
  value: Json,
  path = '',
  correlation?: Correlation | undefined,
  effort: Effort = new Effort(),
): FaultList {
  effort.spend(1);
  const findings = new FaultList();
  checkType(node, value, path, findings);
  if (value === null) {
    checkEnum(node, value, path, effort, findings);
    return findings;
  }
  if (hasCombinators(node)) {
    const checks = combinatorChecks(node, path, effort, findings);
    for (let step = checks.next(); !step.done; ) {
      step = checks.next(validateValue(step.value, value, path, correlation, effort));
    }
  }
  findings.count();
  if (typeof value === 'string') checkText(node, value, path, effort, findings);
  else if (typeof value === 'number' || typeof value === 'bigint') checkNumber(node, value, path, findings);
  else if (Array.isArray(value)) checkList(node, value, path, correlation, effort, findings);
  checkEnum(node, value, path, effort, findings);
  if (isObject(value)) checkObject(node, value, path, correlation, effort, findings);
  findings.count();
  return correlation?.unchanged ? findings.forgiven() : findings;
}

/** Entries of a value up to which it is held to its schema in one go. */
const SMALL = 256;

/** The same, with turns for others meanwhile where the value is large. @throws as it does */
export function* validateValueInParts(
  node: SchemaNode,
  value: Json,
  path = '',
  correlation?: Correlation | undefined,
  effort: Effort = new Effort(),
): Staged<FaultList> {
  if (effort.due) yield;
  if (typeof value !== 'object' || value === null || entriesOf(value, SMALL) <= SMALL) {
    return validateValue(node, value, path, correlation, effort);
  }
  effort.spend(1);
  const findings = new FaultList();
  checkType(node, value, path, findings);
  const checks = combinatorChecks(node, path, effort, findings);
  for (let step = checks.next(); !step.done; ) {
    step = checks.next(yield* validateValueInParts(step.value, value, path, correlation, effort));
  }
  findings.count();
  if (Array.isArray(value)) {
    findings.count();
    const { items } = node;
    for (const [index, item] of items ? value.entries() : []) {
      const link = correlation?.item(index);
      const at = `${path}[${index}]`;
      mergeAll(findings, yield* validateValueInParts(items as SchemaNode, item, at, link, effort), effort);
    }
    checkItemsTogether(node, value, path, effort, findings);
  }
  checkEnum(node, value, path, effort, findings);
  if (isObject(value)) yield* objectInParts(node, value, path, correlation, effort, findings);
  findings.count();
  return correlation?.unchanged ? findings.forgiven() : findings;
}

function* objectInParts(
  node: SchemaNode,
  value: JsonObject,
  path: string,
  correlation: Correlation | undefined,
  effort: Effort,
  findings: FaultList,
): Staged<void> {
  const names = Object.keys(value);
  if (!checkMemberCount(node, names.length, path, effort, findings)) return;
  for (const name of yield* sortInParts(names)) {
    const schema = entrySchema(node, name, path, findings);
    if (!schema) continue;
    const link = correlation?.field(name, schema);
    const entry = member(value, name) as Json;
    mergeAll(findings, yield* validateValueInParts(schema, entry, `${path}.${name}`, link, effort), effort);
  }
  effort.spend(lookUps(node));
  for (const [name, schema] of node.properties ?? []) {
    const found = member(value, name);
    if (found === undefined) continue;
    const at = path === '' ? name : `${path}.${name}`;
    const link = correlation?.field(name, schema);
    mergeAll(findings, yield* validateValueInParts(schema, found, at, link, effort), effort);
  }
  checkRequired(node, value, path, effort, findings);
}

/** The JSON type of a value as schemas name it. */
function typeOfValue(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'bigint':
      return 'integer';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    default:
      return typeof value;
  }
}

/** The types that a schema allows; none where it says nothing. */
function typesOf({ type, intOrString }: SchemaNode): readonly string[] {
  if (intOrString) return ['integer', 'string'];
  return type === '' ? [] : [type];
}

const SIZES: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' };

function checkType(node: SchemaNode, value: Json, path: string, findings: FaultList): void {
  const types = typesOf(node);
  const format = formatOf(node);
  if (types.length === 0 && format === '') return;
  findings.count();
  const found = typeOfValue(value);
  const mismatch = (wanted: string, shown: string): void =>
    findings.add({
      kind: 'type',
      name: path,
      value: shown,
      text: `${path} in body must be of type ${wanted}: ${quote(shown)}`,
    });
  if (value === null) {
    if (types.length > 0 && !node.nullable) mismatch(types.join(','), 'null');
    return;
  }
  const numeric = types.includes('number') || types.includes('integer');
  const fits = types.includes(found) || (found === 'integer' && types.includes('number'));
  if (format !== '' && (found === 'string' || found === 'array')) {
    if (!numeric) return;
  } else if (format !== '' && !fits && SIZES[found] !== format) {
    mismatch(format, SIZES[found] ?? '');
    return;
  }
  if (!fits) mismatch(types.join(','), found);
}

/** The format where it is one that is checked. */
function formatOf({ format }: SchemaNode): string {
  return isKnownFormat(format) || NUMBER_FORMATS.has(format) ? format : '';
}
const NUMBER_FORMATS = new Set(['int32', 'int64', 'float', 'double']);

function checkText(node: SchemaNode, value: string, path: string, effort: Effort, findings: FaultList): void {
  findings.count();
  const { maxLength, minLength, pattern, format } = node;
  if (pattern !== '' || maxLength !== undefined || minLength !== undefined || format !== '') effort.read(value);
  const letters = maxLength !== undefined || minLength !== undefined ? lettersOf(value) : 0;
  if (maxLength !== undefined && letters > maxLength) {
    const text = `${path} in body should be at most ${maxLength} chars long`;
    findings.add({ kind: 'tooLong', name: path, value, limit: maxLength, text });
  } else if (minLength !== undefined && letters < minLength) {
    findings.value(path, value, `should be at least ${minLength} chars long`);
  } else if (pattern !== '' && !contains(pattern, value)) {
    findings.value(path, value, `should match '${pattern}'`);
  }
  if (!isKnownFormat(format)) return;
  findings.count();
  if (hasFormat(format, value)) return;
  findings.add({ kind: 'type', name: path, value, text: `${path} in body must be of type ${format}: ${quote(value)}` });
}

function checkList(
  node: SchemaNode,
  value: readonly Json[],
  path: string,
  correlation: Correlation | undefined,
  effort: Effort,
  findings: FaultList,
): void {
  findings.count();
  const { items } = node;
  if (items) {
    for (const [index, item] of value.entries()) {
      mergeAll(findings, validateValue(items, item, `${path}[${index}]`, correlation?.item(index), effort), effort);
    }
  }
  checkItemsTogether(node, value, path, effort, findings);
}

function checkItemsTogether(
  { minItems, maxItems, uniqueItems }: SchemaNode,
  value: readonly Json[],
  path: string,
  effort: Effort,
  findings: FaultList,
): void {
  const size = value.length;
  if (minItems !== undefined && size < minItems) {
    findings.value(path, size, `should have at least ${minItems} items`);
  }
  if (maxItems !== undefined && size > maxItems) {
    const text = `${path} in body should have at most ${maxItems} items`;
    findings.add({ kind: 'tooMany', name: path, value: size, limit: maxItems, text });
  }
  if (uniqueItems) effort.spend(entriesOf(value as Json[], MOST_COUNTED));
  if (uniqueItems && new Set(value.map(equalityKey)).size < size) {
    findings.value(path, '', "shouldn't contain duplicates");
  }
}

/** Letters of a text, of which some take two of its characters. */
function lettersOf(text: string): number {
  let letters = text.length;
  for (let at = 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0xdc00 || unit > 0xdfff) continue;
    const before = text.charCodeAt(at - 1);
    if (before >= 0xd800 && before <= 0xdbff) letters--;
  }
  return letters;
}

const KEYS = new WeakMap<readonly Json[], ReadonlySet<string>>();

/** Equality keys of the values of an enum, made once for each schema. */
function keysOf(allowed: readonly Json[]): ReadonlySet<string> {
  let keys = KEYS.get(allowed);
  if (!keys) {
    keys = new Set(allowed.map(equalityKey));
    KEYS.set(allowed, keys);
  }
  return keys;
}

function checkEnum(node: SchemaNode, value: Json, path: string, effort: Effort, findings: FaultList): void {
  const { enum: allowed } = node;
  if (!allowed || allowed.length === 0) return;
  findings.count();
  if (typeof value === 'string') effort.read(value);
  else effort.spend(entriesOf(value, MOST_COUNTED));
  if (value !== null && keysOf(allowed).has(equalityKey(value))) return;
  findings.add({
    kind: 'enum',
    name: path,
    value,
    allowed,
    text: `${path} in body should be one of the allowed values`,
  });
}

function checkObject(
  node: SchemaNode,
  value: JsonObject,
  path: string,
  correlation: Correlation | undefined,
  effort: Effort,
  findings: FaultList,
): void {
  const names = Object.keys(value);
  if (!checkMemberCount(node, names.length, path, effort, findings)) return;
  for (const name of names.sort()) {
    const schema = entrySchema(node, name, path, findings);
    if (!schema) continue;
    const link = correlation?.field(name, schema);
    const entry = member(value, name) as Json;
    mergeAll(findings, validateValue(schema, entry, `${path}.${name}`, link, effort), effort);
  }
  effort.spend(lookUps(node));
  for (const [name, schema] of node.properties ?? []) {
    const found = member(value, name);
    if (found === undefined) continue;
    const at = path === '' ? name : `${path}.${name}`;
    mergeAll(findings, validateValue(schema, found, at, correlation?.field(name, schema), effort), effort);
  }
  checkRequired(node, value, path, effort, findings);
}

/** False where there are so few or so many members that they are not looked at. */
function checkMemberCount(
  { minProperties, maxProperties }: SchemaNode,
  count: number,
  path: string,
  effort: Effort,
  findings: FaultList,
): boolean {
  findings.count();
  effort.spend(count);
  if (minProperties !== undefined && count < minProperties) {
    findings.value(path, count, `should have at least ${minProperties} properties`);
    return false;
  }
  if (maxProperties !== undefined && count > maxProperties) {
    const text = `${path} in body should have at most ${maxProperties} properties`;
    findings.add({ kind: 'tooMany', name: path, value: count, limit: maxProperties, text });
    return false;
  }
  return true;
}

/** The schema of an entry that is no field; undefined where there is none, which may be a fault. */
function entrySchema(
  { properties, additional }: SchemaNode,
  name: string,
  path: string,
  findings: FaultList,
): SchemaNode | undefined {
  if (properties?.has(name) || additional === undefined || additional === true) return undefined;
  if (additional !== false) return additional;
  findings.add({ kind: 'value', name: path, value: name, text: `${path}.${name} in body is a forbidden property` });
  return undefined;
}

/** Steps that looking up the fields of a schema takes. */
function lookUps({ properties, required }: SchemaNode): number {
  return ((properties?.size ?? 0) + required.length) / LOOK_UPS;
}

function checkRequired(
  { required }: SchemaNode,
  value: JsonObject,
  path: string,
  effort: Effort,
  findings: FaultList,
): void {
  for (const name of required) {
    if (member(value, name) !== undefined) continue;
    effort.spend(1);
    findings.add({ kind: 'required', name: `${path}.${name}`, text: `${path}.${name} in body is required` });
  }
}

/** Entries of a value that are counted before it is compared whole. */
const MOST_COUNTED = 100_000;
/** Fields that are looked up in about the time of one step. */
const LOOK_UPS = 16;

function mergeAll(findings: FaultList, found: FaultList, effort: Effort): void {
  effort.spend(found.faults.length);
  findings.merge(found);
}

function quote(text: string): string {
  return JSON.stringify(text);
}

function hasCombinators({ anyOf, oneOf, allOf, not }: SchemaNode): boolean {
  return anyOf.length > 0 || oneOf.length > 0 || allOf.length > 0 || not !== undefined;
}

/** Hands out the schemas that a value is to be held to besides, and takes what each finds. */
type Checks<T> = Generator<SchemaNode, T, FaultList>;

/** allOf, anyOf, oneOf and not. Of several schemas that all fail, the one is explained that came closest. */
function* combinatorChecks(node: SchemaNode, path: string, effort: Effort, findings: FaultList): Checks<void> {
  const quoted = JSON.stringify(path);
  if (node.anyOf.length > 0) {
    const { first, closest } = yield* tryAll(node.anyOf, true);
    if (!first) findings.logic(`${quoted} must validate at least one schema (anyOf)`);
    mergeAll(findings, first ?? closest, effort);
  }
  if (node.oneOf.length > 0) {
    const { first, closest, valid } = yield* tryAll(node.oneOf, false);
    if (valid !== 1) {
      const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
      findings.logic(`${quoted} must validate one and only one schema (oneOf). ${found}`);
    }
    if (valid === 0) mergeAll(findings, closest, effort);
    else if (valid === 1 && first) mergeAll(findings, first, effort);
  }
  if (node.allOf.length > 0) {
    let valid = 0;
    for (const schema of node.allOf) {
      const result = yield schema;
      if (result.valid) valid++;
      mergeAll(findings, result, effort);
    }
    if (valid !== node.allOf.length) {
      findings.logic(`${quoted} must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
    }
  }
  if (node.not && (yield node.not).valid) findings.logic(`${quoted} must not validate the schema (not)`);
}

interface Tried {
  readonly first: FaultList | undefined;
  readonly closest: FaultList;
  readonly valid: number;
}

function* tryAll(schemas: readonly SchemaNode[], stop: boolean): Checks<Tried> {
  let first: FaultList | undefined;
  let closest: FaultList | undefined;
  let valid = 0;
  for (const schema of schemas) {
    const result = yield schema;
    if (result.valid) {
      valid++;
      first ??= result;
      if (stop) break;
    } else if (!closest || result.checks > closest.checks) closest = result;
  }
  return { first, closest: closest ?? new FaultList(), valid };
}
