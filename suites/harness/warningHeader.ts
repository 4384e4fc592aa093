/** A value of a Warning header (RFC 7234, section 5.5). */
export interface Warning {
  /** As it was written, its date included. */
  readonly written: string;
  /** What is quoted, without what was escaped for that; undefined where it is no such value. */
  readonly text: string | undefined;
}

/** A code, an agent, a quoted text and perhaps a date; behind it the next one, or nothing. */
const VALUE = /\s*(\d{3} [\x21\x23-\x2b\x2d-\x7e]+ "((?:[^"\\]|\\.)*)"(?: "[^"]*")?)\s*(?:,|$)/y;

/**
 * The warnings of an answer, which a server writes into a line each or several into one, with commas between them.
 * What does not have the form is one of its own, to the end of its line.
 */
export function warningsIn(lines: readonly string[]): readonly Warning[] {
  return lines.flatMap((line) => {
    const found: Warning[] = [];
    VALUE.lastIndex = 0;
    for (let at = 0; at < line.length; at = VALUE.lastIndex) {
      const [, written, text = ''] = VALUE.exec(line) ?? [];
      if (written === undefined) return [...found, { written: line.slice(at), text: undefined }];
      found.push({ written, text: text.replace(/\\(.)/g, '$1') });
    }
    return found;
  });
}
