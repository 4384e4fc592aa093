import type { GroupVersion } from './groupVersion.ts';
import type { User } from './identity.ts';

/** Verbs of resource requests (2/authorization). */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'proxy';

/** What a path and a method ask for, read once when the request enters (2/authorization/3). */
export interface ResourceRequest extends GroupVersion {
  readonly isResource: true;
  readonly verb: Verb;
  readonly resource: string;
  readonly subresource: string;
  /** Empty for cluster-scoped types and for collections over all namespaces; a namespace is asked for in itself. */
  readonly namespace: string;
  /** The namespace that the path puts the resource below; empty where it puts it below none, as a namespace itself. */
  readonly below: string;
  /** Empty for collections, unless their field selector names one object. */
  readonly name: string;
  /** Whether the name is that of the field selector, and not of the path. */
  readonly selected?: boolean;
  readonly path: string;
  /** Path segments behind what is asked for: behind the subresource, or behind the name of a legacy watch or proxy. */
  readonly rest: readonly string[];
}
export interface NonResourceRequest {
  readonly isResource: false;
  /** The HTTP method in lower case. */
  readonly verb: string;
  readonly path: string;
}
export type RequestInfo = ResourceRequest | NonResourceRequest;

/** Subresources whose answers last as long as the client likes. */
const STREAMED: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Whether the answer is a stream that lasts as long as the client likes: a watch, or what reaches into a pod. */
export function lastsLong(info: RequestInfo): boolean {
  return info.isResource && (info.verb === 'watch' || info.verb === 'proxy' || STREAMED.has(info.subresource));
}

/** The peer's certificate as TLS presented it; verification belongs to the authenticator. */
export interface PeerCertificate {
  /** DER, leaf first. */
  readonly chain: readonly Uint8Array[];
}

/** A request as it came in, before anything is decided about it. */
export interface IncomingRequest {
  readonly method: string;
  /** Percent-decoded path without query. */
  readonly path: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly query: Query;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Values of a header that may stand on several lines, one item a line, in order; `name` in lower case. */
  readonly headerLines: ((name: string) => readonly string[]) | undefined;
  readonly remoteAddress: string;
  readonly secure: boolean;
  /** The name that the client asked for when the connection was made (SNI); undefined where it asked for none. */
  readonly serverName?: string | undefined;
  readonly peerCertificate: PeerCertificate | undefined;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** Whether the client has gone away, or has its whole answer. */
  readonly gone?: boolean;
  /** The whole body; throws ApiError 413 past the limit and 400 when it breaks off. */
  body(): Promise<Uint8Array>;
}

/** Query parameters; the first value of a name counts, as in the real service. */
export interface Query {
  get(name: string): string | undefined;
  all(name: string): readonly string[];
  has(name: string): boolean;
  names(): readonly string[];
}

/** One request on its way through the pipeline; each stage adds what it decided. */
export interface Exchange {
  readonly request: IncomingRequest;
  /** The request as it came, where another may have been put in its place; else it is `request`. */
  readonly origin?: IncomingRequest;
  readonly info: RequestInfo;
  readonly user: User;
  /** Whether the request came to an endpoint: errors are then told in what that can be had in. */
  routed?: boolean;
  /** Whether nobody waits for an answer any more: it was given, or the client has gone away. Long work ends then. */
  readonly gone?: boolean;
  /** The verb that allowed to act as `user`, where it allows certain requests only. */
  readonly constraint?: string | undefined;
  /** Texts for the Warning header, in order, without duplicates. */
  readonly warnings: WarningSink;
  /** Annotations for the audit event. */
  readonly audit: Map<string, string>;
  /** Hears what the request carries; undefined where no event of the audit log will tell of it. */
  readonly recorder?: RequestRecorder | undefined;
  /** What the stages decided and why; undefined when nobody listens. */
  readonly trace: DecisionTrace | undefined;
}

/** What verbs tell the audit log of a request's body. */
export interface RequestRecorder {
  /** Whether bodies are logged; else only what they name. */
  readonly bodies: boolean;
  /**
   * The body as it was read, before anything was done with it.
   *
   * @param metadata what it says of itself; undefined for options, which are no object
   * @param json its JSON text on one line, undefined when it is none; asked for at once, and only when bodies are logged
   */
  sent(metadata: SentMetadata | undefined, json: () => string | undefined): void;
}
export interface SentMetadata {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

export interface WarningSink {
  add(text: string): void;
  list(): readonly string[];
}

/** A stage's account of what it decided; read by the audit log, the failure card and the learn page. */
export interface DecisionTrace {
  note(decision: Decision): void;
}
export type DecisionStage =
  | 'authentication'
  | 'impersonation'
  | 'authorization'
  | 'decoding'
  | 'merge'
  | 'admission'
  | 'validation'
  | 'storage';
export interface Decision {
  readonly stage: DecisionStage;
  /** Which part of the stage decided: an authenticator, an authorizer, a plugin, a rule. */
  readonly by: string;
  readonly outcome: string;
  readonly because: string;
  /** More of it, as JSON once told; what is costly to work out may be a function. */
  readonly details?: Readonly<Record<string, unknown>> | (() => Readonly<Record<string, unknown>>);
}
