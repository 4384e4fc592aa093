import { type FieldError, tooLong } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';
import { decodedBytes, MAX_DATA_BYTES, textBytes, validateFrozen, validateKeys } from './dataKeys.ts';

// The whole object has no path; the service writes this for it.
const WHOLE = FieldPath.of('[]');

/** Keys are file names, each in one of the two maps, and all values together have a limit. */
export const configMapRules: RuleMaker = () => ({
  strategy: {
    unconditionalUpdate: true,
    validate,
    validateUpdate: (object, old) => [...validateFrozen(object, old, ['data', 'binaryData']), ...validate(object)],
  },
});

function validate(object: ApiObject): FieldError[] {
  const data = objectOf(object.data);
  const binaryData = objectOf(object.binaryData);
  const errors = [
    ...validateKeys(data, FieldPath.of('data'), { data: binaryData, name: 'binaryData' }),
    ...validateKeys(binaryData, FieldPath.of('binaryData')),
  ];
  if (textBytes(data) + decodedBytes(binaryData) > MAX_DATA_BYTES) errors.push(tooLong(WHOLE, MAX_DATA_BYTES));
  return errors;
}
