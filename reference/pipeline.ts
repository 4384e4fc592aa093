import type { User } from './api/identity.ts';
import { ANONYMOUS } from './api/identity.ts';
import type { Exchange, IncomingRequest, RequestInfo } from './api/request.ts';
import { GivenUp } from './api/staged.ts';
import { methodNotSupported, timeout, unauthorized } from './api/status.ts';
import { Warnings } from './api/warnings.ts';
import { type Impersonator, impersonates } from './authentication/impersonation/impersonator.ts';
import type { Answer } from './contracts/answer.ts';
import type { Authenticator } from './contracts/authenticator.ts';
import type { Attributes, AuthorizationResult, Authorizer } from './contracts/authorizer.ts';
import { type Call, type Services, servicesFor, type VerbTable } from './contracts/call.ts';
import type { Encoder } from './contracts/encoder.ts';
import type { Admitted, FlowControl } from './contracts/flowControl.ts';
import type { Handler, Reply } from './contracts/reply.ts';
import type { DocumentSource, Observer } from './contracts/requestObserver.ts';
import { isPending } from './contracts/store.ts';
import type { Auditor } from './observability/audit/auditor.ts';
import type { AuditRecord } from './observability/audit/auditRecord.ts';
import { tracing } from './observability/explain/currentTrace.ts';
import type { Explanation } from './observability/explain/explanation.ts';
import type { Explanations } from './observability/explain/explanations.ts';
import { timeLimit, withinLimit } from './transport/deadline.ts';
import { requestInfo } from './transport/requestInfo.ts';
import { findEndpoint, PAGE_NOT_FOUND } from './verbs/dispatch.ts';
import { storeFault } from './verbs/storeFaults.ts';

/** Name of the annotation that tells the decisions on a request, in the domain of this project. */
const EXPLANATION = 'explain.touchstone.dev/decisions';

/** How a request ends whose client went away while there was long work to do for it; nobody reads it but the audit log. */
const NOBODY_WAITS = timeout('the client has gone away', 0);

/** The stages, as the composition root chose them. */
export interface Stages {
  readonly services: Services;
  readonly authenticator: Authenticator;
  readonly impersonate: Impersonator;
  readonly authorizer: Authorizer;
  readonly attributesOf: (info: RequestInfo, user: User, request: IncomingRequest) => Attributes;
  /** `target` is the path and query as sent. */
  readonly refusal: (attributes: Attributes, verdict: AuthorizationResult, target: string) => Error;
  readonly verbs: VerbTable;
  readonly documents: readonly DocumentSource[];
  readonly encoder: Encoder;
  readonly observers: readonly Observer[];
  /** Undefined: nothing is logged. */
  readonly auditor: Auditor | undefined;
  readonly auditId: (request: IncomingRequest) => string;
  readonly flowControl: FlowControl;
  /** Milliseconds that a request may take at most, unless its answer is a stream. */
  readonly requestTimeout: number;
  /** Where the accounts of requests are kept; undefined: nobody asks for them. */
  readonly explanations: Explanations | undefined;
}

/** A request on its way; what is rarely used is made when first asked for. */
class PassingRequest implements Exchange {
  readonly request: IncomingRequest;
  readonly origin: IncomingRequest;
  readonly auditId: string;
  /** Milliseconds since the epoch. */
  readonly received: number;
  info: RequestInfo;
  user: User = ANONYMOUS;
  allowed: boolean | undefined;
  routed = false;
  constraint: string | undefined;
  flowHeaders: Admitted['headers'] | undefined;
  /** Whether all work on it has ended, which goes on where it took longer than the request may. */
  worked = false;
  /** Whether its answer is made. */
  replied = false;
  recorder: AuditRecord | undefined;
  readonly trace: Explanation | undefined;
  #warnings: Warnings | undefined;
  #audit: Map<string, string> | undefined;

  get gone(): boolean {
    return this.replied || this.request.gone === true;
  }

  constructor(request: IncomingRequest, auditId: string, received: number, trace: Explanation | undefined) {
    this.request = request;
    this.origin = request;
    this.auditId = auditId;
    this.received = received;
    this.info = { isResource: false, verb: request.method.toLowerCase(), path: request.path };
    this.trace = trace;
  }
  get warnings(): Warnings {
    this.#warnings ??= new Warnings();
    return this.#warnings;
  }
  get audit(): Map<string, string> {
    this.#audit ??= new Map();
    return this.#audit;
  }
}

/**
 * The stages of a request: who, may they, what, and the answer as bytes. Every refusal on the
 * way becomes a Status; the handler itself never rejects.
 */
