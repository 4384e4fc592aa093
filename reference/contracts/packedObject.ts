import { type ApiObject, asApiObject } from '../api/object.ts';
import { hasOwnersOrFinalizers } from './ownersAndFinalizers.ts';

type Labels = Readonly<Record<string, string>>;

/** An object as its JSON alone, and what is asked of many objects without reading them. `Holder` is what has it. */
export class PackedObject<Holder> {
  readonly labels: Labels | undefined;
  readonly bound: boolean;
  readonly #json: Uint8Array;
  readonly #read: (holder: Holder) => void;

  /**
   * @param json tells all of the object, and no integer in it that a double does not hold
   * @param read is told who read the object from the JSON
   */
  constructor(json: Uint8Array, object: ApiObject, read: (holder: Holder) => void) {
    this.#json = json;
    this.#read = read;
    this.labels = object.metadata.labels && shared(object.metadata.labels);
    this.bound = hasOwnersOrFinalizers(object);
  }

  /** The object, anew each time. */
  unpacked(holder: Holder): ApiObject {
    this.#read(holder);
    const { buffer, byteOffset, byteLength } = this.#json;
    return asApiObject(JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString('utf8')));
  }

  /** About how many bytes are held for it besides what encodings take, of which its JSON is one. */
  get weight(): number {
    return BESIDE_JSON;
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
