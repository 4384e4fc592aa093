import { CORE_SCHEMA, mergeTag } from 'js-yaml';
import { isFault, readDocuments, type YamlDocument, type YamlFault } from '../yamlDocuments.ts';

/** An object in a file, as it would be sent to a server. */
export interface Manifest {
  readonly file: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** `web`, or `shop/web`; empty where it has no name. */
  readonly name: string;
  readonly object: Readonly<Record<string, unknown>>;
  /** The line of the object, or of a part of it by JSON pointer. */
  lineOf(pointer: string): number;
}

/** A document that is no object of an API, and why. */
export interface Unread {
  readonly file: string;
  readonly line: number;
  /** A sentence. */
  readonly reason: string;
}

/** A file as text. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
  /** Whether it was found in a folder, and not named: then it may hold anything. */
  readonly found: boolean;
}

/** What a set of files holds. */
export interface Manifests {
  readonly objects: readonly Manifest[];
  readonly unread: readonly Unread[];
  /** Documents of found files that are no objects of an API, such as the values of a chart. */
  readonly passedOver: number;
}

// The last of two equal keys counts, as it does for the service.
const SCHEMA = CORE_SCHEMA.withTags(mergeTag);

/** Reads the objects of files: several documents each, and lists of objects taken apart. */
export function readManifests(files: readonly SourceFile[]): Manifests {
  const objects: Manifest[] = [];
  const unread: Unread[] = [];
  let passedOver = 0;
  for (const { name: file, text, found } of files) {
    for (const document of readDocuments(text, { schema: SCHEMA, duplicates: 'last counts' })) {
      if (isFault(document)) unread.push({ file, line: document.line, reason: reasonOf(document) });
      else if (isObject(document.value)) objects.push(...manifestsIn(document, file, document.value, ''));
      else if (found) passedOver += 1;
      else
        unread.push({
          file,
          line: document.line,
          reason: 'It has no apiVersion and kind, so it is no object of an API.',
        });
    }
  }
  return { objects, unread, passedOver };
}

type ApiObject = Readonly<Record<string, unknown>> & { readonly apiVersion: string; readonly kind: string };

function isObject(value: unknown): value is ApiObject {
  return isRecord(value) && typeof value.apiVersion === 'string' && typeof value.kind === 'string';
}

function manifestsIn(document: YamlDocument, file: string, object: ApiObject, pointer: string): Manifest[] {
  const { apiVersion, kind, items } = object;
  if (kind.endsWith('List') && Array.isArray(items)) {
    return items.flatMap((item: unknown, place) => {
      const typed = isRecord(item) ? { ...itemType(object), ...item } : item;
      return isObject(typed) ? manifestsIn(document, file, typed, `${pointer}/items/${place}`) : [];
    });
  }
  const name = nameOf(object.metadata);
  return [{ file, apiVersion, kind, name, object, lineOf: (part) => document.lineOf(`${pointer}${part}`) }];
}

/** Items of a typed list may leave out what its own type says. */
function itemType({ apiVersion, kind }: ApiObject): { apiVersion?: string; kind?: string } {
  return kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) };
}

function nameOf(metadata: unknown): string {
  if (!isRecord(metadata)) return '';
  const { namespace, name, generateName } = metadata;
  const own = typeof name === 'string' ? name : typeof generateName === 'string' ? `${generateName}…` : '';
  return typeof namespace === 'string' && own !== '' ? `${namespace}/${own}` : own;
}

function reasonOf({ reason, text }: YamlFault): string {
  if (/\{\{.*\}\}/.test(text)) {
    return `It is a template and no YAML yet (${reason}): render it first, as with "helm template", and give the result.`;
  }
  return `It is no YAML: ${reason}.`;
}

/** Whether a value is a map. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
