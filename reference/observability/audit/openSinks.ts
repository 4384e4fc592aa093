import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import type { AuditDelivery, AuditOptions } from '../../contracts/auditOptions.ts';
import type { Clock } from '../../time.ts';
import { BatchingSink } from './batching.ts';
import { openLog } from './logSink.ts';
import { type AuditSink, everywhere } from './sink.ts';
import { truncating } from './truncation.ts';
import { WebhookSink } from './webhookSink.ts';

/** Everywhere that the options send events to; undefined where none are recorded. Throws what opening the log throws. */
export function openSinks({ policy, log, webhook }: AuditOptions, clock: Clock, dialect: Dialect) {
  if (!policy) return undefined;
  const group = groupName(dialect, 'audit');
  const sinks: AuditSink[] = [];
  if (log) sinks.push(delivered(openLog(log, clock), log, clock, group));
  if (webhook) sinks.push(delivered(new WebhookSink(webhook, clock, `${group}/v1`), webhook, clock, group));
  if (sinks.length === 0) return undefined;
  return { policy, sink: everywhere(sinks), strict: [log, webhook].some((one) => one?.mode === 'blocking-strict') };
}

function delivered(
  sink: AuditSink,
  { mode, batch, truncation }: AuditDelivery,
  clock: Clock,
  group: string,
): AuditSink {
  const fitted = truncation ? truncating(sink, truncation, `${group}/truncated`) : sink;
  return mode === 'batch' ? new BatchingSink(fitted, batch, clock) : fitted;
}
