import { duplicate, type FieldError, invalid, notSupported, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import { dns1035Label, fullyQualifiedName } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, listOf, numberOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import { validateLabelSelector } from '../../selectors/labelSelectorObject.ts';
import type { RuleContext, RuleMaker } from '../builtinType.ts';
import { validateClientConfig } from './clientConfig.ts';
import { validateMatchConditions } from './matchConditions.ts';
import { validateOperationRule } from './operationRules.ts';

const REVIEW_VERSIONS = ['v1', 'v1beta1'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const OLD_SIDE_EFFECTS = [...SIDE_EFFECTS, 'Some', 'Unknown'];
const FAILURE_POLICIES = ['Fail', 'Ignore'];
const MATCH_POLICIES = ['Equivalent', 'Exact'];
const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];
const DEFAULT_PORT = 443;
const LONGEST_TIMEOUT = 30;

/** Configurations of hooks (1/validatingwebhookconfiguration). */
export const webhookRules =
  (mutating: boolean): RuleMaker =>
  (context) => {
    const validate = (object: ApiObject, demands: Demands): FieldError[] =>
      validateWebhooks(objectsOf(object.webhooks), context, demands);
    return {
      strategy: {
        generation: true,
        unconditionalUpdate: false,
        validate: (object) => validate(object, DEMANDS),
        validateUpdate: (object, old) => validate(object, demandsOn(objectsOf(old.webhooks))),
      },
      strategies: {
        v1beta1: {
          validate: (object) => validate(object, NO_DEMANDS),
          validateUpdate: (object) => validate(object, NO_DEMANDS),
        },
      },
      defaults: {
        v1: (object) => fillWebhooks(object, mutating, DEFAULTS),
        v1beta1(object) {
          fillWebhooks(object, mutating, OLD_DEFAULTS);
          for (const webhook of listOf(object.webhooks)) {
            if (!isObject(webhook)) continue;
            webhook.sideEffects ??= 'Unknown';
            if (listOf(webhook.admissionReviewVersions).length === 0) webhook.admissionReviewVersions = ['v1beta1'];
          }
        },
      },
    };
  };

/** What a version says where a client does not. */
interface WebhookDefaults {
  readonly failurePolicy: string;
  readonly matchPolicy: string;
  /** Seconds. */
  readonly timeout: number;
}
const DEFAULTS: WebhookDefaults = { failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeout: 10 };
const OLD_DEFAULTS: WebhookDefaults = { failurePolicy: 'Ignore', matchPolicy: 'Exact', timeout: 30 };

/** What only newer versions ask of hooks. */
interface Demands {
  readonly uniqueNames: boolean;
  readonly knownSideEffects: boolean;
  readonly knownReviewVersions: boolean;
}
const DEMANDS: Demands = { uniqueNames: true, knownSideEffects: true, knownReviewVersions: true };
const NO_DEMANDS: Demands = { uniqueNames: false, knownSideEffects: false, knownReviewVersions: false };

/** What was sound by an older version may stay as it is. */
function demandsOn(old: readonly JsonObject[]): Demands {
  return {
    uniqueNames: new Set(old.map(({ name }) => name)).size === old.length,
    knownSideEffects: old.every(({ sideEffects }) => SIDE_EFFECTS.includes(textOf(sideEffects))),
    knownReviewVersions: old.every((hook) => textsOf(hook.admissionReviewVersions).some(isReviewVersion)),
  };
}
const isReviewVersion = (version: string) => REVIEW_VERSIONS.includes(version);

function fillWebhooks(object: ApiObject, mutating: boolean, defaults: WebhookDefaults): void {
  for (const webhook of listOf(object.webhooks)) if (isObject(webhook)) fillWebhook(webhook, mutating, defaults);
}

function fillWebhook(webhook: JsonObject, mutating: boolean, defaults: WebhookDefaults): void {
  const { clientConfig } = webhook;
  if (isObject(clientConfig) && isObject(clientConfig.service)) clientConfig.service.port ??= DEFAULT_PORT;
  webhook.failurePolicy ??= defaults.failurePolicy;
  webhook.matchPolicy ??= defaults.matchPolicy;
  ensureObject(webhook, 'namespaceSelector');
  ensureObject(webhook, 'objectSelector');
  webhook.timeoutSeconds ??= defaults.timeout;
  if (mutating) webhook.reinvocationPolicy ??= 'Never';
  for (const rule of listOf(webhook.rules)) if (isObject(rule)) rule.scope ??= '*';
}

function validateWebhooks(webhooks: readonly JsonObject[], context: RuleContext, demands: Demands): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, webhook] of webhooks.entries()) {
    const path = FieldPath.of('webhooks').index(index);
    const name = textOf(webhook.name);
    errors.push(...validateWebhook(webhook, path, context, demands));
    errors.push(...validateReviewVersions(textsOf(webhook.admissionReviewVersions), path, demands));
    if (demands.uniqueNames && name !== '' && names.has(name)) errors.push(duplicate(path.child('name'), name));
    names.add(name);
  }
  return errors;
}

