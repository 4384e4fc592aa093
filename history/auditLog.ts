import type { OperationEntry } from './format.ts';
import { sightOfAnswer, sightOfSent } from './sight.ts';

/** What is read of an event of audit.k8s.io/v1. */
interface AuditEvent {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
  readonly stage?: unknown;
  readonly requestURI?: unknown;
  readonly verb?: unknown;
  readonly user?: { readonly username?: unknown };
  readonly sourceIPs?: readonly unknown[];
  readonly requestReceivedTimestamp?: unknown;
  readonly stageTimestamp?: unknown;
  readonly responseStatus?: { readonly code?: unknown };
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
}

const METHODS: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};

/** Whether a JSON value is an event of an audit log. */
export function isAuditEvent(value: unknown): value is AuditEvent {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, apiVersion } = value as AuditEvent;
  return kind === 'Event' && typeof apiVersion === 'string' && apiVersion.startsWith('audit.k8s.io/');
}

/** Makes operations of the events of an audit log, and counts what the log does not tell. */
export class AuditLog {
  #began: number | undefined;
  #number = 0;
  /** Watches, of which a log has the request alone. */
  watches = 0;
  /** Requests whose answer was not logged: the level was below RequestResponse. */
  withoutAnswer = 0;

  /** The operation of an event; `undefined` for stages before the end, and for what is no request of a resource. */
  operation(event: AuditEvent): OperationEntry | undefined {
    const { requestURI, verb, stage, user } = event;
    const method = typeof verb === 'string' && Object.hasOwn(METHODS, verb) ? METHODS[verb] : undefined;
    if (typeof requestURI !== 'string' || method === undefined) return undefined;
    if (stage !== undefined && stage !== 'ResponseComplete' && stage !== 'Panic') return undefined;
    if (verb === 'watch') {
      this.watches += 1;
      return undefined;
    }
    const start = timeOf(event.requestReceivedTimestamp);
    const end = timeOf(event.stageTimestamp);
    if (Number.isNaN(start) || Number.isNaN(end)) return undefined;
    this.#began ??= start;
    this.#number += 1;
    const code = event.responseStatus?.code;
    const status = stage === 'Panic' || typeof code !== 'number' ? undefined : code;
    const seen = event.responseObject === undefined ? undefined : sightOfAnswer(event.responseObject);
    if (event.responseObject === undefined && status !== undefined && status < 300) this.withoutAnswer += 1;
    return {
      type: 'operation',
      client: typeof user?.username === 'string' ? user.username : 'somebody',
      number: this.#number,
      start: start - this.#began,
      end: end - this.#began,
      method,
      path: requestURI,
      sent: event.requestObject === undefined ? undefined : sightOfSent(event.requestObject),
      status,
      seen,
    };
  }
}

/** Milliseconds, with the parts of one that a timestamp has. */
function timeOf(text: unknown): number {
  if (typeof text !== 'string') return Number.NaN;
  const [, fraction = ''] = /\.\d{3}(\d+)/.exec(text) ?? [];
  return Date.parse(text.replace(/(\.\d{3})\d+/, '$1')) + (fraction === '' ? 0 : Number(`0.${fraction}`));
}
