import type { FieldError } from '../../api/fieldError.ts';
import type { ApiObject } from '../../api/object.ts';
import { atOnce, type Staged } from '../../api/staged.ts';
import type { Strategy, WriteContext } from '../../contracts/resourceType.ts';

/** The same judgement of new and of changed objects, in one go and with turns for others meanwhile. */
export function judgedInParts(
  judge: (object: ApiObject, old: ApiObject | undefined, context: WriteContext) => Staged<FieldError[]>,
): Pick<Strategy, 'validate' | 'validateUpdate' | 'validateInParts'> {
  return {
    validate: (object, context) => atOnce(judge(object, undefined, context)),
    validateUpdate: (object, old, context) => atOnce(judge(object, old, context)),
    validateInParts: judge,
  };
}