function validateWebhook(
  webhook: JsonObject,
  path: FieldPath,
  context: RuleContext,
  { knownSideEffects }: Demands,
): FieldError[] {
  const effects = knownSideEffects ? SIDE_EFFECTS : OLD_SIDE_EFFECTS;
  const errors = validateWebhookName(textOf(webhook.name), path.child('name'));
  for (const [index, rule] of objectsOf(webhook.rules).entries()) {
    errors.push(...validateOperationRule(rule, path.child('rules').index(index), context));
  }
  errors.push(...validateChoice(webhook, 'failurePolicy', FAILURE_POLICIES, path));
  errors.push(...validateChoice(webhook, 'matchPolicy', MATCH_POLICIES, path));
  if (webhook.sideEffects === undefined) {
    errors.push(required(path.child('sideEffects'), `must specify one of ${effects.join(', ')}`));
  }
  errors.push(...validateChoice(webhook, 'sideEffects', effects, path));
  const timeout = numberOf(webhook.timeoutSeconds);
  if (timeout !== undefined && (timeout < 1 || timeout > LONGEST_TIMEOUT)) {
    errors.push(invalid(path.child('timeoutSeconds'), timeout, 'the timeout value must be between 1 and 30 seconds'));
  }
  for (const selector of ['namespaceSelector', 'objectSelector']) {
    errors.push(...validateLabelSelector(webhook[selector], path.child(selector)));
  }
  errors.push(...validateChoice(webhook, 'reinvocationPolicy', REINVOCATION_POLICIES, path));
  const config = webhook.clientConfig;
  errors.push(...validateClientConfig(isObject(config) ? config : {}, path.child('clientConfig'), context));
  errors.push(...validateMatchConditions(objectsOf(webhook.matchConditions), path.child('matchConditions'), context));
  return errors;
}

function validateWebhookName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  const faults = fullyQualifiedName(name);
  return faults.length === 0 ? [] : [invalid(path, name, faults.join(','))];
}

function validateChoice(webhook: JsonObject, field: string, choices: readonly string[], path: FieldPath): FieldError[] {
  const value = webhook[field];
  if (value === undefined || choices.includes(textOf(value))) return [];
  return [notSupported(path.child(field), textOf(value), choices)];
}

function validateReviewVersions(
  versions: readonly string[],
  webhook: FieldPath,
  { knownReviewVersions }: Demands,
): FieldError[] {
  const path = webhook.child('admissionReviewVersions');
  const known = REVIEW_VERSIONS.join(', ');
  if (versions.length === 0) return [required(path, `must specify one of ${known}`)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    if (seen.has(version)) errors.push(invalid(path.index(index), version, 'duplicate version'));
    else for (const fault of dns1035Label(version)) errors.push(invalid(path.index(index), version, fault));
    seen.add(version);
  }
  if (knownReviewVersions && ![...seen].some(isReviewVersion)) {
    errors.push(invalid(path, [...versions], `must include at least one of ${known}`));
  }
  return errors;
}
