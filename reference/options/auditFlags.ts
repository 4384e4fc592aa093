import { bool, choice, decimal, duration, integer, text } from './flag.ts';

const MEBIBYTE = 1024 * 1024;
const MOST = Number.MAX_SAFE_INTEGER;
const MODES = ['batch', 'blocking', 'blocking-strict'] as const;

/** The flags of the audit log and the audit webhook, by the names and with the initial values of the real server. */
export const AUDIT_FLAGS = {
  'audit-policy-file': text('FILE', 'which requests are logged, and how fully; without it none is'),
  'audit-log-path': text('FILE', 'audit log, one event a line; - for standard output'),
  'audit-log-format': choice('how events stand in the log', ['json', 'legacy'], 'json'),
  'audit-log-version': text('GROUP/VERSION', 'version of the events in the log'),
  'audit-log-maxage': integer('days that old logs are kept; 0 for all', 0, 0, MOST),
  'audit-log-maxbackup': integer('old logs that are kept; 0 for all', 0, 0, MOST),
  'audit-log-maxsize': integer('megabytes after which a new log is begun; 0 for 100', 0, 0, MOST),
  'audit-log-compress': bool('compress old logs with gzip', false),
  'audit-log-mode': choice(
    'whether requests wait until their events are written; blocking-strict fails those whose cannot',
    MODES,
    'blocking',
  ),
  'audit-log-batch-buffer-size': integer('events that may wait to be written', 10_000, 1, MOST),
  'audit-log-batch-max-size': integer('events written at once', 1, 1, MOST),
  'audit-log-batch-max-wait': duration('time until events are written that fill no batch', 0),
  'audit-log-batch-throttle-enable': bool('write batches no faster than the next two flags say', false),
  'audit-log-batch-throttle-qps': decimal('batches a second', 0),
  'audit-log-batch-throttle-burst': integer('batches at once after a pause', 0, 0, MOST),
  'audit-log-truncate-enabled': bool('shorten events and batches that are too large', false),
  'audit-log-truncate-max-batch-size': integer('bytes of a batch', 10 * MEBIBYTE, 1, MOST),
  'audit-log-truncate-max-event-size': integer('bytes of an event', 100 * 1024, 1, MOST),

  'audit-webhook-config-file': text('FILE', 'client configuration of the service that events are sent to'),
  'audit-webhook-version': text('GROUP/VERSION', 'version of the events sent'),
  'audit-webhook-initial-backoff': duration('time before a failed batch is sent again', 10_000),
  'audit-webhook-mode': choice('the same as for the log', MODES, 'batch'),
  'audit-webhook-batch-buffer-size': integer('events that may wait to be sent', 10_000, 1, MOST),
  'audit-webhook-batch-max-size': integer('events sent at once', 400, 1, MOST),
  'audit-webhook-batch-max-wait': duration('time until events are sent that fill no batch', 30_000),
  'audit-webhook-batch-throttle-enable': bool('send batches no faster than the next two flags say', true),
  'audit-webhook-batch-throttle-qps': decimal('batches a second', 10),
  'audit-webhook-batch-throttle-burst': integer('batches at once after a pause', 15, 0, MOST),
  'audit-webhook-truncate-enabled': bool('shorten events and batches that are too large', false),
  'audit-webhook-truncate-max-batch-size': integer('bytes of a batch', 10 * MEBIBYTE, 1, MOST),
  'audit-webhook-truncate-max-event-size': integer('bytes of an event', 100 * 1024, 1, MOST),
};
