import type { Awaitable } from '../api/awaitable.ts';
import type { Exchange, IncomingRequest } from '../api/request.ts';
import type { Answer } from './answer.ts';
import type { Reply } from './reply.ts';
import type { Endpoint } from './resourceRegistry.ts';

/** Turns answers into bytes, by what the client accepts. */
export interface Encoder {
  /**
   * Refuses, before anything is done, a request whose Accept header no answer of the endpoint can meet.
   * @throws ApiError 406
   */
  checkAcceptable(endpoint: Endpoint, exchange: Exchange): void;
  /**
   * A reply that is there at once, unless it is long work to make.
   * @throws ApiError 406, and 400 for a malformed `includeObject`
   */
  render(answer: Answer, exchange: Exchange): Awaitable<Reply>;
  /** JSON text of what {@link render} wrote in whichever encoding; undefined for streams and for bytes as they are. */
  jsonOf(answer: Answer, exchange: Exchange): string | undefined;
  /** The Status of an error; whatever is no ApiError becomes a 500 that says nothing of the inside. */
  renderError(error: unknown, exchange: Exchange): Reply;
  /** The reply compressed, where it is worth it and the client takes that. */
  compress(reply: Reply, request: IncomingRequest): Awaitable<Reply>;
}
