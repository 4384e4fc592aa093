import { type FieldError, invalid, required, tooLong } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type JsonObject, setMember } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, setDefault, textOf } from '../../api/parts.ts';
import { JsonSyntaxError, readJson } from '../../codecs/json.ts';
import type { RuleMaker } from '../builtinType.ts';
import { decodedBytes, MAX_DATA_BYTES, validateFrozen, validateKeys } from './dataKeys.ts';

const DATA = FieldPath.of('data');
const OPAQUE = 'Opaque';
/** Stands in messages for what must not be shown. */
const REDACTED = '<secret contents redacted>';

/** A secret holds bytes by key; some types ask for certain keys. */
export const secretRules: RuleMaker = ({ dialect }) => {
  const { labelDomain } = dialect;
  const validate = (object: ApiObject): FieldError[] => {
    const data = objectOf(object.data);
    const errors = validateKeys(data, DATA);
    if (decodedBytes(data) > MAX_DATA_BYTES) errors.push(tooLong(DATA, MAX_DATA_BYTES));
    return [...errors, ...validateType(object, data, labelDomain)];
  };
  return {
    strategy: {
      unconditionalUpdate: true,
      prepareForCreate: mergeText,
      prepareForUpdate(object, old) {
        mergeText(object);
        setDefault(object as unknown as JsonObject, 'type', textOf(old.type));
      },
      validate,
      validateUpdate: (object, old) => [
        ...(textOf(object.type) === textOf(old.type)
          ? []
          : [invalid(FieldPath.of('type'), textOf(object.type), 'field is immutable')]),
        ...validateFrozen(object, old, ['data']),
        ...validate(object),
      ],
    },
    defaults: {
      v1(object) {
        mergeText(object);
        setDefault(object as unknown as JsonObject, 'type', OPAQUE);
      },
    },
    selectableFields: { type: (object) => textOf(object.type) },
  };
};

/** stringData is only a way to write data: it is merged into it and never kept. */
function mergeText(object: ApiObject): void {
  if (!isObject(object.stringData)) return;
  const data: JsonObject = { ...objectOf(object.data) };
  for (const key of Object.keys(object.stringData)) {
    setMember(data, key, Buffer.from(textOf(object.stringData[key])).toString('base64'));
  }
  delete object.stringData;
  if (Object.keys(data).length > 0) object.data = data;
}

/** What each type of the service's own asks for. */
function validateType(object: ApiObject, data: JsonObject, domain: string): FieldError[] {
  const missing = (...keys: string[]): FieldError[] =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(DATA.key(key)));
  switch (textOf(object.type)) {
    case `${domain}/service-account-token`: {
      const annotation = `${domain}/service-account.name`;
      if (object.metadata.annotations?.[annotation]) return [];
      return [required(FieldPath.of('metadata', 'annotations').key(annotation))];
    }
    case `${domain}/dockercfg`:
      return validateJson(data, '.dockercfg');
    case `${domain}/dockerconfigjson`:
      return validateJson(data, '.dockerconfigjson');
    case `${domain}/basic-auth`: {
      const faults = missing('username', 'password');
      return faults.length === 2 ? faults : [];
    }
    case `${domain}/ssh-auth`:
      return textOf(data['ssh-privatekey']) === '' ? [required(DATA.key('ssh-privatekey'))] : [];
    case `${domain}/tls`:
      return missing('tls.crt', 'tls.key');
    default:
      return [];
  }
}

function validateJson(data: JsonObject, key: string): FieldError[] {
  if (!Object.hasOwn(data, key)) return [required(DATA.key(key))];
  const fault = jsonObjectFault(Buffer.from(textOf(data[key]), 'base64').toString('utf8'));
  return fault === undefined ? [] : [invalid(DATA.key(key), REDACTED, fault)];
}

function jsonObjectFault(text: string): string | undefined {
  try {
    const { value } = readJson(text);
    if (value === null || isObject(value)) return undefined;
    const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    const name = found === 'bigint' ? 'number' : found;
    return `json: cannot unmarshal ${name} into Go value of type map[string]interface {}`;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
}
