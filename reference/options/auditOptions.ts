import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import type { AuditDelivery, AuditOptions, AuditPolicy } from '../contracts/auditOptions.ts';
import { type Files, readIn } from '../ports/files.ts';
import { readAuditPolicy } from './auditPolicy.ts';
import { readClientConfig } from './clientConfig.ts';
import type { Diagnostics } from './diagnostics.ts';
import type { FlagValues } from './flagTable.ts';

const MEBIBYTE = 1024 * 1024;
const DAY = 86_400_000;

/** Reads the audit flags and the files that they name; what is wrong with them goes to `found`. */
export function readAudit(flags: FlagValues, dialect: Dialect, files: Files, found: Diagnostics): AuditOptions {
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
  return readIn(files, path, (text) => readAuditPolicy(text, dialect));
}

function readDelivery(
  prefix: 'audit-log' | 'audit-webhook',
  flags: FlagValues,
  dialect: Dialect,
  found: Diagnostics,
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
