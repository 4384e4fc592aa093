import { Ajv } from 'ajv';
import { boolCoreTag, FAILSAFE_SCHEMA } from 'js-yaml';
import { pathText } from '../lifecycle/fault.ts';
import { pointerOf, reasonOf } from '../lifecycle/shapeFault.ts';
import { isFault, readDocuments, type YamlDocument } from '../lifecycle/yamlDocuments.ts';
import { SCHEMA, sectionSchema } from './configSchema.ts';
import { readNamedFile } from './files.ts';
import type { FlagTable } from './flags.ts';
import { UsageError } from './usageError.ts';

/** What a configuration file may say of a flag. */
export type Setting = string | boolean | readonly string[];

/** What is needed of a command to find its settings. */
export interface Settable {
  /** Its words: `lifecycle`, `upgrade`. */
  readonly command: readonly string[];
  readonly flags: FlagTable;
  /** All that there are; absent where only this one is known. */
  readonly commands?: readonly string[];
}

/** Numbers stay text: `1.30` is a release, and not 1.3. */
const AS_WRITTEN = FAILSAFE_SCHEMA.withTags(boolCoreTag);

/**
 * What a configuration file says of the flags of a command.
 * @throws UsageError with the first thing that is wrong with the file, and its line
 */
export function readConfigFile(path: string, settable: Settable): Readonly<Record<string, Setting>> {
  const [document, second] = readDocuments(readNamedFile(path, 'configuration'), { schema: AS_WRITTEN });
  if (!document) return {};
  if (isFault(document)) throw new UsageError(`${path}:${document.line}: ${document.reason}.`);
  if (second) throw new UsageError(`${path}:${second.line}: a configuration is one document.`);
  check(path, document, settable);
  let section: unknown = document.value;
  for (const word of settable.command) section = (section as Readonly<Record<string, unknown>> | undefined)?.[word];
  return (section ?? {}) as Readonly<Record<string, Setting>>;
}

function check(path: string, document: YamlDocument, { command, flags, commands }: Settable): void {
  const own = command.reduceRight<object>(
    (schema, word) => ({ type: 'object', properties: { [word]: schema } }),
    sectionSchema(flags),
  );
  const names = commands === undefined ? {} : { propertyNames: { enum: [...commands, SCHEMA] } };
  const validate = new Ajv({ strict: false }).compile({ ...own, ...names });
  if (validate(document.value)) return;
  const [error] = validate.errors ?? [];
  if (!error) return;
  const at = pathText(error.instancePath);
  const reason =
    error.keyword === 'enum' && error.propertyName !== undefined
      ? `there is no command ${error.propertyName}`
      : `${at === '' ? '' : `${at}: `}${reasonOf(error)}`;
  throw new UsageError(`${path}:${document.lineOf(pointerOf(error))}: ${reason}.`);
}
