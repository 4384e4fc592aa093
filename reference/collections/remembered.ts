/** Texts of more characters are not kept. */
const LONGEST = 1024;
/** How many results are kept before it starts anew. */
const MOST = 512;

/**
 * The same function, which keeps what it made of the last texts: clients ask for the same over and over. What it makes
 * must depend on the text alone and never be changed. What it throws it throws each time anew.
 */
export function remembered<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = make(text);
    if (text.length > LONGEST) return made;
    if (known.size >= MOST) known.clear();
    known.set(text, made);
    return made;
  };
}
