import type { Awaitable } from '../../api/awaitable.ts';
import { userInfo } from '../../api/identity.ts';
import { isObject, type Json } from '../../api/json.ts';
import type { Exchange, RequestRecorder, SentMetadata } from '../../api/request.ts';
import { ApiError } from '../../api/status.ts';
import { stringify } from '../../codecs/jsonText.ts';
import type { Answer } from '../../contracts/answer.ts';
import type { AuditLevel, AuditStage } from '../../contracts/auditOptions.ts';
import type { Reply } from '../../contracts/reply.ts';
import { formatMicroTime } from '../../time.ts';
import type { AuditEvent, AuditStatus, ObjectReference } from './auditEvent.ts';
import { endingOf } from './ending.ts';
import { sourceAddresses } from './sourceAddresses.ts';

/** What a policy says of one request. */
export interface AuditDecision {
  readonly level: Exclude<AuditLevel, 'None'>;
  readonly omitStages: readonly string[];
  readonly omitManagedFields: boolean;
}
/** What a record works with. */
export interface RecordDependencies {
  /** `audit.k8s.io/v1` */
  readonly apiVersion: string;
  now(): number;
  /** False when the event could not be kept. */
  keep(event: AuditEvent): Awaitable<boolean>;
  /** JSON text of what was answered, whatever encoding the client got; undefined where it is no object. */
  jsonOf(answer: Answer, exchange: Exchange): string | undefined;
  /** Annotations that stand when the request is over. */
  last(exchange: Exchange): Readonly<Record<string, string>>;
}
export interface AuditedRequest {
  readonly exchange: Exchange;
  readonly auditId: string;
  /** Milliseconds since the epoch. */
  readonly received: number;
  /** Whether somebody was authenticated. */
  readonly known: boolean;
}

const LONGEST_AGENT = 1024;
/** Subresources whose requests last as long as what they lead to. */
const LASTING = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** One request on its way through the audit log: gathers what its events tell, and writes one at each stage. */
export class AuditRecord implements RequestRecorder {
  readonly bodies: boolean;
  readonly #dependencies: RecordDependencies;
  readonly #decision: AuditDecision;
  readonly #request: AuditedRequest;
  readonly #user: Exchange['user'];
  #reference: ObjectReference | undefined;
  #requestObject: string | undefined;
  #responseObject: string | undefined;
  #status: AuditStatus | undefined;
  #stage: AuditStage | undefined;

  constructor(dependencies: RecordDependencies, decision: AuditDecision, request: AuditedRequest) {
    this.bodies = decision.level !== 'Metadata';
    this.#dependencies = dependencies;
    this.#decision = decision;
    this.#request = request;
    this.#user = request.exchange.user;
    const { info } = request.exchange;
    if (info.isResource) {
      const { resource, namespace, name, group: apiGroup, version: apiVersion, subresource } = info;
      this.#reference = { resource, namespace, name, apiGroup, apiVersion, subresource };
    }
  }

  /** The request came in and its user is known. False when that could not be written down. */
  received(): Awaitable<boolean> {
    return this.#write('RequestReceived', this.#request.received);
  }

