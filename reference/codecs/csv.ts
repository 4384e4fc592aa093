import { ContentFault } from '../ports/files.ts';

export interface CsvRow {
  readonly fields: readonly string[];
  /** Line on which the row begins, from 1. */
  readonly line: number;
}

/**
 * Reads comma-separated values: fields may stand in double quotes, with a doubled quote for a quote and with line
 * breaks inside; empty lines are passed over; spaces are kept.
 *
 * @throws ContentFault for a quote that is never closed or stands in the wrong place
 */
export function parseCsv(text: string): CsvRow[] {
  const source = text.replaceAll('\r\n', '\n');
  const rows: CsvRow[] = [];
  let at = 0;
  let line = 1;
  while (at < source.length) {
    if (source[at] === '\n') {
      at++;
      line++;
      continue;
    }
    const begin = line;
    const fields: string[] = [];
    for (;;) {
      if (source[at] === '"') {
        let field = '';
        at++;
        for (;;) {
          const quote = source.indexOf('"', at);
          if (quote < 0) throw new ContentFault(`line ${begin}: a quote is never closed`);
          const piece = source.slice(at, quote);
          field += piece;
          line += piece.split('\n').length - 1;
          at = quote + 1;
          if (source[at] !== '"') break;
          field += '"';
          at++;
        }
        if (at < source.length && source[at] !== ',' && source[at] !== '\n') {
          throw new ContentFault(`line ${line}: text follows a closing quote`);
        }
        fields.push(field);
      } else {
        let end = at;
        while (end < source.length && source[end] !== ',' && source[end] !== '\n') {
          if (source[end] === '"') throw new ContentFault(`line ${line}: a quote stands inside a field without quotes`);
          end++;
        }
        fields.push(source.slice(at, end));
        at = end;
      }
      if (source[at] !== ',') break;
      at++;
    }
    if (source[at] === '\n') {
      at++;
      line++;
    }
    rows.push({ fields, line: begin });
  }
  return rows;
}
