import { randomBytes } from './ports/chance.ts';

/** The only source of chance of the reference. */
export interface Random {
  bytes(length: number): Uint8Array;
}

/** One that belongs to one server. */
export interface OwnRandom extends Random {
  /** Another one that goes on as this one would; by true chance, another one. */
  fork(): OwnRandom;
}

export class SystemRandom implements OwnRandom {
  // Asking the system costs the same for sixteen bytes as for thousands.
  #pool: Uint8Array = new Uint8Array(0);
  #used = 0;

  fork(): SystemRandom {
    return new SystemRandom();
  }
  bytes(length: number): Uint8Array {
    if (this.#used + length > this.#pool.length) {
      this.#pool = randomBytes(Math.max(4096, length));
      this.#used = 0;
    }
    this.#used += length;
    return this.#pool.slice(this.#used - length, this.#used);
  }
}

/** The same bytes in the same order for the same seed (sfc32). Not for secrets. */
export class SeededRandom implements OwnRandom {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** @param stream which of many sequences of one seed */
  constructor(seed: number, stream = 0) {
    this.#a = seed | 0;
    this.#b = Math.floor(seed / 2 ** 32) | 0;
    this.#c = (0x9e3779b9 + Math.imul(stream, 0x85ebca6b)) | 0;
    for (let i = 0; i < 16; i++) this.#next();
  }
  fork(): SeededRandom {
    const fork = new SeededRandom(0);
    fork.#a = this.#a;
    fork.#b = this.#b;
    fork.#c = this.#c;
    fork.#counter = this.#counter;
    return fork;
  }
  #next(): number {
    const t = (this.#a + this.#b + this.#counter++) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + t) | 0;
    return t >>> 0;
  }
  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let i = 0; i < length; i += 4) {
      const word = this.#next();
      for (let j = 0; j < 4 && i + j < length; j++) bytes[i + j] = (word >>> (8 * j)) & 0xff;
    }
    return bytes;
  }
}

/** A version 4 UUID. */
export function uuid(random: Random): string {
  const bytes = random.bytes(16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  let text = '';
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += '-';
    text += HEX[bytes[i] as number];
  }
  return text;
}
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

// No vowels and no look-alikes, so that no word is formed by accident.
const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** Five characters to complete a generateName (1/common-object-metadata/t1.2). */
export function nameSuffix(random: Random): string {
  let suffix = '';
  while (suffix.length < 5) {
    for (const byte of random.bytes(8)) {
      // Bytes past the last whole multiple would favour the first letters.
      if (byte < 243 && suffix.length < 5) suffix += SUFFIX_ALPHABET[byte % 27];
    }
  }
  return suffix;
}
