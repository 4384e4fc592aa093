import { type FieldError, invalid, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject } from '../../api/json.ts';
import { dns1035Label, dns1123Subdomain, pathSegment, portNumber } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { numberOf, objectOf, textOf } from '../../api/parts.ts';
import { formatTime } from '../../time.ts';
import type { RuleMaker } from '../builtinType.ts';
import { nameFaults } from '../validation/fields.ts';

const SPEC = FieldPath.of('spec');
const DEFAULT_PORT = 443;
const HIGHEST_GROUP = 20_000;
const HIGHEST_VERSION = 1_000;

const LOCAL = {
  type: 'Available',
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};

export const apiServiceRules: RuleMaker = () => ({
  strategy: {
    validateName: pathSegment,
    // What this server serves itself is available from the beginning.
    prepareForCreate(one, { now }) {
      one.status = {};
      if (!isObject(objectOf(one.spec).service))
        one.status = { conditions: [{ ...LOCAL, lastTransitionTime: formatTime(now) }] };
    },
    validate,
    validateUpdate: (one) => validate(one),
  },
  subresources: { status: { resetFields: [['spec'], ['metadata']] } },
  defaults: {
    v1({ spec }) {
      const { service } = objectOf(spec);
      if (isObject(service)) service.port ??= DEFAULT_PORT;
    },
  },
});

function validate({ metadata, spec: given }: ApiObject): FieldError[] {
  const spec = objectOf(given);
  const group = textOf(spec.group);
  const version = textOf(spec.version);
  const errors: FieldError[] = [];
  const name = metadata.name ?? '';
  if (name !== `${version}.${group}`) {
    const detail = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(`${version}.${group}`)}`;
    errors.push(invalid(FieldPath.of('metadata', 'name'), name, detail));
  }
  // Only the oldest group has no name.
  if (group !== '') errors.push(...nameFaults(group, dns1123Subdomain, SPEC.child('group')));
  else if (version !== 'v1')
    errors.push(required(SPEC.child('group'), 'only v1 may have an empty group and it better be legacy kube'));
  errors.push(...nameFaults(version, dns1035Label, SPEC.child('version')));
  errors.push(...validatePriority(numberOf(spec.groupPriorityMinimum) ?? 0, HIGHEST_GROUP, 'groupPriorityMinimum'));
  errors.push(...validatePriority(numberOf(spec.versionPriority) ?? 0, HIGHEST_VERSION, 'versionPriority'));
  const { service } = spec;
  const skips = spec.insecureSkipTLSVerify === true;
  const skipPath = SPEC.child('insecureSkipTLSVerify');
  if (!isObject(service)) {
    if (textOf(spec.caBundle) !== '') {
      const caPath = SPEC.child('caBundle');
      errors.push(invalid(caPath, '<omitted>', 'local APIServices may not have a caBundle'));
    }
    if (skips) errors.push(invalid(skipPath, true, 'local APIServices may not have insecureSkipTLSVerify'));
    return errors;
  }
  for (const field of ['namespace', 'name']) {
    if (textOf(service[field]) === '') errors.push(required(SPEC.child('service', field)));
  }
  const port = numberOf(service.port) ?? 0;
  for (const fault of portNumber(port))
    errors.push(invalid(SPEC.child('service', 'port'), port, `port is not valid: ${fault}`));
  if (skips && textOf(spec.caBundle) !== '') {
    errors.push(invalid(skipPath, true, 'may not be true if caBundle is present'));
  }
  return errors;
}

function validatePriority(value: number, highest: number, name: string): FieldError[] {
  if (value > 0 && value <= highest) return [];
  return [invalid(SPEC.child(name), value, `must be positive and less than ${highest}`)];
}
