/** One clause of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  /** Its quality is a well-formed 0: what it covers is not wanted. */
  readonly refused: boolean;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Reads an Accept header into clauses, best first: higher quality, then the more specific, then as they stand
 * (1/media-types-and-negotiation/5). Malformed clauses are left out; a malformed quality counts as 0.
 */
export function parseAccept(header: string): readonly AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(',')) {
    const clause = parseClause(part);
    if (clause) clauses.push(clause);
  }
  return clauses
    .map((clause, at) => ({ clause, at }))
    .sort((a, b) => b.clause.quality - a.clause.quality || wildness(a.clause) - wildness(b.clause) || a.at - b.at)
    .map(({ clause }) => clause);
}

function parseClause(part: string): AcceptClause | undefined {
  const [range = '', ...rest] = part.split(';');
  const names = range.split('/').map((name) => name.trim());
  if (names.length > 2) return undefined;
  const [type = '', subtype = type === '*' ? '*' : ''] = names;
  if (subtype === '') return undefined;
  let quality = 1;
  let refused = false;
  const parameters = new Map<string, string>();
  for (const one of rest) {
    const sides = one.split('=');
    if (sides.length !== 2) continue;
    const name = (sides[0] as string).trim();
    const value = (sides[1] as string).trim();
    if (name === 'q') {
      const known = /^\d*\.?\d+$|^\d+\.$/.test(value);
      quality = known ? Number(value) : 0;
      refused = known && quality === 0;
    } else if (name !== '') parameters.set(name, value);
  }
  return { type, subtype, quality, refused, parameters };
}

/** How much a clause leaves open: 0 where it names a media type. */
export function wildness(clause: AcceptClause): number {
  if (clause.type === '*') return 2;
  return clause.subtype === '*' ? 1 : 0;
}

/** Whether a clause covers a media type such as `application/json`. */
export function covers(clause: AcceptClause, mediaType: string): boolean {
  const slash = mediaType.indexOf('/');
  if (clause.type === '*') return clause.subtype === '*';
  if (clause.type !== mediaType.slice(0, slash)) return false;
  return clause.subtype === '*' || clause.subtype === mediaType.slice(slash + 1);
}
