/** A stream that is not a series of JSON documents. */
export class NotDocuments extends Error {
  override readonly name = 'NotDocuments';
}

/**
 * Cuts a stream of bytes into JSON documents (1/reading-watch-and-streaming-lists/1). The specification promises a
 * series of documents, not lines, so documents may be separated by any white space or none, and may hold line breaks.
 */
export class DocumentSplitter {
  /** What came of a document that is not complete yet. */
  #bytes: Buffer = Buffer.alloc(0);
  /** How far that was read. */
  #at = 0;
  #depth = 0;
  #inString = false;

  /** The documents that `chunk` completes. Throws {@link NotDocuments} on anything but objects and white space. */
  push(chunk: Uint8Array): string[] {
    const came = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    // A byte of ASCII is never a part of another character in UTF-8, so bytes tell what characters would.
    const bytes = this.#bytes.length === 0 ? came : Buffer.concat([this.#bytes, came]);
    const documents: string[] = [];
    let at = this.#at;
    let start = 0;
    let depth = this.#depth;
    let inString = this.#inString;
    while (at < bytes.length) {
      if (inString) {
        const quote = bytes.indexOf(QUOTE, at);
        if (quote === -1) {
          at = bytes.length;
          break;
        }
        inString = isEscaped(bytes, quote);
        at = quote + 1;
        continue;
      }
      const byte = bytes[at] ?? 0;
      if (byte === OPEN) {
        if (depth === 0) start = at;
        depth += 1;
      } else if (byte <= SPACE) {
        // White space may stand anywhere.
      } else if (depth === 0) refuse(bytes, at);
      else if (byte === QUOTE) inString = true;
      else if (byte === CLOSE) {
        depth -= 1;
        if (depth === 0) documents.push(bytes.toString('utf8', start, at + 1));
      }
      at += 1;
    }
    const kept = depth === 0 ? bytes.length : start;
    this.#bytes = bytes.subarray(kept);
    this.#at = at - kept;
    this.#depth = depth;
    this.#inString = inString;
    return documents;
  }

  /** Whether the stream may end here: not within a document. */
  get complete(): boolean {
    return this.#depth === 0;
  }
}
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const SPACE = 0x20;

/** Whether a quotation mark within a string belongs to it: behind an odd number of backslashes. */
function isEscaped(bytes: Buffer, quote: number): boolean {
  let before = quote - 1;
  while (bytes[before] === BACKSLASH) before -= 1;
  return (quote - before) % 2 === 0;
}

function refuse(bytes: Buffer, at: number): never {
  throw new NotDocuments(`not a JSON document: ${JSON.stringify(bytes.toString('utf8', at, at + 40))}`);
}
