import type { Agent } from 'undici';
import type { Json, JsonObject } from '../../../api/json.ts';
import { numberOf, objectOf, textOf } from '../../../api/parts.ts';
import { readJson } from '../../../codecs/json.ts';
import { stringify } from '../../../codecs/jsonText.ts';
import { connectionFault, statusFault } from '../../../remote/faultTexts.ts';
import { httpClient } from '../../../remote/httpClient.ts';

/** Milliseconds that a webhook has for its answer. */
const TIMEOUT = 30_000;
const LARGEST = 64 * 1024 * 1024;

/** Puts questions to the webhook of a definition. */
export class ReviewCaller {
  readonly #url: string;
  /** The authorities that the webhook is trusted by, PEM; empty: those of the machine. */
  readonly #bundle: string;
  #agent: Promise<Agent> | undefined;

  /** @param config clientConfig as the definition has it: a URL or a service, and certificates in base64 */
  constructor(config: JsonObject) {
    const service = objectOf(config.service);
    const host = `${textOf(service.name)}.${textOf(service.namespace)}.svc`;
    const url = textOf(config.url) || `https://${host}:${numberOf(service.port) ?? 443}${textOf(service.path)}`;
    this.#url = `${url}${url.includes('?') ? '&' : '?'}timeout=${TIMEOUT / 1000}s`;
    this.#bundle = Buffer.from(textOf(config.caBundle), 'base64').toString('utf8').trim();
  }

  /** @throws Error with the reason when there is no answer */
  async ask(review: JsonObject): Promise<Json> {
    const { code, text } = await this.#post(stringify(review));
    if (code < 200 || code > 299) {
      throw new Error(statusFault(code, text.trim()));
    }
    return readJson(text, true).value;
  }

  async close(): Promise<void> {
    await (await this.#agent)?.close();
  }

  async #open(): Promise<Agent> {
    const { Agent } = await httpClient();
    return new Agent({
      connections: 16,
      connect: { ...(this.#bundle === '' ? {} : { ca: this.#bundle }), minVersion: 'TLSv1.2', timeout: TIMEOUT },
    });
  }

  async #post(body: string): Promise<{ code: number; text: string }> {
    try {
      const { request } = await httpClient();
      this.#agent ??= this.#open();
      const answer = await request(this.#url, {
        method: 'POST',
        dispatcher: await this.#agent,
        headers: { 'content-type': 'application/json', accept: 'application/json, */*' },
        body,
        headersTimeout: TIMEOUT,
        bodyTimeout: TIMEOUT,
      });
      return { code: answer.statusCode, text: await wholeText(answer.body) };
    } catch (error) {
      throw new Error(`Post ${JSON.stringify(this.#url)}: ${connectionFault(error as Error)}`);
    }
  }
}

async function wholeText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > LARGEST) throw new Error('the answer of the webhook is too large');
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}
