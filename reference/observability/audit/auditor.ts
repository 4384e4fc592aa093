import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import type { Exchange } from '../../api/request.ts';
import { ApiError } from '../../api/status.ts';
import type { AuditPolicy } from '../../contracts/auditOptions.ts';
import type { Encoder } from '../../contracts/encoder.ts';
import type { ResourceRegistry } from '../../contracts/resourceRegistry.ts';
import type { Clock } from '../../time.ts';
import type { MetricsRegistry, Numbers } from '../metrics.ts';
import { endpointOf } from '../requestLabels.ts';
import { AuditRecord, type RecordDependencies } from './auditRecord.ts';
import { ruleFits } from './ruleFits.ts';
import type { AuditSink } from './sink.ts';

export interface AuditorOptions {
  readonly policy: AuditPolicy;
  readonly sink: AuditSink;
  /** A request whose first event cannot be kept is refused. */
  readonly strict: boolean;
}
export interface AuditorDependencies {
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly registry: ResourceRegistry;
  readonly encoder: Encoder;
  readonly metrics: MetricsRegistry;
}

/** Writes the audit log: decides by the policy how fully each request is told (3/behavior-when-a-deprecated-endpoint-is-called/2). */
export class Auditor {
  readonly #options: AuditorOptions;
  readonly #dependencies: RecordDependencies;
  readonly #events: Numbers<never>;
  readonly #levels: Numbers<'level'>;
  readonly #rejected: Numbers<never>;

  constructor(options: AuditorOptions, { clock, dialect, registry, encoder, metrics }: AuditorDependencies) {
    this.#options = options;
    this.#events = metrics.counter({
      name: 'apiserver_audit_event_total',
      help: 'Audit events made.',
      stability: 'ALPHA',
      labels: [],
    });
    this.#levels = metrics.counter({
      name: 'apiserver_audit_level_total',
      help: 'Requests by the level of the audit policy that they were given.',
      stability: 'ALPHA',
      labels: ['level'],
    });
    this.#rejected = metrics.counter({
      name: 'apiserver_audit_requests_rejected_total',
      help: 'Requests refused because their audit event could not be kept.',
      stability: 'ALPHA',
      labels: [],
    });
    this.#dependencies = {
      apiVersion: `${groupName(dialect, 'audit')}/v1`,
      now: () => clock.now(),
      keep: (event) => {
        this.#events.add({});
        return options.sink.take([event]);
      },
      jsonOf: (answer, exchange) => encoder.jsonOf(answer, exchange),
      last: (exchange) => deprecations(exchange, dialect, registry),
    };
  }

  /**
   * Begins the record of a request whose user is known, and writes its first event.
   *
   * @returns undefined where the policy leaves the request out
   * @throws ApiError 500 where the event could not be kept and requests must not go on without
   */
  async begin(exchange: Exchange, auditId: string, received: number): Promise<AuditRecord | undefined> {
    const record = this.#record(exchange, auditId, received, true);
    if (record && !(await record.received()) && this.#options.strict) {
      this.#rejected.add({});
      throw new ApiError(500, 'InternalError', 'Internal error occurred: failed to store audit event');
    }
    return record;
  }

  /** The record of a request that nobody stands behind: it has no stages but its refusal. */
  refused(exchange: Exchange, auditId: string, received: number): AuditRecord | undefined {
    return this.#record(exchange, auditId, received, false);
  }

  #record(exchange: Exchange, auditId: string, received: number, known: boolean): AuditRecord | undefined {
    const user = known ? exchange.user : undefined;
    const rule = this.#options.policy.rules.find((one) => ruleFits(one, exchange.info, user));
    const level = rule?.level ?? 'None';
    this.#levels.add({ level });
    if (!rule || level === 'None') return undefined;
    return new AuditRecord(this.#dependencies, { ...rule, level }, { exchange, auditId, received, known });
  }
}

/** What calls of deprecated versions are marked with, when they were allowed. */
function deprecations(exchange: Exchange, { apiDomain }: Dialect, registry: ResourceRegistry): Record<string, string> {
  const deprecation = endpointOf(exchange.info, registry)?.version.deprecation;
  if (!deprecation || exchange.audit.get(`authorization.${apiDomain}/decision`) !== 'allow') return {};
  return {
    [`${apiDomain}/deprecated`]: 'true',
    ...(deprecation.removedRelease ? { [`${apiDomain}/removed-release`]: deprecation.removedRelease } : {}),
  };
}
