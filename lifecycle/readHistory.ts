import { Ajv } from 'ajv';
import { boolCoreTag, FAILSAFE_SCHEMA } from 'js-yaml';
import { HistoryFault, pathText } from './fault.ts';
import schema from './history.schema.json' with { type: 'json' };
import type { ApiHistory } from './history.ts';
import { Reader } from './reader.ts';
import { pointerOf, reasonOf } from './shapeFault.ts';
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
