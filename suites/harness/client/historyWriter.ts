import { join } from 'node:path';
import type { Redactor } from '../../../history/redact.ts';
import { HistoryFile } from '../../../history/writer.ts';
import type { Exchange } from './exchange.ts';

/**
 * What the clients of one worker's checks did and saw, for checkers of guarantees. Unlike the evidence nothing is
 * shortened; secrets are redacted as there.
 */
export class HistoryWriter {
  readonly #file: HistoryFile;
  readonly #redactor: Redactor;

  constructor(folder: string, worker: number, redactor: Redactor) {
    const began = new Date().toISOString();
    this.#file = new HistoryFile(join(folder, `history-${worker}.ndjson`), { by: 'run', began });
    this.#redactor = redactor;
  }

  keep(exchange: Exchange, check: string): void {
    const { sent, received, failure } = exchange;
    const body = sent.body === undefined ? undefined : new TextDecoder().decode(bytesOf(sent.body));
    const contentType = sent.headers['content-type'];
    this.#file.write({
      type: 'operation',
      check,
      client: exchange.actor,
      number: exchange.number,
      start: exchange.at,
      end: exchange.at + exchange.took,
      method: sent.method,
      path: this.#redactor.text(sent.path),
      ...(contentType === undefined ? {} : { contentType }),
      ...(body === undefined ? {} : { body: this.#redactor.body(body) }),
      ...(received ? { status: received.status, answer: this.#redactor.body(exchange.text) } : {}),
      ...(failure === undefined ? {} : { failure }),
    });
    this.#file.flush();
  }
  /** @param at milliseconds since the check started, as the starts and ends of its operations are. */
  keepEvent(opening: Exchange, check: string, at: number, document: string): void {
    const event = this.#redactor.body(document);
    this.#file.write({ type: 'event', check, number: opening.number, at, event });
    this.#file.flush();
  }
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body;
}
