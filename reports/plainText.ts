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

/** Cut to a width, with an ellipsis where something is missing. */
export function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}
