import type { Awaitable } from '../api/awaitable.ts';
import type { GroupResource } from '../api/groupVersion.ts';
import type { ApiObject } from '../api/object.ts';
import type { Exchange } from '../api/request.ts';
import type { Endpoint } from './resourceRegistry.ts';

/** A write on its way to the store, as admission sees it. Objects are in the storage version. */
export interface AdmissionAttributes {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly endpoint: Endpoint;
  readonly namespace: string;
  readonly name: string;
  /**
   * Undefined for DELETE; for CONNECT the options, which have no metadata. Mutating plugins change it in place;
   * validating ones must not.
   */
  readonly object: ApiObject | undefined;
  /** Undefined for CREATE and CONNECT. Never changed. */
  readonly oldObject: ApiObject | undefined;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions, as an object with kind. */
  readonly options: ApiObject | undefined;
  readonly dryRun: boolean;
  readonly exchange: Exchange;
}

/** One plugin, or a chain of them. Either step refuses by throwing an ApiError. */
export interface Admission {
  readonly name: string;
  /** Whether it is about objects of a type at all, and always the same; it is not asked for others. Unset: all types. */
  concerns?(type: GroupResource): boolean;
  /** Runs before validation, in order. */
  mutate?(attributes: AdmissionAttributes): Awaitable<void>;
  /**
   * Asked when all have run `mutate`: true where the object was changed from outside, so that all of them run it once
   * more on the same attributes.
   */
  reinvokes?(attributes: AdmissionAttributes): boolean;
  /** Runs after validation, on the object as it would be stored. */
  validate?(attributes: AdmissionAttributes): Awaitable<void>;
  /** Ends what the plugin keeps open; nothing is asked of it afterwards. */
  stop?(): Awaitable<void>;
}

/** All plugins as one, as a server asks them. No member is optional: what stands around it would forget it. */
export type AdmissionChain = Required<Pick<Admission, 'name' | 'mutate' | 'validate' | 'stop'>>;
