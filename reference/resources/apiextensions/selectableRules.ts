import { duplicate, type FieldError, invalid, required, tooMany } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import { fieldAt } from '../custom/schema/fieldPathSyntax.ts';
import type { SchemaNode } from '../custom/schema/schemaNode.ts';

const MOST = 8;
const TYPES = ['string', 'boolean', 'integer'];

/** Fields for selectors are scalars of the schema, outside metadata, each named once. */
export function validateSelectable(paths: readonly string[], schema: SchemaNode, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, text] of paths.entries()) {
    const path = at.index(index).child('jsonPath');
    if (text === '') {
      errors.push(required(path));
      continue;
    }
    const found = fieldAt(text, schema, { brackets: false });
    if ('fault' in found) {
      errors.push(invalid(path, text, `is an invalid path: ${found.fault}`));
      continue;
    }
    if (found.steps[0]?.name === 'metadata') {
      errors.push(invalid(path, text, 'must not point to fields in metadata'));
    }
    if (!TYPES.includes(found.schema.type)) {
      const why =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      errors.push(invalid(path, text, why));
    }
    if (seen.has(found.path)) errors.push(duplicate(path, text));
    seen.add(found.path);
  }
  if (seen.size > MOST) errors.push(tooMany(at, seen.size, MOST));
  return errors;
}
