import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { Follow } from '../../fixtures/follow.ts';
import type { Exchange, ResourceRequest, Verb } from '../api/request.ts';
import type { LargeWork } from '../collections/largeWork.ts';
import type { FieldOwnership } from '../fields/fieldOwnership.ts';
import type { Random } from '../random.ts';
import type { Clock } from '../time.ts';
import type { Admission } from './admission.ts';
import type { Answer } from './answer.ts';
import type { Authorizer } from './authorizer.ts';
import type { Endpoint, ResourceRegistry } from './resourceRegistry.ts';
import type { Operations } from './resourceType.ts';
import type { Store } from './store.ts';

/** What verbs work with. Made once, by the composition root. */
export interface Services {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly clock: Clock;
  readonly random: Random;
  readonly dialect: Dialect;
  readonly admission: Admission;
  readonly authorizer: Authorizer;
  readonly ownership: FieldOwnership;
  readonly operations: Operations;
  /** Milliseconds that a watch lasts at least when its client does not say; at most twice that. */
  readonly shortestWatch: number;
  readonly follow: Follow;
  /**
   * Where requests wait that work on large objects; what holds a place is the incoming request. Writes of the service
   * itself wait for none: a request that holds one may wait for them.
   */
  readonly largeWork?: LargeWork | undefined;
  /** Whether a feature gate is on. */
  readonly gate: (name: string) => boolean;
}

/** A resource request that has passed authentication and authorization, with where it leads. */
export interface Call {
  readonly exchange: Exchange & { readonly info: ResourceRequest };
  readonly endpoint: Endpoint;
  readonly services: Services;
}

/** One file a verb; throws ApiError. */
export type VerbHandler = (call: Call) => Promise<Answer>;
export type VerbTable = Readonly<Record<Exclude<Verb, 'proxy'>, VerbHandler>>;

/** The services as requests to an endpoint see them: versions of custom types have a view of the store of their own. */
export function servicesFor({ version }: Endpoint, services: Services): Services {
  return version.store ? { ...services, store: version.store(services.store) } : services;
}
