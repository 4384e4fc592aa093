import { type FieldError, invalid, notSupported, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, textOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';

const SPEC = FieldPath.of('spec');
const STRATEGIES = ['OldestEmulationVersion'];
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;

/** Who stands for a lease, and which version it runs. */
export const leaseCandidateRules: RuleMaker = () => ({
  strategy: {
    createOnUpdate: true,
    unconditionalUpdate: false,
    validate,
    validateUpdate: (candidate, old) => {
      const before = textOf(objectOf(old.spec).leaseName);
      const name = textOf(objectOf(candidate.spec).leaseName);
      return [
        ...validate(candidate),
        ...(name === before ? [] : [invalid(SPEC.child('leaseName'), name, 'field is immutable')]),
      ];
    },
  },
});

function validate({ spec: given }: ApiObject): FieldError[] {
  const spec = objectOf(given);
  const errors: FieldError[] = [];
  if (textOf(spec.leaseName) === '') errors.push(required(SPEC.child('leaseName')));
  const strategy = textOf(spec.strategy);
  if (strategy === '') errors.push(required(SPEC.child('strategy')));
  // A strategy of somebody else is named with a domain.
  else if (!strategy.includes('/') && !STRATEGIES.includes(strategy)) {
    errors.push(notSupported(SPEC.child('strategy'), strategy, STRATEGIES));
  }
  for (const name of ['binaryVersion', 'emulationVersion']) {
    const version = textOf(spec[name]);
    if (version === '') {
      const needed = name === 'binaryVersion' || strategy === 'OldestEmulationVersion';
      if (needed) errors.push(required(SPEC.child(name)));
    } else if (!VERSION.test(version)) errors.push(invalid(SPEC.child(name), version, 'must be a semantic version'));
  }
  return errors;
}
