import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { type AuditPolicy, readAuditPolicy } from './auditPolicy.ts';
import { type RemoteService, readClientConfig } from './clientConfig.ts';
import type { Findings } from './collect.ts';
import { ContentFault, type Files } from './files.ts';
import type { FlagValues } from './flagTable.ts';

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
  readonly rotation: AuditRotation;
}
export interface AuditWebhookOptions extends AuditDelivery {
  readonly remote: RemoteService;
  /** Milliseconds before a batch that failed is sent again; longer each time. */
  readonly backoff: number;
}
/** When a log becomes an old one, and how long old ones are kept; 0 for no limit. */
export interface AuditRotation {
  readonly maxBytes: number;
  readonly maxBackups: number;
  /** Milliseconds. */
  readonly maxAge: number;
  readonly compress: boolean;
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

const MEBIBYTE = 1024 * 1024;
const DAY = 86_400_000;

/** Reads the audit flags and the files that they name; what is wrong with them goes to `found`. */
export function readAudit(flags: FlagValues, dialect: Dialect, files: Files, found: Findings): AuditOptions {
  const policyFile = flags['audit-policy-file'];
  const policy =
    policyFile === '' ? undefined : found.of('audit-policy-file', () => readPolicy(policyFile, dialect, files));
  for (const fault of policy?.unknown ?? []) found.notes.push(`--audit-policy-file: ${fault}; it is passed over`);
  const logPath = flags['audit-log-path'];
  const log =
    logPath === ''
      ? undefined
      : {
          path: logPath,
          format: flags['audit-log-format'],
          rotation: {
            maxBytes: (flags['audit-log-maxsize'] || 100) * MEBIBYTE,
            maxBackups: flags['audit-log-maxbackup'],
            maxAge: flags['audit-log-maxage'] * DAY,
            compress: flags['audit-log-compress'],
          },
          ...readDelivery('audit-log', flags, dialect, found),
        };
  const configFile = flags['audit-webhook-config-file'];
  const remote =
    configFile === '' ? undefined : found.of('audit-webhook-config-file', () => readClientConfig(configFile, files));
  const webhook = remote && {
    remote,
    backoff: flags['audit-webhook-initial-backoff'],
    ...readDelivery('audit-webhook', flags, dialect, found),
  };
  if ((log || webhook) && policyFile === '') {
    found.notes.push('no audit events are recorded: there is no --audit-policy-file to say which');
  }
  if (policy && !log && !webhook) {
    found.notes.push('no audit events are recorded: neither --audit-log-path nor --audit-webhook-config-file is given');
  }
  return { policy, log, webhook };
}

function readPolicy(path: string, dialect: Dialect, files: Files): AuditPolicy {
  const text = files.read(path);
  try {
    return readAuditPolicy(text, dialect);
  } catch (error) {
    if (error instanceof ContentFault) throw new ContentFault(`${path}: ${error.message}`);
    throw error;
  }
}

function readDelivery(
  prefix: 'audit-log' | 'audit-webhook',
  flags: FlagValues,
  dialect: Dialect,
  found: Findings,
): AuditDelivery {
  const version = flags[`${prefix}-version`];
  const known = `${groupName(dialect, 'audit')}/v1`;
  if (version !== '' && version !== known) found.error(`--${prefix}-version: ${version} is not ${known}`);
  const maxEventBytes = flags[`${prefix}-truncate-max-event-size`];
  const maxBatchBytes = flags[`${prefix}-truncate-max-batch-size`];
  const truncates = flags[`${prefix}-truncate-enabled`];
  if (truncates && maxBatchBytes < maxEventBytes) {
    found.error(`--${prefix}-truncate-max-batch-size must not be less than --${prefix}-truncate-max-event-size`);
  }
  const throttles = flags[`${prefix}-batch-throttle-enable`];
  const qps = flags[`${prefix}-batch-throttle-qps`];
  const burst = flags[`${prefix}-batch-throttle-burst`];
  const mode = flags[`${prefix}-mode`];
  if (mode === 'batch' && throttles) {
    if (qps <= 0) found.error(`--${prefix}-batch-throttle-qps must be more than 0`);
    if (burst <= 0) found.error(`--${prefix}-batch-throttle-burst must be more than 0`);
  }
  return {
    mode,
    batch: {
      bufferSize: flags[`${prefix}-batch-buffer-size`],
      maxSize: flags[`${prefix}-batch-max-size`],
      maxWait: flags[`${prefix}-batch-max-wait`],
      throttle: throttles ? { qps, burst } : undefined,
    },
    truncation: truncates ? { maxEventBytes, maxBatchBytes } : undefined,
  };
}
