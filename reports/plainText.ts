/**
 * Text of a target on its way to a terminal or a text file: control characters would let a server under test move
 * the cursor, hide lines or set titles. Line breaks and tabs stay where `lines` allows them.
 */
export function plainText(text: string, lines: 'one line' | 'many lines' = 'one line'): string {
  const visible = [...text].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    if (lines === 'many lines' && (character === '\n' || character === '\t')) return character;
    if (character === '\n' || character === '\r' || character === '\t') return ' ';
    const control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    const direction = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    return control || direction ? '\ufffd' : character;
  });
  return visible.join('');
}

/**
 * Text in lines of a width, broken between words where there are some; nothing is left out.
 * @param indent of all lines but the first.
 */
export function wrap(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  for (let rest = text, first = true; ; first = false) {
    const lead = first ? '' : indent;
    const room = Math.max(20, width - lead.length);
    if (rest.length <= room) return [...lines, `${lead}${rest}`];
    const space = rest.lastIndexOf(' ', room);
    // A word that is longer than half a line is broken rather than a line left half empty.
    const at = space > room / 2 ? space : room;
    lines.push(`${lead}${rest.slice(0, at)}`);
    rest = rest.slice(at).trimStart();
  }
}
