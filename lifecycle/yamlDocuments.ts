import {
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  type Schema,
  YAMLException,
} from 'js-yaml';

/** A document of a YAML text, and where its parts stand. */
export interface YamlDocument {
  readonly value: unknown;
  /** The document as it was written, its marker included. */
  readonly text: string;
  /** The line on which it begins, counted from 1 in the whole text. */
  readonly line: number;
  /**
   * The line of a part.
   * In: a JSON pointer, `/spec/ports/0`. Out: its line; that of the nearest part around it where it is not there.
   */
  lineOf(pointer: string): number;
}

/** A document that cannot be read, and why. */
export interface YamlFault {
  readonly line: number;
  /** A clause: `bad indentation of a mapping entry`. */
  readonly reason: string;
  /** The document as it was written. */
  readonly text: string;
}

/** How documents are read. */
export interface ReadOptions {
  readonly schema: Schema;
  /** Nesting beyond which a text is refused. */
  readonly maxDepth?: number;
  /** Aliases beyond which a document is refused. */
  readonly maxAliases?: number;
  /** What becomes of a key that stands twice; refused unless told. */
  readonly duplicates?: 'refused' | 'last counts';
}

/**
 * Reads every document of a YAML text, JSON among them. One that cannot be read does not hide the others.
 * Empty documents are left out.
 */
export function readDocuments(
  text: string,
  { schema, maxDepth = 100, maxAliases = 1_000, duplicates = 'refused' }: ReadOptions,
): (YamlDocument | YamlFault)[] {
  return pieces(text).flatMap(({ piece, line }): (YamlDocument | YamlFault)[] => {
    try {
      const events = parseEvents(piece, { maxDepth });
      const json = duplicates === 'last counts';
      const [value] = constructFromEvents(events, { source: piece, schema, maxAliases, json });
      if (value === undefined || value === null) return [];
      return [located(value, piece, line, events)];
    } catch (error) {
      if (error instanceof YAMLException) return [faultOf(error, piece, line)];
      if (error instanceof RangeError) return [{ line, reason: 'it is nested too deeply', text: piece }];
      throw error;
    }
  });
}

/** Whether a document could not be read. */
export function isFault(one: YamlDocument | YamlFault): one is YamlFault {
  return 'reason' in one;
}

/** A marker in the first column ends a document wherever it stands, even inside a block of text. */
function pieces(text: string): { piece: string; line: number }[] {
  const found: { piece: string; line: number }[] = [];
  let lines: string[] = [];
  let start = 1;
  const all = text.split('\n');
  all.forEach((each, index) => {
    // What stands behind the marker on its line belongs to the document that it opens.
    if (/^(---|\.\.\.)(\s|$)/.test(each) && lines.length > 0) {
      found.push({ piece: `${lines.join('\n')}\n`, line: start });
      lines = [];
      start = index + 1;
    }
    lines.push(each);
  });
  found.push({ piece: lines.join('\n'), line: start });
  return found.filter(({ piece }) => piece.replace(/^(---|\.\.\.)\s*|^\s*#.*$/gm, '').trim() !== '');
}

function faultOf({ mark, reason }: YAMLException, text: string, line: number): YamlFault {
  // Without a mark it is about the document as a whole, which begins below its marker and comments.
  const first = text.split('\n').findIndex((each) => !/^(---|\.\.\.)\s*$|^\s*(#.*)?$/.test(each));
  return { line: line + (mark?.line || Math.max(first, 0)), reason, text };
}

function located(value: unknown, text: string, line: number, events: readonly Event[]): YamlDocument {
  const lines = linesOf(text);
  const places = new Map<string, number>();
  for (const [pointer, offset] of placesOf(events, text)) places.set(pointer, line + lines(offset));
  const first = places.get('') ?? line;
  return {
    value,
    text,
    line: first,
    lineOf(pointer) {
      for (let path = pointer; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
        const found = places.get(path);
        if (found !== undefined) return found;
      }
      return first;
    },
  };
}

interface Open {
  readonly pointer: string;
  /** Items so far; `undefined` in a map. */
  items: number | undefined;
  /** The key whose value comes next. */
  key: string | undefined;
}

/** Where each part begins; a member of a map where its key does. */
function* placesOf(events: readonly Event[], text: string): Generator<[pointer: string, offset: number]> {
  const open: Open[] = [];
  let keyAt = 0;
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT) continue;
    if (event.type === EVENT_ID.POP) {
      const closed = open.pop();
      const around = open.at(-1);
      // A map or list as a key has no pointer; its value is passed over with it.
      if (closed && around && around.items === undefined) around.key = around.key === undefined ? '' : undefined;
      continue;
    }
    const top = open.at(-1);
    const offset = offsetOf(event);
    if (top && top.items === undefined && top.key === undefined && event.type === EVENT_ID.SCALAR) {
      top.key = getScalarValue(text, event);
      keyAt = offset;
      continue;
    }
    const pointer = top ? `${top.pointer}/${escaped(top.items ?? top.key ?? '')}` : '';
    yield [pointer, top?.items === undefined && top ? keyAt : offset];
    if (top?.items !== undefined) top.items += 1;
    if (event.type === EVENT_ID.MAPPING) open.push({ pointer, items: undefined, key: undefined });
    else if (event.type === EVENT_ID.SEQUENCE) open.push({ pointer, items: 0, key: undefined });
    else if (top && top.items === undefined) top.key = undefined;
  }
}

function offsetOf(event: Exclude<Event, { type: typeof EVENT_ID.DOCUMENT | typeof EVENT_ID.POP }>): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart;
  return event.type === EVENT_ID.ALIAS ? event.anchorStart : event.start;
}

function escaped(part: string | number): string {
  return String(part).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Lines before an offset; offsets are asked for in rising order. */
function linesOf(text: string): (offset: number) => number {
  let at = 0;
  let lines = 0;
  return (offset) => {
    if (offset < at) [at, lines] = [0, 0];
    for (; at < offset; at += 1) if (text.charCodeAt(at) === 0x0a) lines += 1;
    return lines;
  };
}
