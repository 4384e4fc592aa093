import { type ServiceError, status } from '@grpc/grpc-js';
import { StoreUnavailable } from '../../contracts/store.ts';

/** What a call that failed says of etcd and of itself. */
export interface CallFailure {
  /** Some member was reached at all. */
  readonly reached: boolean;
  /** The request has certainly changed nothing. */
  readonly untouched: boolean;
  /** What is wrong with the cluster or the way to it; undefined: nothing, the request is refused. */
  readonly fault: string | undefined;
  readonly isFull?: boolean;
}

/** What etcd says when it has not begun with a request. */
const NOT_BEGUN = /no leader|too many requests|not capable|applied index|corrupt cluster/;

/**
 * The cluster has no room left. A member says so before it begins with a request, and also of the one that took the last
 * of the room and was carried out: only a look at the key tells.
 */
export class EtcdFull extends StoreUnavailable {
  constructor(fault: string) {
    super(fault, true);
  }
}
const NO_ROOM = /database space exceeded/;

/** Said by the library, not by a member: the request was never sent. */
const UNSENT = /^(No connection established|Name resolution failed)/;

/** Why nobody was reached, by what the libraries say; of members that fail for several reasons the last one counts. */
const WAYS_BARRED: readonly (readonly [RegExp, string])[] = [
  [
    /unable to verify|self.signed certificate|unable to get (local )?issuer/,
    'its certificate is signed by an authority that is not trusted here',
  ],
  [/certificate has expired/, 'its certificate has expired'],
  [/certificate is not yet valid/, 'its certificate is not valid yet'],
  [/ALTNAME_INVALID/, 'its certificate is for another name'],
  [
    /alert (bad certificate|certificate (required|expired|unknown)|unknown ca|handshake failure)/,
    'it wants a client certificate, and not the one given, if any',
  ],
  [/before secure TLS connection/, 'it does not speak TLS'],
  [/ECONNREFUSED/, 'nothing listens there'],
  [/Name resolution failed/, 'its name has no address'],
];

/** What an error of the library, or one thrown in its place, means. @throws what is no failure of a call */
export function judge(error: unknown): CallFailure {
  if (error instanceof StoreUnavailable) return { reached: false, untouched: true, fault: error.message };
  const { code, details = '' } = error as ServiceError;
  switch (code) {
    case status.UNAVAILABLE:
      if (UNSENT.test(details)) return { reached: false, untouched: true, fault: unreachable(details) };
      return { reached: true, untouched: NOT_BEGUN.test(details), fault: `etcd is not available: ${tidy(details)}` };
    case status.DEADLINE_EXCEEDED:
    case status.CANCELLED:
    case status.UNKNOWN:
    case status.INTERNAL:
    case status.DATA_LOSS:
      return { reached: true, untouched: NOT_BEGUN.test(details), fault: `etcd does not answer: ${tidy(details)}` };
    case status.RESOURCE_EXHAUSTED:
      return {
        reached: true,
        untouched: NOT_BEGUN.test(details),
        fault: `etcd is full: ${tidy(details)}`,
        isFull: NO_ROOM.test(details),
      };
    case undefined:
      throw error;
    default:
      return { reached: true, untouched: true, fault: undefined };
  }
}

function unreachable(details: string): string {
  const cause = WAYS_BARRED.find(([said]) => said.test(details))?.[1];
  return cause ? `etcd cannot be reached: ${cause}` : 'etcd cannot be reached';
}

/** Details without addresses, which are nobody's business who asks for an object. */
function tidy(details: string): string {
  return details.replaceAll(/\b[\w.-]+:\d+\b/g, 'a member').slice(0, 200);
}
