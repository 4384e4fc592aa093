import type { Exchange } from '../api/request.ts';
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
  /** @throws ApiError 406, and 400 for a malformed `includeObject` */
  render(answer: Answer, exchange: Exchange): Reply;
  /** JSON text of what {@link render} wrote in whichever encoding; undefined for streams and for bytes as they are. */
  jsonOf(answer: Answer, exchange: Exchange): string | undefined;
  /** The Status of an error; whatever is no ApiError becomes a 500 that says nothing of the inside. */
  renderError(error: unknown, exchange: Exchange): Reply;
}