export function createPipeline(stages: Stages): Handler {
  const { services, observers } = stages;
  const { clock } = services;

  async function answer(exchange: PassingRequest): Promise<Answer> {
    await authenticate(stages, exchange);
    const entering = stages.flowControl.enter(exchange.info, exchange.user, exchange.request);
    const admitted = isPending(entering) ? await entering : entering;
    exchange.flowHeaders = admitted.headers;
    try {
      return await answerTo(exchange);
    } finally {
      admitted.release();
      exchange.worked = true;
      if (exchange.replied) services.largeWork?.leave(exchange.origin);
    }
  }

  /** Gives the place of a large object to others, unless work on it goes on, and keeps such from beginning. */
  function replied(exchange: PassingRequest): void {
    exchange.replied = true;
    if (exchange.worked) services.largeWork?.leave(exchange.origin);
    else services.largeWork?.giveUp(exchange.origin);
  }

  async function answerTo(exchange: PassingRequest): Promise<Answer> {
    await authorize(stages, exchange);
    const { info } = exchange;
    if (!info.isResource) {
      for (const source of stages.documents) {
        const document = await source(exchange);
        if (document) return document;
      }
      return PAGE_NOT_FOUND;
    }
    const endpoint = findEndpoint(services.registry, info, exchange.request.method);
    if ('kind' in endpoint) return endpoint;
    // Every call warns, whatever comes of it (3/behavior-when-a-deprecated-endpoint-is-called).
    const { deprecation } = endpoint.version;
    if (deprecation) exchange.warnings.add(deprecation.warning);
    stages.encoder.checkAcceptable(endpoint, exchange);
    if (info.verb === 'proxy') throw methodNotSupported({ group: info.group, resource: info.resource }, info.verb);
    return stages.verbs[info.verb]({
      exchange: exchange as Call['exchange'],
      endpoint,
      services: servicesFor(endpoint, services),
    });
  }

  return async function handle(request: IncomingRequest): Promise<Reply> {
    const received = clock.now();
    const started = clock.elapsed();
    const auditId = stages.auditId(request);
    const trace = stages.explanations?.begin(auditId, received);
    const exchange = new PassingRequest(request, auditId, received, trace);
    let reply: Reply;
    try {
      exchange.info = requestInfo(request.method, request.path, request.query, services.follow);
      const limit = timeLimit(exchange.info, request.query, stages.requestTimeout);
      const answering = trace ? tracing(trace, () => answer(exchange)) : answer(exchange);
      const answered = await (limit === undefined ? answering : withinLimit(answering, limit, clock));
      const rendered = stages.encoder.render(answered, exchange);
      reply = isPending(rendered) ? await rendered : rendered;
      exchange.recorder?.answered(answered);
    } catch (error) {
      const fault = error instanceof GivenUp ? NOBODY_WAITS : storeFault(error);
      reply = stages.encoder.renderError(fault, exchange);
      exchange.recorder?.failed(fault);
    }
    const compressed = stages.encoder.compress(reply, request);
    if (isPending(compressed)) reply = await compressed;
    replied(exchange);
    const headers = {
      'audit-id': auditId,
      'cache-control': 'no-cache, private',
      date: httpDate(received),
      ...exchange.flowHeaders,
      ...reply.headers,
    };
    reply = { ...reply, headers };
    const took = clock.elapsed() - started;
    for (const observer of observers) {
      observer.ended({ exchange, auditId, received, took, allowed: exchange.allowed }, reply);
    }
    if (trace) {
      trace.end(exchange, reply.code);
      if (exchange.recorder) exchange.audit.set(EXPLANATION, JSON.stringify(trace.toJSON().decisions));
    }
    return exchange.recorder?.replied(reply) ?? reply;
  };
}

async function authenticate(stages: Stages, exchange: PassingRequest): Promise<void> {
  const identity = await stages.authenticator.authenticate(exchange.request);
  const { auditor } = stages;
  const by = stages.authenticator.name;
  if (!identity || 'rejected' in identity) {
    exchange.recorder = auditor?.refused(exchange, exchange.auditId, exchange.received);
    const because = identity?.rejected ?? 'no method knows who this is, and nobody may be anonymous here';
    exchange.trace?.note({ stage: 'authentication', by, outcome: 'refused', because });
    throw unauthorized();
  }
  const { user } = identity;
  exchange.user = user;
  exchange.trace?.note({
    stage: 'authentication',
    by,
    outcome: user.username,
    because: 'the first method that knows the credential decides',
    details: { groups: user.groups },
  });
  if (auditor) exchange.recorder = await auditor.begin(exchange, exchange.auditId, exchange.received);
  if (!impersonates(exchange.request)) return;
  const acting = await stages.impersonate(exchange.request, stages.attributesOf(exchange.info, user, exchange.request));
  if (!acting) return;
  exchange.user = acting.user;
  exchange.constraint = acting.constraint;
  exchange.trace?.note({
    stage: 'impersonation',
    by: 'Impersonate headers',
    outcome: exchange.user.username,
    because: `${user.username} may act as each part of this user`,
    details: { groups: exchange.user.groups },
  });
}

/** How the chain came to its end. */
const DECIDED: Readonly<Record<AuthorizationResult['decision'], (by: string) => string>> = {
  allow: (by) => `${by} allows it, and the first that allows or denies decides`,
  deny: (by) => `${by} denies it, and the first that allows or denies decides`,
  noOpinion: (by) => `nobody allows it: ${by.split(',').join(', ')} have no opinion`,
};

async function authorize(stages: Stages, exchange: PassingRequest): Promise<void> {
  const attributes = stages.attributesOf(exchange.info, exchange.user, exchange.request);
  const verdict = await stages.authorizer.authorize(attributes);
  exchange.trace?.note({
    stage: 'authorization',
    by: stages.authorizer.name,
    outcome: verdict.decision === 'allow' ? 'allowed' : 'forbidden',
    because: DECIDED[verdict.decision](verdict.by),
  });
  exchange.allowed = verdict.decision === 'allow';
  if (exchange.recorder) {
    const { apiDomain } = stages.services.dialect;
    exchange.audit.set(`authorization.${apiDomain}/decision`, exchange.allowed ? 'allow' : 'forbid');
    exchange.audit.set(`authorization.${apiDomain}/reason`, verdict.reason);
  }
  if (!exchange.allowed) throw stages.refusal(attributes, verdict, exchange.request.target);
}

let lastSecond = -1;
let lastDate = '';

/** The Date header; made once a second. */
function httpDate(now: number): string {
  const second = Math.floor(now / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastDate = new Date(now).toUTCString();
  }
  return lastDate;
}
