import { Transform } from 'node:stream';
import { isObject, type Json, type JsonObject } from '../reference/api/json.ts';
import { fingerprint, formatOf } from './formats.ts';

/** An event of a watch. */
export interface WatchEvent {
  type: string;
  object: JsonObject;
}
/** What becomes of an event: nothing returned, as it is by now; null, dropped; else what is sent in its place. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without return is what most of them are
export type Changed = void | undefined | null | WatchEvent | readonly WatchEvent[];
/** Sees an event, which it may change in place. Events behind it wait until it is done, so that it can delay. */
export type EventChange = (event: WatchEvent) => Changed | Promise<Changed>;

/** Lets events of one watch pass through changes, one after the other. */
export class EventChanges {
  readonly #changes: readonly EventChange[];
  readonly #type: string;

  constructor(changes: readonly EventChange[], contentType: string) {
    this.#changes = changes;
    this.#type = contentType;
  }

  /** @param frame the bytes of one event. @returns those that are sent for it; itself where it cannot be read */
  async frame(frame: Uint8Array): Promise<readonly Uint8Array[]> {
    const format = formatOf(this.#type);
    const event = format && readEvent(() => format.read(frame));
    if (!format || !event) return [frame];
    const before = fingerprint(event);
    let events: readonly WatchEvent[] = [event];
    for (const change of this.#changes) {
      const next: WatchEvent[] = [];
      for (const each of events) next.push(...became(each, await change(each)));
      events = next;
    }
    return events.map((each) => (fingerprint(each) === before ? frame : format.write(each as unknown as Json, frame)));
  }

  /** The stream of whole bodies of events; undefined where they cannot be told apart, as in CBOR and Protobuf. */
  transform(): Transform | undefined {
    if (!/json/.test(this.#type)) return undefined;
    let rest: Buffer = Buffer.alloc(0);
    return new Transform({
      transform: (chunk: Buffer, _, done) => {
        const { lines, left } = linesOf(Buffer.concat([rest, chunk]));
        rest = left;
        void (async () => {
          const out: Uint8Array[] = [];
          for (const line of lines) out.push(...(await this.frame(line)));
          return Buffer.concat(out);
        })().then(
          (bytes) => done(null, bytes),
          (error: Error) => done(error),
        );
      },
      flush: (done) => done(null, rest),
    });
  }
}

function became(event: WatchEvent, changed: Changed): readonly WatchEvent[] {
  if (changed === undefined) return [event];
  if (changed === null) return [];
  return Array.isArray(changed) ? (changed as readonly WatchEvent[]) : [changed as WatchEvent];
}

function readEvent(read: () => Json): WatchEvent | undefined {
  try {
    const value = read();
    return isObject(value) && typeof value.type === 'string' && isObject(value.object)
      ? (value as unknown as WatchEvent)
      : undefined;
  } catch {
    return undefined;
  }
}

function linesOf(bytes: Buffer): { readonly lines: readonly Buffer[]; readonly left: Buffer } {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
    lines.push(bytes.subarray(start, end + 1));
    start = end + 1;
  }
  return { lines, left: bytes.subarray(start) };
}
