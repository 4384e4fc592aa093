import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { type FieldError, findErrors, invalid } from '../api/fieldError.ts';
import { FieldPath } from '../api/fieldPath.ts';
import type { User } from '../api/identity.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { badRequest, invalidObject } from '../api/status.ts';
import type { Authorizer, PolicyRule, RuleResolver } from '../contracts/authorizer.ts';
import type { VirtualOperation } from '../contracts/resourceType.ts';
import { reviewQuestion } from './reviewAttributes.ts';
import { validateEmptyMetadata, validateReview } from './reviewSpec.ts';

/** What reviews ask: the chain that requests pass, so that both always agree. */
export interface ReviewDependencies {
  readonly authorizer: Authorizer;
  readonly rules: RuleResolver;
  readonly dialect: Dialect;
}

/**
 * The four access reviews (2/access-review-objects), by group prefix and plural: what creating one of them computes.
 */
export function accessReviews(dependencies: ReviewDependencies): Readonly<Record<string, VirtualOperation>> {
  const group = groupName(dependencies.dialect, 'authorization');
  const judge = (rules: () => FieldError[]) => {
    const { errors, endedEarly } = findErrors(rules);
    if (errors.length > 0) throw invalidObject({ group, kind: '' }, '', errors, endedEarly);
  };
  const answer = async (review: ApiObject, spec: JsonObject, user: User): Promise<ApiObject> => {
    const { asked, faults } = reviewQuestion(spec, user);
    const verdict = await dependencies.authorizer.authorize(asked);
    const errors = [...(verdict.error === undefined ? [] : [verdict.error]), ...faults];
    return {
      ...review,
      status: {
        allowed: verdict.decision === 'allow',
        ...(verdict.decision === 'deny' ? { denied: true } : {}),
        ...(verdict.reason ? { reason: verdict.reason } : {}),
        ...(errors.length > 0
          ? { evaluationError: errors.length === 1 ? (errors[0] as string) : `[${errors.join(', ')}]` }
          : {}),
      },
    };
  };
  return {
    'authorization/selfsubjectaccessreviews': (review, exchange) => {
      judge(() => [...validateReview(review, false), ...validateEmptyMetadata(review)]);
      return answer(review, specOf(review), exchange.user);
    },
    'authorization/subjectaccessreviews': (review) => {
      judge(() => [...validateReview(review, true), ...validateEmptyMetadata(review)]);
      const spec = specOf(review);
      return answer(review, spec, userOf(spec));
    },
    'authorization/localsubjectaccessreviews': (review) => {
      judge(() => [
        ...validateReview(review, true),
        ...validateEmptyMetadata(review, ['namespace']),
        ...validateLocal(review),
      ]);
      const spec = specOf(review);
      return answer(review, spec, userOf(spec));
    },
    'authorization/selfsubjectrulesreviews': async (review, exchange) => {
      const namespace = specOf(review).namespace;
      if (typeof namespace !== 'string' || namespace === '') throw badRequest('no namespace on request');
      const rules = await dependencies.rules.rulesFor(exchange.user, namespace);
      return {
        apiVersion: review.apiVersion,
        kind: review.kind,
        metadata: {},
        spec: {},
        status: {
          resourceRules: rules.resourceRules.map((rule) =>
            written(rule, ['verbs', 'apiGroups', 'resources', 'resourceNames']),
          ),
          nonResourceRules: rules.nonResourceRules.map((rule) => written(rule, ['verbs', 'nonResourceURLs'])),
          incomplete: rules.incomplete,
          ...(rules.error ? { evaluationError: rules.error } : {}),
        },
      };
    },
  };
}

function specOf(review: ApiObject): JsonObject {
  return isObject(review.spec) ? review.spec : {};
}

/** The user that a review describes; groups are taken as they stand, nothing is added. */
function userOf(spec: JsonObject): User {
  const extra = isObject(spec.extra) ? spec.extra : {};
  return {
    username: typeof spec.user === 'string' ? spec.user : '',
    uid: typeof spec.uid === 'string' ? spec.uid : '',
    groups: Array.isArray(spec.groups) ? (spec.groups as string[]) : [],
    extra: extra as unknown as User['extra'],
  };
}

/** A review in a namespace asks about that namespace, and about resources only. */
function validateLocal(review: ApiObject): FieldError[] {
  const spec = specOf(review);
  const path = FieldPath.of('spec');
  const errors: FieldError[] = [];
  if (isObject(spec.resourceAttributes)) {
    const asked = spec.resourceAttributes.namespace ?? '';
    if (asked !== (review.metadata.namespace ?? '')) {
      errors.push(invalid(path.child('resourceAttributes', 'namespace'), asked, 'must match metadata.namespace'));
    }
  }
  if (isObject(spec.nonResourceAttributes)) {
    errors.push(
      invalid(path.child('nonResourceAttributes'), spec.nonResourceAttributes, 'disallowed on this kind of request'),
    );
  }
  return errors;
}

function written(rule: Partial<PolicyRule>, fields: readonly (keyof PolicyRule)[]): JsonObject {
  const all: JsonObject = {};
  for (const field of fields) {
    const values = rule[field];
    if (field === 'verbs' || (values && values.length > 0)) all[field] = [...(values ?? [])];
  }
  return all;
}
