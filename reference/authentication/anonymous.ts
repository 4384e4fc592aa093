import { ANONYMOUS } from '../api/identity.ts';
import type { IncomingRequest } from '../api/request.ts';
import type { Authenticated, Authenticator } from '../contracts/authenticator.ts';
import type { AnonymousOptions } from '../contracts/serverOptions.ts';

/** Requests without credentials (2/general/2): `system:anonymous`, on every path or on those configured. */
export class AnonymousAuthenticator implements Authenticator {
  readonly name = 'anonymous';
  #options: AnonymousOptions;

  constructor(options: AnonymousOptions) {
    this.#options = options;
  }

  /** From now on this says who may come without credentials. */
  replace(options: AnonymousOptions): void {
    this.#options = options;
  }

  authenticate(request: IncomingRequest): Authenticated | undefined {
    const { enabled, paths } = this.#options;
    return enabled && (paths === undefined || paths.includes(request.path)) ? { user: ANONYMOUS } : undefined;
  }
}
