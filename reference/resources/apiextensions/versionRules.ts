import { type FieldError, invalid, required } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import type { DefinedColumn, DefinedVersion, ScalePaths } from './definition.ts';

const LONGEST_WARNING = 256;
const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
/** Letters that cannot be shown: controls, separators other than the space, and what is assigned to nothing. */
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** The text of a deprecation may be set for deprecated versions, and is one short printable line. */
export function validateDeprecation(
  { deprecated, deprecationWarning: text }: DefinedVersion,
  path: FieldPath,
): FieldError[] {
  if (text === undefined) return [];
  const at = path.child('deprecationWarning');
  if (!deprecated) return [invalid(at, text, 'can only be set for deprecated versions')];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(text) > LONGEST_WARNING) {
    errors.push(invalid(at, text, `must be <= ${LONGEST_WARNING} characters long`));
  }
  if (text === '') errors.push(invalid(at, text, 'must not be an empty string'));
  const bad = UNPRINTABLE.exec(text);
  if (bad) {
    const index = Buffer.byteLength(text.slice(0, bad.index));
    const why = `must only contain printable UTF-8 characters; non-printable character found at index ${index}`;
    errors.push(invalid(at, text, why));
  }
  return errors;
}

/** The paths of a scale subresource are dotted ones below spec and status. */
export function validateScalePaths({ spec, status, selector }: ScalePaths, path: FieldPath): FieldError[] {
  const below = (name: string, value: string, roots: readonly string[], words: string): FieldError[] => {
    const at = path.child(`scale.${name}`);
    const errors = validateSimplePath(value, at);
    if (errors.length > 0 || roots.some((root) => value.startsWith(root))) return errors;
    return [invalid(at, value, `should be a json path under ${words}`)];
  };
  const named = (name: string, value: string, root: string): FieldError[] =>
    value === '' ? [required(path.child(`scale.${name}`))] : below(name, value, [`${root}.`], root);
  return [
    ...named('specReplicasPath', spec, '.spec'),
    ...named('statusReplicasPath', status, '.status'),
    ...(selector ? below('labelSelectorPath', selector, ['.spec.', '.status.'], 'either .spec or .status') : []),
  ];
}

/** A path that begins with a dot. */
function validateSimplePath(path: string, at: FieldPath): FieldError[] {
  if (path === '') return [invalid(at, path, 'must not be empty')];
  return path.startsWith('.') ? [] : [invalid(at, path, 'must be a simple json path starting with .')];
}

export function validateColumn({ name, type, format, jsonPath }: DefinedColumn, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  if (name === '') errors.push(required(path.child('name')));
  if (type === '') errors.push(required(path.child('type'), types));
  else if (!COLUMN_TYPES.includes(type)) errors.push(invalid(path.child('type'), type, types));
  if (format !== '' && !COLUMN_FORMATS.includes(format)) {
    errors.push(invalid(path.child('format'), format, `must be one of ${COLUMN_FORMATS.join(',')}`));
  }
  // The service spells the field like this.
  const at = path.child('JSONPath');
  if (jsonPath === '') errors.push(required(at));
  else errors.push(...validateSimplePath(jsonPath, at));
  return errors;
}
