import { type FieldError, forbiddenField, invalid, notSupported, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { equalJson, isObject, type Json, type JsonObject } from '../../api/json.ts';
import { dns1123Label } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { atOnce } from '../../api/staged.ts';
import { validateLabelSelector } from '../../selectors/labelSelectorObject.ts';
import type { PodScope } from '../core/pods/scope.ts';
import { validateTemplate, validateTemplateMetadata } from '../core/pods/spec.ts';
import { validateClaimSpec } from '../core/volumes/claimSpec.ts';
import { named, notNegative } from '../validation/fields.ts';
import { validateEndless, validateOwnSelector, validateSelected } from '../workloads/podTemplates.ts';
import { countOrShare, isNothing, notOverAll } from '../workloads/replicas.ts';

const SPEC = FieldPath.of('spec');
const ORDERS = ['OrderedReady', 'Parallel'];
/** First release that looks at the pods of a set when the set is written, and in which more of it can change. */
const WHOLE_TEMPLATE_SINCE = 34;
const HISTORY_SINCE = 33;

/**
 * Faults of a StatefulSet, besides its metadata. Of `old` stays allowed what was not looked at when it was written:
 * its pods, its claims and the name of its service.
 */
export function validateStatefulSet(statefulSet: ApiObject, old: ApiObject | undefined, scope: PodScope): FieldError[] {
  const spec = objectOf(statefulSet.spec);
  const order = textOf(spec.podManagementPolicy);
  const errors: FieldError[] = [];
  if (!ORDERS.includes(order)) {
    const detail = `must be '${ORDERS[0]}' or '${ORDERS[1]}'`;
    errors.push(invalid(SPEC.child('podManagementPolicy'), order, detail));
  }
  return [
    ...errors,
    ...validateStrategy(objectOf(spec.updateStrategy), SPEC.child('updateStrategy')),
    ...validateRetention(spec.persistentVolumeClaimRetentionPolicy),
    ...lately(validateClaims, spec, old, scope),
    ...notNegative(spec.replicas, SPEC.child('replicas')),
    ...notNegative(spec.minReadySeconds, SPEC.child('minReadySeconds')),
    ...notNegative(objectOf(spec.ordinals).start, SPEC.child('ordinals.start')),
    ...validateService(spec, old, scope),
    ...validateSelection(spec, old, scope),
    ...validateEndless(spec.template, SPEC.child('template'), 'StatefulSet'),
  ];
}

type SpecCheck = (spec: JsonObject, scope: PodScope) => FieldError[];

/** A check that came late: objects that failed it already may go on to. */
function lately(check: SpecCheck, spec: JsonObject, old: ApiObject | undefined, scope: PodScope): FieldError[] {
  if (scope.release < WHOLE_TEMPLATE_SINCE) return [];
  const errors = check(spec, scope);
  return errors.length > 0 && old && check(objectOf(old.spec), scope).length > 0 ? [] : errors;
}

const validateClaims: SpecCheck = (spec) =>
  objectsOf(spec.volumeClaimTemplates).flatMap((claim, index) =>
    validateClaimSpec(objectOf(claim.spec), SPEC.child('volumeClaimTemplates').index(index).child('spec')),
  );

function validateService(spec: JsonObject, old: ApiObject | undefined, scope: PodScope): FieldError[] {
  const check: SpecCheck = ({ serviceName }) =>
    textOf(serviceName) === '' ? [] : named(serviceName, dns1123Label, SPEC.child('serviceName'));
  return lately(check, spec, old, scope);
}

function validateSelection(spec: JsonObject, old: ApiObject | undefined, scope: PodScope): FieldError[] {
  const path = SPEC.child('selector');
  const errors = validateOwnSelector(spec.selector, path, 'statefulset');
  if (validateLabelSelector(spec.selector, path).length > 0) {
    const unusable = invalid(path, spec.selector, '');
    return [...errors, { ...unusable, message: unusable.message.replace(/: $/, '') }];
  }
  const template = SPEC.child('template');
  const { metadata, spec: pod } = objectOf(spec.template);
  return [
    ...errors,
    ...validateSelected(spec.selector, spec.template, template),
    ...validateTemplateMetadata(objectOf(metadata), objectOf(pod), template, scope),
    ...lately(validatePods, spec, old, scope),
  ];
}

/**
 * Pods of a set mount what its claims give, besides their own volumes. Their labels and annotations are judged here once
 * more: the service names those faults twice.
 */
const validatePods: SpecCheck = (spec, scope) => {
  const template = objectOf(spec.template);
  const own = objectOf(template.spec);
  const claimed = new Set(objectsOf(spec.volumeClaimTemplates).map((claim) => textOf(objectOf(claim.metadata).name)));
  const kept = objectsOf(own.volumes).filter((volume) => !claimed.has(textOf(volume.name)));
  const added = [...claimed].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const whole = { ...template, spec: { ...own, volumes: [...kept, ...added] } };
  return atOnce(validateTemplate(whole, SPEC.child('template'), scope));
};

function validateStrategy(strategy: JsonObject, path: FieldPath): FieldError[] {
  const rolling = strategy.rollingUpdate;
  const at = path.child('rollingUpdate');
  switch (textOf(strategy.type)) {
    case '':
      return [required(path)];
    case 'OnDelete':
      if (rolling === undefined) return [];
      return [invalid(at, shownRolling(rolling), "only allowed for updateStrategy 'RollingUpdate'")];
    case 'RollingUpdate':
      return isObject(rolling) ? validateRolling(rolling, at) : [];
    default: {
      const shown = { Type: textOf(strategy.type), RollingUpdate: shownRolling(rolling) };
      return [invalid(path, shown, "must be 'RollingUpdate' or 'OnDelete'")];
    }
  }
}

function shownRolling(rolling: Json | undefined): Json {
  if (!isObject(rolling)) return null;
  return { Partition: numberOf(rolling.partition) ?? 0, MaxUnavailable: rolling.maxUnavailable ?? null };
}

function validateRolling({ partition, maxUnavailable }: JsonObject, path: FieldPath): FieldError[] {
  const errors = notNegative(partition, path.child('partition'));
  if (maxUnavailable === undefined) return errors;
  const at = path.child('maxUnavailable');
  errors.push(...countOrShare(maxUnavailable, at));
  if (isNothing(maxUnavailable)) errors.push(invalid(at, maxUnavailable, 'cannot be 0'));
  return [...errors, ...notOverAll(maxUnavailable, at)];
}

function validateRetention(policy: Json | undefined): FieldError[] {
  if (!isObject(policy)) return [];
  const path = SPEC.child('persistentVolumeClaimRetentionPolicy');
  return ['whenDeleted', 'whenScaled'].flatMap((when) => {
    const wanted = textOf(policy[when]);
    if (wanted === 'Retain' || wanted === 'Delete') return [];
    return [notSupported(path.child(when), wanted, ['Retain', 'Delete'])];
  });
}

/** Of what a set is made of only some can change. */
export function validateStatefulSetChange(set: ApiObject, old: ApiObject, release: number): FieldError[] {
  const history = release >= HISTORY_SINCE ? ['revisionHistoryLimit'] : [];
  const named = [
    'replicas',
    'ordinals',
    'template',
    'updateStrategy',
    ...history,
    'persistentVolumeClaimRetentionPolicy',
  ];
  const mutable = [...named, 'minReadySeconds'];
  const fixed = (object: ApiObject): JsonObject =>
    Object.fromEntries(Object.entries(objectOf(object.spec)).filter(([name]) => !mutable.includes(name)));
  if (equalJson(fixed(set), fixed(old))) return [];
  const list = named.map((name) => `'${name}'`).join(', ');
  return [
    forbiddenField(
      SPEC,
      `updates to statefulset spec for fields other than ${list} and 'minReadySeconds' are forbidden`,
    ),
  ];
}
