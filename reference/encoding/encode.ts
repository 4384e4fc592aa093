import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { Follow } from '../../fixtures/follow.ts';
import type { Awaitable } from '../api/awaitable.ts';
import type { Json } from '../api/json.ts';
import type { Exchange, IncomingRequest } from '../api/request.ts';
import { atOnce, inTurns, isStaged } from '../api/staged.ts';
import { ApiError, internalError, type Status } from '../api/status.ts';
import { encodeDocument } from '../codecs/document.ts';
import { stringify } from '../codecs/jsonText.ts';
import { CBOR_SEQUENCE_TYPE, mediaTypesOf } from '../codecs/mediaType.ts';
import { checkRoute, type Form, type Format, type Negotiated, Negotiator } from '../codecs/negotiate.ts';
import { contentTypeOf } from '../codecs/representation.ts';
import type { Answer, TextAnswer } from '../contracts/answer.ts';
import type { Encoder } from '../contracts/encoder.ts';
import type { Reply, WholeReply } from '../contracts/reply.ts';
import type { Endpoint } from '../contracts/resourceRegistry.ts';
import type { Clock } from '../time.ts';
import { KeptLists } from './keptLists.ts';
import { encodeList, encodeObject } from './objects.ts';
import { compress, type Headers, wantsPretty, warningHeaders } from './replyHeaders.ts';
import { streamOf } from './watchStream.ts';

export interface EncoderOptions {
  readonly dialect: Dialect;
  readonly follow: Follow;
  readonly clock: Clock;
  /** Whether a feature gate is on. */
  readonly gate: (name: string) => boolean;
}

/** Turns answers into bytes (1/media-types-and-negotiation). Each server has one. */
export function createEncoder(options: EncoderOptions): Encoder {
  return new AnswerEncoder(options);
}

const NO_HEADERS: Headers = {};

class AnswerEncoder implements Encoder {
  readonly #options: EncoderOptions;
  readonly #negotiators: Readonly<Record<Form, Negotiator>>;
  readonly #statusOfEndpoint: Negotiator;
  readonly #types: readonly string[];
  readonly #streams: readonly string[];
  readonly #compresses: boolean;
  readonly #lists = new KeptLists();
  /** Requests that came as far as an endpoint: their errors can be had in CBOR, others cannot. */

