import { userInfo } from '../../api/identity.ts';
import type { Json, JsonObject } from '../../api/json.ts';
import type { Decision, DecisionTrace, Exchange } from '../../api/request.ts';
import type { FieldTrace } from '../../fields/mergeTrace.ts';
import { formatMicroTime } from '../../time.ts';

/** Most decisions of one request that are kept: a collection of many objects may make very many. */
const MOST = 500;

/** The account of one request: every decision on its way, and how it was answered. Holds no body and no header. */
export class Explanation implements DecisionTrace {
  readonly auditId: string;
  readonly #received: number;
  readonly #decisions: Decision[] = [];
  #left = 0;
  #exchange: Exchange | undefined;
  #code: number | undefined;

  /** @param received milliseconds since the epoch */
  constructor(auditId: string, received: number) {
    this.auditId = auditId;
    this.#received = received;
  }

  note(decision: Decision): void {
    // Whatever runs on behind an answer, such as a controller that the write woke up, is no part of it.
    if (this.#code !== undefined) return;
    if (this.#decisions.length < MOST) this.#decisions.push(decision);
    else this.#left += 1;
  }

  /** The request is answered. */
  end(exchange: Exchange, code: number): void {
    this.#exchange = exchange;
    this.#code = code;
  }

  toJSON(): JsonObject {
    const { request, info, user } = this.#exchange ?? {};
    return {
      auditID: this.auditId,
      received: formatMicroTime(this.#received),
      ...(request && info ? { method: request.method, requestURI: request.target, verb: info.verb } : {}),
      ...(user ? { user: userInfo(user) } : {}),
      decisions: this.#decisions.map(decisionJson),
      ...(this.#left > 0 ? { decisionsLeftOut: this.#left } : {}),
      ...(this.#code === undefined ? {} : { code: this.#code }),
    };
  }
}

function decisionJson({ stage, by, outcome, because, details }: Decision): JsonObject {
  const told = typeof details === 'function' ? details() : details;
  return { stage, by, outcome, because, ...(told ? { details: plain(told) } : {}) };
}

/** What notes are made of, as JSON; the account of a merge is told field by field. */
function plain(value: unknown): Json {
  if (isFieldTrace(value)) {
    return { manager: value.manager, fields: value.decisions().map((decision) => plain(decision)) };
  }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(entries.map(([name, member]) => [name, plain(member)]));
  }
  return (value ?? null) as Json;
}

function isFieldTrace(value: unknown): value is FieldTrace {
  return typeof (value as Partial<FieldTrace> | null)?.decisions === 'function';
}
