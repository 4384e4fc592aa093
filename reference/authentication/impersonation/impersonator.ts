import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import type { User } from '../../api/identity.ts';
import type { IncomingRequest } from '../../api/request.ts';
import type { Attributes, Authorizer } from '../../contracts/authorizer.ts';

/** Whom a request acts as. */
export interface ImpersonatedUser {
  readonly user: User;
  /** The verb that allowed it, where it allows certain requests only. */
  readonly constraint?: string;
}

/**
 * Decides whom a request acts as (2/authorization/p2); undefined where it carries no header of impersonation that says
 * anything.
 *
 * @param attributes what the request asks for, as the user who was authenticated
 * @throws ApiError 403 when that user may not, and another when the headers make no sense
 */
export type Impersonator = (request: IncomingRequest, attributes: Attributes) => Promise<ImpersonatedUser | undefined>;

/** What impersonation works with. */
export interface ImpersonationDependencies {
  readonly authorizer: Authorizer;
  readonly dialect: Dialect;
}

/** True when a request carries any header of impersonation: others skip all of this. */
export function impersonates(request: IncomingRequest): boolean {
  for (const name in request.headers) if (name.startsWith('impersonate-')) return true;
  return false;
}
