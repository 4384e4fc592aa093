/**
 * Texts that were read lately, by their bytes: what comes again is the very same text, and a map finds it without
 * looking at its letters. A text has one of two places, and gives it up to another that needs it.
 */
export class RecentTexts {
  readonly #mask: number;
  readonly #texts: string[];
  readonly #hashes: Int32Array;
  /** Their bytes, of those that are not too long. */
  readonly #kept: DataView;
  /** Which of two places is given up next. */
  #turn = 0;

  /** @param places how many are kept at most, a power of two */
  constructor(places: number) {
    this.#mask = places - 1;
    this.#texts = new Array<string>(places).fill('');
    this.#hashes = new Int32Array(places);
    this.#kept = new DataView(new ArrayBuffer(places * WIDTH));
  }

  /** The text of the bytes from one index to another, which have this hash; `undefined` where it is not plain ASCII. */
  of(bytes: Buffer, view: DataView, from: number, to: number, hash: number): string | undefined {
    const first = (hash ^ (hash >>> 16)) & this.#mask;
    const second = first ^ 1;
    if (this.#hashes[first] === hash && this.#is(first, bytes, view, from, to)) return this.#texts[first];
    if (this.#hashes[second] === hash && this.#is(second, bytes, view, from, to)) return this.#texts[second];
    this.#turn ^= 1;
    const slot = this.#texts[first] === '' || this.#turn === 0 ? first : second;
    const length = to - from;
    const short = length >= 4 && length <= WIDTH;
    // Whatever was here is no more, also if this text proves to be none.
    this.#texts[slot] = '';
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at] as number;
      if (byte < SPACE || byte > TILDE || byte === BACKSLASH) return undefined;
      if (short) this.#kept.setUint8(slot * WIDTH + at - from, byte);
    }
    const text = bytes.toString('latin1', from, to);
    this.#texts[slot] = text;
    this.#hashes[slot] = hash;
    return text;
  }
  #is(slot: number, bytes: Buffer, view: DataView, from: number, to: number): boolean {
    const known = this.#texts[slot] as string;
    const length = to - from;
    if (known.length !== length) return false;
    if (length < 4 || length > WIDTH) return reads(known, bytes, from);
    const kept = this.#kept;
    const base = slot * WIDTH;
    for (let at = length - 4; at > 0; at -= 4) {
      if (kept.getInt32(base + at, true) !== view.getInt32(from + at, true)) return false;
    }
    return kept.getInt32(base, true) === view.getInt32(from, true);
  }
}

function reads(text: string, bytes: Uint8Array, from: number): boolean {
  for (let at = 0; at < text.length; at += 1) if (bytes[from + at] !== text.charCodeAt(at)) return false;
  return true;
}

/** Up to how many bytes a text is compared as bytes. */
const WIDTH = 64;
const [BACKSLASH, SPACE, TILDE] = [0x5c, 0x20, 0x7e];
