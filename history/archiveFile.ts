import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** One exchange of an archive, without secrets. */
export interface ArchivedExchange {
  /** Milliseconds since 1970. */
  readonly began: number;
  /** Milliseconds until the head of the answer, and until its end. */
  readonly waited: number;
  readonly took: number;
  readonly connection: string;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** 0 where nobody answered. */
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** Bytes of the answer as they came. */
  readonly size: number;
  readonly text?: string | undefined;
  readonly comment?: string | undefined;
}

const TAIL = '\n]}}\n';

/** Writes an HTTP archive (HAR 1.2), which is whole after each time it was flushed. */
export class ArchiveFile {
  readonly #file: number;
  #position = 0;
  #rest = '';
  #first = true;

  /** In the place of a file that is there already. Throws what the file system throws. */
  constructor(file: string, creator: string) {
    mkdirSync(dirname(file), { recursive: true });
    this.#file = openSync(file, 'w', 0o600);
    const [name = '', version = ''] = creator.split(' ');
    this.#rest = `{"log":{"version":"1.2","creator":${JSON.stringify({ name, version })},"entries":[`;
    this.flush();
  }

  add(exchange: ArchivedExchange): void {
    this.#rest += `${this.#first ? '\n' : ',\n'}${JSON.stringify(entryOf(exchange))}`;
    this.#first = false;
    if (this.#rest.length > 1 << 16) this.flush();
  }
  flush(): void {
    if (this.#rest === '') return;
    const length = Buffer.byteLength(this.#rest);
    const bytes = Buffer.from(this.#rest + TAIL);
    this.#rest = '';
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#position + done);
    }
    this.#position += length;
  }
  close(): void {
    this.flush();
    closeSync(this.#file);
  }
}

function entryOf(exchange: ArchivedExchange): object {
  const { began, waited, took, connection, method, url, requestHeaders, body, status, responseHeaders } = exchange;
  const mimeType = responseHeaders['content-type'] ?? '';
  // To whole milliseconds, and so that it ends when it did.
  const start = Math.floor(began);
  const time = took + (began - start);
  return {
    startedDateTime: new Date(start).toISOString(),
    time,
    connection,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: lines(requestHeaders),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      ...(body === undefined ? {} : { postData: { mimeType: requestHeaders['content-type'] ?? '', text: body } }),
      headersSize: -1,
      bodySize: body === undefined ? 0 : Buffer.byteLength(body),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: lines(responseHeaders),
      content: { size: exchange.size, mimeType, ...(exchange.text === undefined ? {} : { text: exchange.text }) },
      redirectURL: '',
      headersSize: -1,
      bodySize: exchange.size,
    },
    cache: {},
    timings: { send: 0, wait: waited, receive: Math.max(0, time - waited) },
    ...(exchange.comment === undefined ? {} : { comment: exchange.comment }),
  };
}

function lines(
  headers: Readonly<Record<string, string>>,
): readonly { readonly name: string; readonly value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
