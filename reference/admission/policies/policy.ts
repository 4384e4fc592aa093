import { parseApiVersion } from '../../api/groupVersion.ts';
import { isObject, type Json, type JsonObject } from '../../api/json.ts';
import { type ApiObject, asJson } from '../../api/object.ts';
import { objectOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import type { LabelSelector } from '../../selectors/labelRequirement.ts';
import type { MatchCondition } from '../expressions/conditions.ts';
import { ANY_REQUEST, type Criteria, criteriaOf, selectorOf } from '../matching/criteria.ts';

/** The kind of the objects that parameters of a policy are. */
export interface ParamKind {
  /** As written. */
  readonly apiVersion: string;
  readonly kind: string;
}

/** A named expression that others of the policy may use. */
export interface Variable {
  readonly name: string;
  readonly expression: string;
}

/** One rule that a policy holds requests to. */
export interface Validation {
  readonly expression: string;
  /** Empty where there is none. */
  readonly message: string;
  readonly messageExpression: string;
  /** Empty where there is none. */
  readonly reason: string;
}

/** What a policy adds to audit events. */
export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}

/** A ValidatingAdmissionPolicy, read for judging requests. */
export interface Policy {
  readonly name: string;
  readonly paramKind: ParamKind | undefined;
  readonly constraints: Criteria;
  readonly conditions: readonly MatchCondition[];
  readonly variables: readonly Variable[];
  readonly validations: readonly Validation[];
  readonly annotations: readonly AuditAnnotation[];
  /** What cannot be judged counts as allowed. */
  readonly ignoresFailure: boolean;
}

/** A policy is read once, so that what is compiled of it serves every server that has the same stored object: forks do. */
export const policyOf = onceEach(readPolicy);

function readPolicy(object: ApiObject): Policy {
  const spec = objectOf(asJson(object).spec);
  return {
    name: object.metadata.name ?? '',
    paramKind: isObject(spec.paramKind)
      ? { apiVersion: textOf(spec.paramKind.apiVersion), kind: textOf(spec.paramKind.kind) }
      : undefined,
    constraints: criteriaOf(objectOf(spec.matchConstraints)),
    conditions: objectsOf(spec.matchConditions).map(({ name, expression }) => ({
      name: textOf(name),
      expression: textOf(expression),
    })),
    variables: variablesOf(spec.variables),
    validations: objectsOf(spec.validations).map(({ expression, message, messageExpression, reason }) => ({
      expression: textOf(expression),
      message: textOf(message),
      messageExpression: textOf(messageExpression),
      reason: textOf(reason),
    })),
    annotations: objectsOf(spec.auditAnnotations).map(({ key, valueExpression }) => ({
      key: textOf(key),
      valueExpression: textOf(valueExpression),
    })),
    ignoresFailure: spec.failurePolicy === 'Ignore',
  };
}

/** How an expression changes objects. */
export interface Mutation {
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: string;
}

/** A MutatingAdmissionPolicy, read for changing objects. */
export interface MutatingPolicy extends Policy {
  readonly mutations: readonly Mutation[];
  /** It is asked once more where others change the object after it. */
  readonly reinvoked: boolean;
}

export const mutatingPolicyOf = onceEach(readMutatingPolicy);

function readMutatingPolicy(object: ApiObject): MutatingPolicy {
  const spec = objectOf(asJson(object).spec);
  return {
    ...policyOf(object),
    mutations: objectsOf(spec.mutations).map(({ patchType, applyConfiguration, jsonPatch }) =>
      patchType === 'JSONPatch'
        ? { patchType, expression: textOf(objectOf(jsonPatch).expression) }
        : { patchType: 'ApplyConfiguration', expression: textOf(objectOf(applyConfiguration).expression) },
    ),
    reinvoked: spec.reinvocationPolicy === 'IfNeeded',
  };
}

function onceEach<T extends object>(read: (object: ApiObject) => T): (object: ApiObject) => T {
  const kept = new WeakMap<ApiObject, T>();
  return (object) => {
    let found = kept.get(object);
    if (!found) {
      found = read(object);
      kept.set(object, found);
    }
    return found;
  };
}

export function variablesOf(variables: Json | undefined): readonly Variable[] {
  return objectsOf(variables).map(({ name, expression }) => ({ name: textOf(name), expression: textOf(expression) }));
}

/** Which objects are the parameters. */
export interface ParamRef {
  /** Empty: by selector. */
  readonly name: string;
  /** Empty: the namespace of the request, for namespaced kinds. */
  readonly namespace: string;
  readonly selector: LabelSelector | undefined;
  /** Without parameters requests are refused; else the policy does not hold for them. */
  readonly deniesMissing: boolean;
}

export type ValidationAction = 'Deny' | 'Warn' | 'Audit';

/** A ValidatingAdmissionPolicyBinding: where a policy holds, with which parameters, and what comes of failing it. */
export interface PolicyBinding {
  readonly name: string;
  readonly policy: string;
  readonly paramRef: ParamRef | undefined;
  readonly criteria: Criteria;
  /** In the order in which they are written. */
  readonly actions: readonly ValidationAction[];
}

export function bindingOf(object: ApiObject): PolicyBinding {
  const spec = objectOf(asJson(object).spec);
  return {
    name: object.metadata.name ?? '',
    policy: textOf(spec.policyName),
    paramRef: isObject(spec.paramRef) ? paramRefOf(spec.paramRef) : undefined,
    criteria: isObject(spec.matchResources) ? criteriaOf(spec.matchResources) : ANY_REQUEST,
    actions: textsOf(spec.validationActions) as readonly ValidationAction[],
  };
}

const GROUPED = new WeakMap<readonly PolicyBinding[], ReadonlyMap<string, readonly PolicyBinding[]>>();

/** Bindings by the name of their policy, each in the order given; found once for a list. */
export function bindingsByPolicy(bindings: readonly PolicyBinding[]): ReadonlyMap<string, readonly PolicyBinding[]> {
  const known = GROUPED.get(bindings);
  if (known) return known;
  const byPolicy = new Map<string, PolicyBinding[]>();
  for (const binding of bindings) {
    const own = byPolicy.get(binding.policy);
    if (own) own.push(binding);
    else byPolicy.set(binding.policy, [binding]);
  }
  GROUPED.set(bindings, byPolicy);
  return byPolicy;
}

function paramRefOf(reference: JsonObject): ParamRef {
  return {
    name: textOf(reference.name),
    namespace: textOf(reference.namespace),
    selector: reference.selector === undefined ? undefined : selectorOf(reference.selector),
    deniesMissing: reference.parameterNotFoundAction === 'Deny',
  };
}

/** Group, version and kind; undefined for an apiVersion that is none. */
export function kindOfParams({ apiVersion, kind }: ParamKind) {
  const parsed = parseApiVersion(apiVersion);
  return parsed && { ...parsed, kind };
}
