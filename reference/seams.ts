import type { PutReview } from './admission/webhooks/caller.ts';
import type { HookDependencies } from './admission/webhooks/validating.ts';
import type { IncomingRequest } from './api/request.ts';
import type { AdmissionChain } from './contracts/admission.ts';
import type { Authenticator } from './contracts/authenticator.ts';
import type { Authorizer } from './contracts/authorizer.ts';
import type { VerbTable } from './contracts/call.ts';
import type { Handler, Reply } from './contracts/reply.ts';
import type { Store } from './contracts/store.ts';
import type { FieldOwnership } from './fields/fieldOwnership.ts';
import type { Reviews } from './remote/reviewClient.ts';
import type { Clock } from './time.ts';

/**
 * Where a deliberate defect, a trace or a fault may stand: each seam takes what the server would use and gives
 * what it shall use instead, whole: no member of theirs is optional, so that none can be forgotten on the way. Nothing
 * else in the reference knows of defects.
 */
export interface Seams {
  readonly clock?: (clock: Clock) => Clock;
  readonly store?: (store: Store) => Store;
  readonly authenticator?: (authenticator: Authenticator) => Authenticator;
  /** The whole chain, as requests, reviews and admission ask it. */
  readonly authorizer?: (authorizer: Authorizer) => Authorizer;
  /** Each member of the chain. */
  readonly eachAuthorizer?: (authorizer: Authorizer) => Authorizer;
  readonly admission?: (admission: AdmissionChain) => AdmissionChain;
  /** What validating webhooks are found and called with. */
  readonly webhooks?: (dependencies: HookDependencies) => HookDependencies;
  /** The reviews that webhooks of admission are asked for, as text. */
  readonly hookReviews?: (put: PutReview) => PutReview;
  readonly ownership?: (ownership: FieldOwnership) => FieldOwnership;
  readonly verbs?: (verbs: VerbTable) => VerbTable;
  /** The reviews that remote services are asked for, of tokens and of access; not those of conversions. */
  readonly reviews?: (reviews: Reviews) => Reviews;
  /** Last: the reply as bytes, with the request it answers. */
  readonly reply?: (reply: Reply, request: IncomingRequest) => Reply;
  /** Outermost: the whole way of a request, as what listens calls it. */
  readonly handler?: (handler: Handler) => Handler;
}