  sent(metadata: SentMetadata | undefined, json: () => string | undefined): void {
    const reference = this.#reference ?? {};
    if (metadata) {
      this.#reference = {
        ...reference,
        namespace: reference.namespace || metadata.namespace,
        name: reference.name || metadata.name,
        uid: metadata.uid,
        resourceVersion: metadata.resourceVersion,
      };
    }
    const text = this.bodies ? json() : undefined;
    if (text !== undefined) this.#requestObject = this.#trimmed(text);
  }

  answered(answer: Answer): void {
    if (answer.kind === 'status') this.#status = statusOf(answer.status);
    if (this.#decision.level !== 'RequestResponse') return;
    const json = this.#dependencies.jsonOf(answer, this.#request.exchange);
    if (json !== undefined) this.#responseObject = this.#trimmed(json);
  }

  /** Whatever is no ApiError broke the service itself, as a panic does. */
  failed(error: unknown): void {
    if (!(error instanceof ApiError)) {
      this.#stage = 'Panic';
      const kind = error instanceof Error ? error.name : typeof error;
      const message = `APIServer panic'd: ${kind}`;
      this.#status = { metadata: {}, status: 'Failure', message, reason: 'InternalError', code: 500 };
    } else if (error.plainText === undefined) {
      const status = error.toStatus();
      this.#status = statusOf(status);
      if (this.#decision.level === 'RequestResponse') this.#responseObject = stringify(status as unknown as Json);
    }
  }

  /** The answer is about to go out. @returns it, perhaps with a listener for the end of its stream */
  replied(reply: Reply): Reply {
    this.#status = { metadata: {}, ...this.#status, code: reply.code };
    if (!this.#request.known) {
      // Whoever nobody knows leaves one event, written when the refusal goes out.
      this.#write('ResponseStarted');
      return reply;
    }
    if (this.#stage === 'Panic') {
      this.#write('Panic');
      return reply;
    }
    if (this.#lasts()) this.#write('ResponseStarted');
    if (reply.kind === 'whole' || this.#request.exchange.request.method === 'HEAD') {
      this.#complete();
      return reply;
    }
    return endingOf(reply, this.#request.exchange.request.signal, () => this.#complete());
  }

  #complete(): void {
    const { exchange } = this.#request;
    for (const [key, value] of Object.entries(this.#dependencies.last(exchange))) {
      if (!exchange.audit.has(key)) exchange.audit.set(key, value);
    }
    this.#write('ResponseComplete');
  }

  #lasts(): boolean {
    const { info } = this.#request.exchange;
    return info.isResource && (info.verb === 'watch' || info.verb === 'proxy' || LASTING.has(info.subresource));
  }

  #write(stage: AuditStage, at = this.#dependencies.now()): Awaitable<boolean> {
    return this.#decision.omitStages.includes(stage) || this.#dependencies.keep(this.#event(stage, at));
  }

  #event(stage: AuditStage, at: number): AuditEvent {
    const { exchange, auditId, received, known } = this.#request;
    const { info, request, user, constraint } = exchange;
    return {
      apiVersion: this.#dependencies.apiVersion,
      level: this.#decision.level,
      auditID: auditId,
      stage,
      requestURI: request.target,
      verb: info.verb,
      user: known ? userInfo(this.#user) : {},
      impersonatedUser: user === this.#user ? undefined : userInfo(user),
      authenticationMetadata: constraint === undefined ? undefined : { impersonationConstraint: constraint },
      sourceIPs: sourceAddresses(request),
      userAgent: shortened(request.headers['user-agent']),
      objectRef: this.#reference && withoutEmpty(this.#reference),
      responseStatus: this.#status,
      requestObject: this.#requestObject,
      responseObject: this.#responseObject,
      requestReceivedTimestamp: formatMicroTime(received),
      stageTimestamp: formatMicroTime(at),
      annotations: Object.fromEntries(exchange.audit),
    };
  }

  #trimmed(json: string): string {
    const text = json.trimEnd();
    return this.#decision.omitManagedFields ? withoutManagedFields(text) : text;
  }
}

function statusOf(status: {
  readonly status: string;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: AuditStatus['details'];
  readonly code?: number;
}): AuditStatus {
  const { status: result, message, reason, details, code } = status;
  return { metadata: {}, status: result, message, reason, details, code };
}

function withoutEmpty(reference: ObjectReference): ObjectReference {
  const { resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource } = reference;
  const ordered = { resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource };
  return Object.fromEntries(Object.entries(ordered).filter(([, value]) => value));
}

function shortened(header: string | string[] | undefined): string | undefined {
  const agent = (Array.isArray(header) ? header[0] : header) || undefined;
  if (agent === undefined || agent.length <= LONGEST_AGENT) return agent;
  return `${agent.slice(0, LONGEST_AGENT)}...TRUNCATED`;
}

/** An object, a list or a Table without the records of field ownership in it. */
function withoutManagedFields(text: string): string {
  const value = JSON.parse(text) as Json;
  if (!isObject(value)) return text;
  const rows = Array.isArray(value.rows) ? value.rows.map((row) => (isObject(row) ? row.object : undefined)) : [];
  const items = Array.isArray(value.items) ? value.items : [];
  for (const one of [value, ...items, ...rows]) {
    if (isObject(one) && isObject(one.metadata)) delete one.metadata.managedFields;
  }
  return stringify(value);
}
