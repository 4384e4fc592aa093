const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text inside an HTML element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** As {@link escapeHtml}, without the characters that XML 1.0 cannot hold even when escaped. */
export function escapeXml(text: string): string {
  const legal = [...text].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    const allowed =
      code === 0x9 ||
      code === 0xa ||
      code === 0xd ||
      (code >= 0x20 && code <= 0xd7ff) ||
      (code >= 0xe000 && code <= 0xfffd) ||
      code >= 0x10000;
    return allowed ? character : '\ufffd';
  });
  return escapeHtml(legal.join(''));
}

/** Text inside a Markdown table cell or a heading: nothing in it is markup, and it stays on its line. */
export function escapeMarkdown(text: string): string {
  return escapeHtml(text.replace(/[\r\n]+/g, ' ')).replace(/[\\`*_[\]|~#!]/g, (character) => `\\${character}`);
}

/** A fenced block that no content can close: its fence is longer than any run of backticks within. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
