import { type FieldError, invalid, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import type { Json } from '../../api/json.ts';
import { qualifiedName } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import { Pace, type Staged } from '../../api/staged.ts';
import type { RuleMaker } from '../builtinType.ts';
import { nameFaults } from '../validation/fields.ts';
import { judgedInParts } from '../validation/inParts.ts';
import { validateAmount } from './pods/resources.ts';

const SPEC = FieldPath.of('spec');
const PODS = ['cpu', 'memory', 'ephemeral-storage'];
const QUOTA = new Set([
  ...PODS.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
  ...['pods', 'resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'configmaps'],
  ...['persistentvolumeclaims', 'requests.storage', 'services.nodeports', 'services.loadbalancers'],
]);
const SCOPES = [
  'BestEffort',
  'CrossNamespacePodAffinity',
  'NotBestEffort',
  'NotTerminating',
  'PriorityClass',
  'Terminating',
  'VolumeAttributesClass',
];
/** Scopes that cannot hold together. */
const OPPOSITES = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

/** What a namespace may use in all. */
export const resourceQuotaRules: RuleMaker = ({ dialect }) => {
  const domain = dialect.labelDomain;
  return {
    strategy: judgedInParts(function* (quota, old) {
      const spec = objectOf(quota.spec);
      const errors = [
        ...(yield* validateHard(spec.hard, SPEC.child('hard'), domain)),
        ...validateScopes(spec.scopes),
        ...selector(quota),
      ];
      if (!old) return errors;
      const scopes = [...textsOf(objectOf(quota.spec).scopes)];
      const before = new Set(textsOf(objectOf(old.spec).scopes));
      const same = new Set(scopes).size === before.size && scopes.every((scope) => before.has(scope));
      return same ? errors : [...errors, invalid(SPEC.child('scopes'), scopes, 'field is immutable')];
    }),
    subresources: {
      status: judgedInParts(function* ({ status }) {
        const errors: FieldError[] = [];
        for (const name of ['hard', 'used']) {
          errors.push(...(yield* validateHard(objectOf(status)[name], FieldPath.of('status', name), domain)));
        }
        return errors;
      }),
    },
  };
};

/** Entries that long work passes in the time that a limit takes. */
const OF_A_LIMIT = 4;

function* validateHard(hard: Json | undefined, path: FieldPath, domain: string): Staged<FieldError[]> {
  const errors: FieldError[] = [];
  const pace = new Pace();
  for (const [name, amount] of Object.entries(objectOf(hard))) {
    const at = path.key(name);
    errors.push(...validateName(name, at), ...validateAmount(name, textOf(amount), at, domain));
    if (pace.due(OF_A_LIMIT)) yield;
  }
  return errors;
}

function validateName(name: string, path: FieldPath): FieldError[] {
  const errors = nameFaults(name, qualifiedName, path);
  if (errors.length > 0 || name.includes('/') || QUOTA.has(name)) return errors;
  if (/^(requests\.)?hugepages-/.test(name)) return [];
  return [invalid(path, name, 'must be a standard resource for quota')];
}

function validateScopes(scopes: Json | undefined): FieldError[] {
  const path = SPEC.child('scopes');
  const names = [...textsOf(scopes)];
  const errors = names.filter((name) => !SCOPES.includes(name)).map(() => invalid(path, names, 'unsupported scope'));
  for (const pair of OPPOSITES) {
    if (pair.every((name) => names.includes(name))) errors.push(invalid(path, names, 'conflicting scopes'));
  }
  return errors;
}

/** Scopes with values, where the plain ones do not do. */
function selector({ spec }: ApiObject): FieldError[] {
  const path = SPEC.child('scopeSelector', 'matchExpressions');
  return objectsOf(objectOf(objectOf(spec).scopeSelector).matchExpressions).flatMap((expression) => {
    const name = textOf(expression.scopeName);
    const operator = textOf(expression.operator);
    const values = [...textsOf(expression.values)];
    const errors: FieldError[] = [];
    if (!SCOPES.includes(name)) errors.push(invalid(path.child('scopeName'), name, 'unsupported scope'));
    else if (name !== 'PriorityClass' && name !== 'VolumeAttributesClass' && operator !== 'Exists') {
      const detail =
        "must be 'Exist' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
      errors.push(invalid(path.child('operator'), operator, detail));
    }
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) {
        const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
        errors.push(required(path.child('values'), detail));
      }
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) {
        const detail = "must be no value when `operator` is 'Exists' or 'DoesNotExist' for scope selector";
        errors.push(invalid(path.child('values'), values, detail));
      }
    } else errors.push(invalid(path.child('operator'), operator, 'not a valid selector operator'));
    return errors;
  });
}
