/** A stream that is not a series of JSON documents. */
export class NotDocuments extends Error {
  override readonly name = 'NotDocuments';
}

/**
 * Cuts a stream of bytes into JSON documents (1/reading-watch-and-streaming-lists/1). The specification promises a
 * series of documents, not lines, so documents may be separated by any white space or none, and may hold line breaks.
 */
export class DocumentSplitter {
  readonly #decoder = new TextDecoder();
  #text = '';
  #start = -1;
  #at = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;

  /** The documents that `chunk` completes. Throws {@link NotDocuments} on anything but objects and white space. */
  push(chunk: Uint8Array): string[] {
    this.#text += this.#decoder.decode(chunk, { stream: true });
    const documents: string[] = [];
    for (; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text.charCodeAt(this.#at);
      if (this.#inString) this.#inside(character);
      else if (character === QUOTE) this.#inString = this.#depth > 0 || this.#refuse();
      else if (character === OPEN) {
        if (this.#depth === 0) this.#start = this.#at;
        this.#depth += 1;
      } else if (character === CLOSE) {
        this.#depth -= 1;
        if (this.#depth === 0) {
          documents.push(this.#text.slice(this.#start, this.#at + 1));
          this.#text = this.#text.slice(this.#at + 1);
          this.#at = -1;
        }
      } else if (this.#depth === 0 && character > SPACE) this.#refuse();
    }
    return documents;
  }

  /** Whether the stream may end here: not within a document. */
  get complete(): boolean {
    return this.#depth === 0;
  }

  #inside(character: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (character === BACKSLASH) this.#escaped = true;
    else if (character === QUOTE) this.#inString = false;
  }
  #refuse(): never {
    throw new NotDocuments(`not a JSON document: ${JSON.stringify(this.#text.slice(this.#at, this.#at + 40))}`);
  }
}
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const SPACE = 0x20;
