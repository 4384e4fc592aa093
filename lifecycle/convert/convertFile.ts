import { CORE_SCHEMA, mergeTag } from 'js-yaml';
import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../reference/api/json.ts';
import { asJson } from '../../reference/api/object.ts';
import { ApiError } from '../../reference/api/status.ts';
import { readYaml, YamlSyntaxError } from '../../reference/codecs/yaml.ts';
import { convertObject, NoConversion, versionsFor } from '../../reference/resources/conversion/convertObject.ts';
import { isFault, readDocuments } from '../yamlDocuments.ts';

/** What became of a file. */
export interface ConvertedFile {
  /** The objects in the order of the file; those that have no such version are as they were. */
  readonly objects: readonly JsonObject[];
  /** How many of them were brought into another version. */
  readonly converted: number;
  /** What to look at before they are used: defaults that the new version would not have chosen, and what was lost. */
  readonly notes: readonly FileNote[];
  /** What could not be read, or is no object of its own version. */
  readonly faults: readonly FileNote[];
}
export interface FileNote {
  readonly line: number;
  /** A sentence without its full stop. */
  readonly text: string;
}

const SCHEMA = CORE_SCHEMA.withTags(mergeTag);

/**
 * Rewrites the objects of a text to another version (3/removed-api-versions-by-release/p2).
 * In: YAML or JSON, of several documents and lists of objects; `<group>/<version>`, or `v1`. Out: see {@link ConvertedFile};
 * what is wrong with one object does not keep the others.
 */
export function convertFile(text: string, wanted: string, dialect: Dialect): ConvertedFile {
  const run = new Run(wanted, dialect);
  for (const document of readDocuments(text, { schema: SCHEMA, duplicates: 'last counts' })) {
    if (isFault(document)) run.fault(document.line, `is no YAML: ${document.reason}`);
    else run.document(document.text, (pointer) => document.lineOf(pointer), document.line);
  }
  return run;
}

type LineOf = (pointer: string) => number;

class Run implements ConvertedFile {
  readonly objects: JsonObject[] = [];
  readonly notes: FileNote[] = [];
  readonly faults: FileNote[] = [];
  converted = 0;
  readonly #wanted: string;
  readonly #dialect: Dialect;

  constructor(wanted: string, dialect: Dialect) {
    this.#wanted = wanted;
    this.#dialect = dialect;
  }

  /** Reads a document as the service would: its numbers and words are those of the service. */
  document(text: string, lineOf: LineOf, line: number): void {
    try {
      this.#value(readYaml(text).value, '', lineOf);
    } catch (error) {
      if (!(error instanceof YamlSyntaxError)) throw error;
      this.fault(line, error.message);
    }
  }

  fault(line: number, text: string): void {
    this.faults.push({ line, text });
  }

  #value(value: Json, pointer: string, lineOf: LineOf): void {
    const items = isObject(value) && String(value.kind).endsWith('List') ? value.items : undefined;
    if (Array.isArray(items)) {
      items.forEach((item, place) => {
        this.#value(item, `${pointer}/items/${place}`, lineOf);
      });
    } else if (isObject(value) && typeof value.apiVersion === 'string' && typeof value.kind === 'string') {
      this.#object(value, lineOf(pointer));
    } else this.fault(lineOf(pointer), 'has no apiVersion and kind, so it is no object of an API');
  }

  #object(object: JsonObject, line: number): void {
    const about = `${object.apiVersion} ${object.kind}${nameOf(object)}`;
    try {
      const { object: converted, unknown, notes } = convertObject(object, this.#wanted, this.#dialect);
      this.objects.push(asJson(converted));
      if (object.apiVersion !== this.#wanted) this.converted += 1;
      for (const text of unknown) this.notes.push({ line, text: `${about}: ${text} is left out` });
      for (const { field, text } of notes) this.notes.push({ line, text: `${about}: ${field} ${text}` });
    } catch (error) {
      if (error instanceof NoConversion) {
        this.objects.push(object);
        this.notes.push({ line, text: `${about} is left as it is: ${error.message}${this.#others(object)}` });
      } else if (error instanceof ApiError) this.fault(line, `${about}: ${error.message}`);
      else throw error;
    }
  }

  #others({ apiVersion, kind }: JsonObject): string {
    const others = versionsFor(String(apiVersion), String(kind), this.#dialect).filter((each) => each !== apiVersion);
    return others.length === 0 ? '' : `; there is ${others.join(', ')}`;
  }
}

function nameOf({ metadata }: JsonObject): string {
  return isObject(metadata) && typeof metadata.name === 'string' ? ` ${metadata.name}` : '';
}
