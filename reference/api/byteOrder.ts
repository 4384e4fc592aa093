// Code units from here on sort differently as UTF-16 than as bytes: characters outside the basic plane are
// written with surrogates (d800-dfff), below e000-ffff, though their code points are above.
const OUT_OF_ORDER = /[\ud800-\uffff]/;
const EACH_OUT_OF_ORDER = /[\ud800-\uffff]/g;

/**
 * A text that sorts, by plain string comparison, as the UTF-8 bytes of `key` do. Almost always the key itself.
 * A prefix of a key gives a prefix of its order.
 */
export function byteOrder(key: string): string {
  if (!OUT_OF_ORDER.test(key)) return key;
  return key.replace(EACH_OUT_OF_ORDER, (character) => {
    const unit = character.charCodeAt(0);
    return String.fromCharCode(unit >= 0xe000 ? unit - 0x800 : unit + 0x2000);
  });
}

/** The smallest text that sorts behind everything that begins with `prefix`; undefined when nothing does. */
export function behindPrefix(prefix: string): string | undefined {
  for (let end = prefix.length; end > 0; end--) {
    const last = prefix.charCodeAt(end - 1);
    if (last < 0xffff) return prefix.slice(0, end - 1) + String.fromCharCode(last + 1);
  }
  return undefined;
}
