import { Ajv, type ErrorObject } from 'ajv';
import { boolCoreTag, FAILSAFE_SCHEMA } from 'js-yaml';
import { HistoryFault, pathText } from './fault.ts';
import schema from './history.schema.json' with { type: 'json' };
import type { ApiHistory } from './history.ts';
import { Reader } from './reader.ts';
import type { WrittenHistory } from './written.ts';
import { isFault, readDocuments, type YamlDocument } from './yamlDocuments.ts';

/** Numbers stay text: `1.20` is a release, and not 1.2. */
const AS_WRITTEN = FAILSAFE_SCHEMA.withTags(boolCoreTag);

/**
 * Reads a release history out of YAML or JSON.
 * @throws HistoryFault with everything that is wrong, each with its line and path
 */
export function readHistory(text: string): ApiHistory {
  const [document, second] = readDocuments(text, { schema: AS_WRITTEN });
  if (!document) throw new HistoryFault([{ line: 1, path: '', reason: 'the file is empty' }]);
  if (isFault(document)) throw new HistoryFault([{ ...document, path: '' }]);
  if (second) throw new HistoryFault([{ line: second.line, path: '', reason: 'a history is one document' }]);
  checkShape(document);
  return new Reader(document).history(document.value as WrittenHistory);
}

function checkShape(document: YamlDocument): void {
  const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
  if (validate(document.value)) return;
  const faults = (validate.errors ?? []).map((error) => ({
    line: document.lineOf(pointerOf(error)),
    path: pathText(error.instancePath),
    reason: reasonOf(error),
  }));
  throw new HistoryFault(faults);
}

/** A member too many is meant itself, and not what it stands in. */
function pointerOf({ instancePath, keyword, params }: ErrorObject): string {
  const name = keyword === 'additionalProperties' ? String(params.additionalProperty) : undefined;
  return name === undefined ? instancePath : `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function reasonOf({ keyword, params, message = 'it is not as it should be' }: ErrorObject): string {
  switch (keyword) {
    case 'additionalProperties':
      return `there is no member ${JSON.stringify(params.additionalProperty)} here`;
    case 'required':
      return `${params.missingProperty} is missing`;
    case 'dependencies':
      return `${params.missingProperty} is needed beside ${params.property}`;
    case 'enum':
      return `it has to be one of ${(params.allowedValues as string[]).join(', ')}`;
    case 'type':
      return `it has to be ${TYPES[String(params.type)] ?? params.type}`;
    case 'minItems':
    case 'minProperties':
    case 'minLength':
      return 'it may not be empty';
    default:
      return message;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  object: 'a map',
  array: 'a list',
  string: 'a text',
  boolean: 'true or false',
};
