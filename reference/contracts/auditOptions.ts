import type { Rotation } from '../ports/logFile.ts';
import type { RemoteService } from './remoteService.ts';
/** How fully a request is logged, the least first. */
export const AUDIT_LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;

export type AuditLevel = (typeof AUDIT_LEVELS)[number];

/** The moments in the life of a request at which an event may be written. */
export const AUDIT_STAGES = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;

export type AuditStage = (typeof AUDIT_STAGES)[number];

/** The first rule that fits a request decides; empty lists fit everything. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly namespaces: readonly string[];
  /** Paths, perhaps with a star at the end; a rule with paths fits no resource request. */
  readonly nonResourceURLs: readonly string[];
  readonly resources: readonly AuditResources[];
  /** Those of the policy included. */
  readonly omitStages: readonly string[];
  /** Objects are logged without their records of field ownership. */
  readonly omitManagedFields: boolean;
}

export interface AuditResources {
  readonly group: string;
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

export interface AuditPolicy {
  /** In the order asked; a request that none fits is not logged. */
  readonly rules: readonly AuditRule[];
  /** Fields that the form does not know: they are passed over, as the real service does, and told. */
  readonly unknown: readonly string[];
}

/** What is logged of requests, and where to. */
export interface AuditOptions {
  /** Undefined: nothing is logged. */
  readonly policy: AuditPolicy | undefined;
  readonly log: AuditLogOptions | undefined;
  readonly webhook: AuditWebhookOptions | undefined;
}

export interface AuditLogOptions extends AuditDelivery {
  /** `-` is standard output. */
  readonly path: string;
  readonly format: 'json' | 'legacy';
  readonly rotation: Rotation;
}

export interface AuditWebhookOptions extends AuditDelivery {
  readonly remote: RemoteService;
  /** Milliseconds before a batch that failed is sent again; longer each time. */
  readonly backoff: number;
}

export interface AuditDelivery {
  /** `blocking`: a request waits for its events; `blocking-strict`: it fails with them; else see `batch`. */
  readonly mode: 'batch' | 'blocking' | 'blocking-strict';
  readonly batch: AuditBatching;
  /** Undefined: events of any size are written. */
  readonly truncation: { readonly maxEventBytes: number; readonly maxBatchBytes: number } | undefined;
}

export interface AuditBatching {
  /** Events that may wait; more are lost. */
  readonly bufferSize: number;
  readonly maxSize: number;
  /** Milliseconds; 0: no wait. */
  readonly maxWait: number;
  readonly throttle: { readonly qps: number; readonly burst: number } | undefined;
}
