import type { Follow } from '../../../fixtures/follow.ts';
import { isObject, isTooDeep, type Json, type JsonObject } from '../../api/json.ts';
import { type ApiObject, asJson } from '../../api/object.ts';
import { ApiError } from '../../api/status.ts';
import { Struct, withStructs } from '../../cel/libraries/structs.ts';
import type { Compiled } from '../../cel/program.ts';
import { jsonOf } from '../../cel/values.ts';
import type { Authorizer } from '../../contracts/authorizer.ts';
import { jsonPatch } from '../../fields/jsonPatch.ts';
import { merge } from '../../fields/merge.ts';
import { UnidentifiedItem } from '../../fields/shape.ts';
import type { Schema } from '../../schema/schema.ts';
import type { AdmittedRequest } from '../matching/admittedRequest.ts';
import type { VersionedView } from '../matching/versionedView.ts';
import { type Patched, readPatched } from '../webhooks/patched.ts';
import { EXPRESSION_BUDGET, LazyVariables } from './lazyVariables.ts';
import type { MutatingPolicy, Mutation } from './policy.ts';
import { valuesFor } from './policyCall.ts';
import { programsOf } from './programs.ts';

/** A mutation that cannot be made; the words are those that clients see. */
export class MutationFault extends Error {}

/** One mutation of a policy, and the request that it is to be made to. */
export interface Given {
  readonly policy: MutatingPolicy;
  readonly mutation: Mutation;
  readonly request: AdmittedRequest;
  /** The request in the version that the policy is about. */
  readonly view: VersionedView;
  /** Null where there are none. */
  readonly params: ApiObject | null;
  /** Of the object; undefined for cluster-scoped ones. */
  readonly namespace: ApiObject | undefined;
}

/**
 * What a mutation makes of the object of a request; undefined where there is nothing to change.
 * @throws MutationFault
 */
export async function mutatedBy(
  given: Given,
  dependencies: { readonly authorizer: Authorizer; readonly follow: Follow },
): Promise<Patched | undefined> {
  const object = given.view.object('object');
  if (!object) return undefined;
  const value = await evaluated(given, dependencies.authorizer);
  const json = given.mutation.patchType === 'JSONPatch' ? patch : configure;
  try {
    const next = json(asJson(object), value, given.view, dependencies.follow);
    return next && (await readPatched(next, given.view));
  } catch (error) {
    if (error instanceof ApiError || error instanceof UnidentifiedItem) throw new MutationFault(error.message);
    throw error;
  }
}

const kept = new WeakMap<Mutation, Compiled>();

async function evaluated({ policy, mutation, ...given }: Given, authorizer: Authorizer): Promise<unknown> {
  const { request, view, params, namespace } = given;
  const { scopes } = programsOf(policy);
  const { scope } = scopes;
  let compiled = kept.get(mutation);
  if (!compiled) {
    compiled = scope.compile(withStructs(mutation.expression), 'dyn');
    kept.set(mutation, compiled);
  }
  if ('fault' in compiled) throw new MutationFault(`compilation error: ${compiled.fault}`);
  const { values, questions } = valuesFor(policy, request, view, params, namespace, authorizer);
  // An expression that asks what an authorizer cannot say at once is tried again with its answer.
  for (;;) {
    const variables = new LazyVariables(scopes.variables, values);
    const outcome = compiled.program.evaluate(variables.in(scope, values), EXPRESSION_BUDGET);
    if (await questions.answered()) continue;
    if ('value' in outcome) return outcome.value;
    throw new MutationFault(`expression '${mutation.expression}' resulted in error: ${outcome.fault}`);
  }
}

type Change = (object: JsonObject, value: unknown, view: VersionedView, follow: Follow) => JsonObject | undefined;

/** Lays the configuration that an expression gives over the object. */
const configure: Change = (object, value, { version: { schema } }) => {
  if (!(value instanceof Struct) || value.type !== 'Object') {
    throw new MutationFault(`must evaluate to Object but got ${value instanceof Struct ? value.type : typeof value}`);
  }
  const configuration = converted(value);
  if (!isObject(configuration)) return undefined;
  const { apiVersion: _, kind: __, ...stated } = configuration;
  for (const [name, field] of Object.entries(stated)) {
    const known = schema.fields.get(name);
    if (!known && !schema.preserveUnknown) throw new MutationFault(`.${name}: field not declared in schema`);
    if (known) checkParts(known.schema, field, `.${name}`);
  }
  const merged = merge(schema, object, stated) as JsonObject;
  if (isTooDeep(merged)) throw new MutationFault('error applying patch: the object is nested too deeply');
  return merged;
};

/**
 * Refuses parts that would be replaced whole: whoever states some fields of such a part would lose the others.
 * Throws MutationFault.
 */
function checkParts(schema: Schema, value: Json, path: string): void {
  if (Array.isArray(value)) {
    if (schema.kind !== 'list') return;
    if (schema.listType === 'atomic') throw atomicFault(path);
    for (const [index, item] of value.entries()) checkParts(schema.items, item, `${path}[${index}]`);
    return;
  }
  if (!isObject(value)) return;
  if ((schema.kind === 'object' || schema.kind === 'map' || schema.kind === 'untyped') && schema.mapType === 'atomic') {
    throw atomicFault(path);
  }
  for (const [name, member] of Object.entries(value)) {
    const at = `${path}.${name}`;
    if (schema.kind === 'map') checkParts(schema.values, member, at);
    if (schema.kind !== 'object') continue;
    const field = schema.fields.get(name);
    if (!field && !schema.preserveUnknown) throw new MutationFault(`${at}: field not declared in schema`);
    if (field) checkParts(field.schema, member, at);
  }
}

const atomicFault = (path: string): MutationFault =>
  new MutationFault(
    `error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${path}`,
  );

/** Applies the operations that an expression gives; where a test among them fails, none is applied. */
const patch: Change = (object, value, _, follow) => {
  if (!Array.isArray(value) || !value.every((one) => one instanceof Struct && one.type === 'JSONPatch')) {
    throw new MutationFault('must evaluate to list(JSONPatch)');
  }
  const operations = converted(value);
  if (!Array.isArray(operations) || operations.length === 0) return undefined;
  const tests = operations.map((one) => isObject(one) && one.op === 'test');
  for (let end = 1; end <= operations.length; end++) {
    if (!tests[end - 1]) continue;
    if (!holds(object, operations.slice(0, end), follow)) return undefined;
  }
  return jsonPatch(object, operations, follow);
};

/** Whether operations can be applied of which the last one is a test; what fails before it is told by the whole. */
function holds(object: JsonObject, operations: readonly Json[], follow: Follow): boolean {
  jsonPatch(object, operations.slice(0, -1), follow);
  try {
    jsonPatch(object, [...operations], follow);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

function converted(value: unknown): Json {
  try {
    return jsonOf(value);
  } catch (error) {
    throw new MutationFault(error instanceof Error ? error.message : String(error));
  }
}
