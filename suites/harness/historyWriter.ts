import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from './exchange.ts';
import type { Redactor } from './redact.ts';

/**
 * What clients did and saw, one JSON document a line, for checkers of guarantees: operations with start and end,
 * request and answer, and every watch event with its arrival, all in milliseconds since their check started.
 * Unlike the evidence nothing is shortened; secrets are redacted as there.
 */
export class HistoryWriter {
  readonly #file: string;
  readonly #redactor: Redactor;

  constructor(folder: string, worker: number, redactor: Redactor) {
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, `history-${worker}.ndjson`);
    this.#redactor = redactor;
  }

  keep(exchange: Exchange, check: string): void {
    const { sent, received } = exchange;
    const body = sent.body === undefined ? undefined : new TextDecoder().decode(bytesOf(sent.body));
    this.#write({
      type: 'operation',
      check,
      client: exchange.actor,
      number: exchange.number,
      start: exchange.at,
      end: exchange.at + exchange.took,
      method: sent.method,
      path: sent.path,
      contentType: sent.headers['content-type'],
      body: body && this.#redactor.body(body),
      status: received?.status,
      answer: received && this.#redactor.body(exchange.text),
      failure: exchange.failure,
    });
  }
  /** @param at milliseconds since the check started, as the starts and ends of its operations are. */
  keepEvent(opening: Exchange, check: string, at: number, document: string): void {
    const event = this.#redactor.body(document);
    this.#write({ type: 'event', check, client: opening.actor, number: opening.number, at, event });
  }
  #write(entry: object): void {
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`);
  }
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body;
}
