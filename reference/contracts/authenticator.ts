import type { Awaitable } from '../api/awaitable.ts';
import type { User } from '../api/identity.ts';
import type { IncomingRequest } from '../api/request.ts';

/** Who a request comes from, by one method (2/methods). */
export interface Authenticator {
  /** Short name for traces: `tokenFile`, `clientCertificate`. */
  readonly name: string;
  /**
   * The identity, or undefined when the request carries no credential of this method. A credential that is
   * present and wrong answers a Rejection, so that other methods may still be asked.
   */
  authenticate(request: IncomingRequest): Awaitable<Authenticated | Rejection | undefined>;
}
export interface Authenticated {
  readonly user: User;
  readonly audiences?: readonly string[];
}
export interface Rejection {
  readonly rejected: string;
}
