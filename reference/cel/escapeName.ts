const KEYWORDS = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const LETTERS: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** A field name as expressions spell it; undefined for names that they cannot spell. */
export function escapeName(name: string): string | undefined {
  if (KEYWORDS.has(name)) return `__${name}__`;
  const escaped = name.replace(/__|[./-]/g, (part) => LETTERS[part] as string);
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(escaped) ? escaped : undefined;
}
