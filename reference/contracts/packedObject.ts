import { type ApiObject, asApiObject } from '../api/object.ts';
import { hasOwnersOrFinalizers } from './ownersAndFinalizers.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * An object as the text of its JSON alone, and what is asked of many objects without reading them. `Holder` is what has it.
 * The engine moves texts together and gives the memory between them back; pieces of buffers stay where they are.
 */
export class PackedObject<Holder> {
  readonly labels: Labels | undefined;
  readonly bound: boolean;
  readonly #text: string;
  /** Whether each character of the text is one byte. */
  readonly #ascii: boolean;
  /** What the text is known as; undefined: bytes of it are of no use to anybody. */
  readonly encoding: string | undefined;
  readonly #revision: number;
  readonly #read: ((holder: Holder) => void) | undefined;

  /**
   * @param json tells all of the object, and no integer in it that a double does not hold
   * @param encoding see there
   * @param object that of the JSON, with its revision
   * @param read is told who read the object or bytes of it, so that they are let go of one day; undefined: bytes are not kept
   */
  constructor(
    json: Uint8Array,
    encoding: string | undefined,
    object: ApiObject,
    revision: number,
    read: ((holder: Holder) => void) | undefined,
  ) {
    this.#text = Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8');
    this.#ascii = this.#text.length === json.length;
    this.encoding = encoding;
    this.#revision = revision;
    this.#read = read;
    this.labels = object.metadata.labels && shared(object.metadata.labels);
    this.bound = hasOwnersOrFinalizers(object);
  }

  /** The object, anew each time. */
  unpacked(holder: Holder): ApiObject {
    this.#read?.(holder);
    return asApiObject(JSON.parse(this.#text));
  }

  /** Whether the text is an encoding of the object at a revision. */
  is(encoding: string, revision: number): boolean {
    return encoding === this.encoding && revision === this.#revision;
  }

  /** The text, where each of its characters is one byte. */
  get ascii(): string | undefined {
    return this.#ascii ? this.#text : undefined;
  }

  /** The bytes of the text, anew each time. `keep` has them where somebody is told, who has the holder let go of them. */
  bytes(holder: Holder, keep: (bytes: Uint8Array) => void): Uint8Array {
    const bytes = Buffer.from(this.#text);
    if (this.#read) {
      keep(bytes);
      this.#read(holder);
    }
    return bytes;
  }

  /** About how many bytes are held for it. */
  get weight(): number {
    return BESIDE_JSON + (this.#ascii ? 1 : 2) * this.#text.length;
  }
}

/** About the bytes of an entry, of its key and of its place among others. */
const BESIDE_JSON = 512;

/** Labels by their text, of those seen lately: many objects have the same. */
const known = new Map<string, Labels>();
const MOST_KNOWN = 1_000;

/** Labels with the same content, which many objects share and which hold on to no text that they were read from. */
function shared(labels: Labels): Labels {
  const text = JSON.stringify(labels);
  let same = known.get(text);
  if (same === undefined) {
    same = JSON.parse(text) as Labels;
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, same);
  }
  return same;
}