  constructor(options: EncoderOptions) {
    this.#options = options;
    const cbor = options.gate('CBORServingAndStorage');
    this.#compresses = options.gate('APIResponseCompression');
    const { dialect, follow } = options;
    const of = (form: Form, inCbor: boolean) => new Negotiator(form, dialect, inCbor, follow);
    this.#negotiators = {
      object: of('object', cbor),
      customObject: of('customObject', cbor),
      watch: of('watch', cbor),
      customWatch: of('customWatch', cbor),
      document: of('document', false),
      jsonDocument: of('jsonDocument', false),
      aggregated: of('aggregated', false),
      status: of('status', false),
    };
    this.#statusOfEndpoint = of('status', cbor);
    this.#types = mediaTypesOf(dialect, cbor);
    this.#streams = cbor ? [CBOR_SEQUENCE_TYPE] : [];
  }

  checkAcceptable(endpoint: Endpoint, exchange: Exchange): void {
    exchange.routed = true;
    const accept = acceptOf(exchange.request);
    const { info } = exchange;
    const collection = info.isResource && (info.verb === 'list' || info.verb === 'watch') && info.name === '';
    if (!endpoint.type.custom) checkRoute(accept, this.#types, collection ? this.#streams : [], this.#options.follow);
    this.#negotiate(endpoint, info.verb === 'watch', accept);
  }

  #negotiate(endpoint: Endpoint, watch: boolean, accept: string): Negotiated {
    const { custom } = endpoint.type;
    const form = watch ? (custom ? 'customWatch' : 'watch') : custom ? 'customObject' : 'object';
    return this.#negotiators[form].negotiate(accept);
  }

  render(answer: Answer, exchange: Exchange): Awaitable<Reply> {
    const { request } = exchange;
    switch (answer.kind) {
      case 'entry':
      case 'object':
      case 'list': {
        const agreed = this.#negotiate(answer.endpoint, false, acceptOf(request));
        const scene = this.#scene(exchange, agreed);
        const body = answer.kind === 'list' ? encodeList(answer, scene, this.#lists) : encodeObject(answer, scene);
        const type = contentTypeOf(agreed.format, this.#options.dialect);
        if (!isStaged(body)) return this.#whole(answer.code, type, body, exchange);
        return inTurns(body, exchange).then((bytes) => this.#whole(answer.code, type, bytes, exchange));
      }
      case 'watch': {
        const agreed = this.#negotiate(answer.endpoint, true, acceptOf(request));
        return streamOf(answer, this.#scene(exchange, agreed), warningHeaders(exchange.warnings));
      }
      case 'status':
        return this.#status(answer.status, answer.code, exchange, answer.headers ?? NO_HEADERS);
      case 'document': {
        const agreed = this.#negotiators[answer.jsonOnly ? 'jsonDocument' : 'document'].negotiate(acceptOf(request));
        const body = encodeDocument(answer.body, agreed.format, this.#pretty(agreed, request), this.#options.dialect);
        return this.#whole(
          answer.code,
          contentTypeOf(agreed.format, this.#options.dialect),
          body,
          exchange,
          answer.headers,
        );
      }
      case 'text':
        return this.#text(answer, exchange);
    }
  }

  jsonOf(answer: Answer, exchange: Exchange): string | undefined {
    switch (answer.kind) {
      case 'entry':
      case 'object':
      case 'list': {
        const { transform } = this.#negotiate(answer.endpoint, false, acceptOf(exchange.request));
        const scene = { ...this.#scene(exchange, { format: 'json', transform, pretty: false }), pretty: false };
        const made = answer.kind === 'list' ? encodeList(answer, scene) : encodeObject(answer, scene);
        const bytes = isStaged(made) ? atOnce(made) : made;
        return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
      }
      case 'status':
        return stringify(answer.status as unknown as Json);
      case 'document':
        return stringify(answer.body);
      case 'watch':
      case 'text':
        return undefined;
    }
  }

  renderError(error: unknown, exchange: Exchange): Reply {
    const failure = error instanceof ApiError ? error : internalError('the request could not be served');
    if (failure.plainText !== undefined) {
      const contentType = 'text/plain; charset=utf-8';
      return this.#text({ kind: 'text', code: failure.code, contentType, body: failure.plainText }, exchange);
    }
    const retry = failure.details?.retryAfterSeconds;
    const allow = failure.allowedMethods;
    const headers: Headers =
      retry || allow
        ? { ...(retry ? { 'retry-after': String(retry) } : {}), ...(allow ? { allow: allow.join(', ') } : {}) }
        : NO_HEADERS;
    return this.#status(failure.toStatus(), failure.code, exchange, headers);
  }

  #status(status: Status, code: number, exchange: Exchange, headers: Headers): WholeReply {
    const negotiator = exchange.routed ? this.#statusOfEndpoint : this.#negotiators.status;
    const agreed = negotiator.choose(acceptOf(exchange.request));
    // An error is told even to those who cannot read any of its encodings.
    const format: Format = agreed?.format ?? 'json';
    const { dialect } = this.#options;
    const pretty = this.#pretty(agreed, exchange.request);
    const body = encodeDocument(status as unknown as Json, format, pretty, dialect);
    return this.#whole(code, contentTypeOf(format, dialect), body, exchange, headers);
  }

  #text(answer: TextAnswer, exchange: Exchange): WholeReply {
    const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
    return this.#whole(answer.code, answer.contentType, body, exchange, answer.headers);
  }

  #scene(exchange: Exchange, agreed: Negotiated) {
    const { dialect, clock } = this.#options;
    return { agreed, dialect, clock, request: exchange.request, pretty: this.#pretty(agreed, exchange.request) };
  }

  #pretty(agreed: Negotiated | undefined, request: IncomingRequest): boolean {
    return agreed?.format !== 'json' ? false : agreed.pretty || wantsPretty(request);
  }

  #whole(code: number, contentType: string, body: Uint8Array, exchange: Exchange, more = NO_HEADERS): WholeReply {
    const headers: Record<string, string | string[]> = { 'content-type': contentType, ...more };
    const warnings = warningHeaders(exchange.warnings);
    if (warnings.length > 0) headers.warning = warnings;
    return { kind: 'whole', code, headers, body };
  }

  compress(reply: Reply, request: IncomingRequest): Awaitable<Reply> {
    if (!this.#compresses || reply.kind !== 'whole') return reply;
    const { headers, body } = reply;
    const vary = headers.vary ? `${String(headers.vary)}, Accept-Encoding` : 'Accept-Encoding';
    return (
      compress(request, body, this.#options.follow)?.then((bytes) => {
        return { ...reply, headers: { ...headers, 'content-encoding': 'gzip', vary }, body: bytes };
      }) ?? reply
    );
  }
}

function acceptOf(request: IncomingRequest): string {
  const accept = request.headers.accept;
  return typeof accept === 'string' ? accept : (accept?.join(',') ?? '');
}
