import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import type { AuditDelivery, AuditLogOptions, AuditOptions } from '../../contracts/auditOptions.ts';
import { LogFile, STANDARD_OUTPUT } from '../../ports/logFile.ts';
import type { Clock } from '../../time.ts';
import type { AuditEvent } from './auditEvent.ts';
import { eventText } from './auditEvent.ts';
import { BatchingSink } from './batching.ts';
import { type AuditSink, everywhere } from './sink.ts';
import { truncating } from './truncation.ts';
import { WebhookSink } from './webhookSink.ts';

const quoted = (value: string): string => JSON.stringify(value);
const list = (values: readonly string[]): string => values.map(quoted).join(',');
const nameOf = (user: JsonObject): string => (typeof user.username === 'string' ? user.username : '');
const groupsOf = (user: JsonObject): readonly string[] => (Array.isArray(user.groups) ? (user.groups as string[]) : []);

/** An event in the older form of the log: a line of `name="value"` pairs, without objects and annotations. */
function legacyLine(event: AuditEvent): string {
  const { user, impersonatedUser, objectRef, responseStatus } = event;
  const groups = groupsOf(user);
  const acting = isObject(impersonatedUser) ? impersonatedUser : undefined;
  const actingGroups = acting ? groupsOf(acting) : [];
  const pairs: readonly [string, string][] = [
    ['id', event.auditID],
    ['stage', event.stage],
    ['ip', event.sourceIPs[0] ?? '<unknown>'],
    ['method', event.verb],
    ['user', nameOf(user) || '<none>'],
    ['groups', nameOf(user) !== '' && groups.length > 0 ? list(groups) : '<none>'],
    ['as', acting ? nameOf(acting) : '<self>'],
    ['asgroups', actingGroups.length > 0 ? list(actingGroups) : '<lookup>'],
    ['user-agent', event.userAgent ?? ''],
    ['namespace', objectRef?.namespace ?? '<none>'],
    ['uri', event.requestURI],
    ['response', responseStatus ? String(responseStatus.code ?? 0) : '<deferred>'],
  ];
  return `${event.requestReceivedTimestamp} AUDIT: ${pairs.map(([name, value]) => `${name}=${quoted(value)}`).join(' ')}`;
}

/**
 * The audit log that the options name: one event a line, written before the call returns.
 *
 * @throws Error with one sentence when it cannot be opened
 */
function openLog({ path, format, rotation }: AuditLogOptions, clock: Clock, fork: number): AuditSink {
  const lineOf = format === 'json' ? eventText : legacyLine;
  const out =
    path === '-'
      ? STANDARD_OUTPUT
      : fork === 0
        ? open(path, rotation, clock)
        : new LogOfFork(path, fork, rotation, clock);
  return {
    take(events) {
      try {
        out.write(events.map((event) => `${lineOf(event)}\n`).join(''));
        return true;
      } catch {
        return false;
      }
    },
    async close() {
      out.close();
    },
  };
}

/** `audit.fork-2.log` beside `audit.log`: what a fork is asked, in a file that is there when it was asked something. */
class LogOfFork {
  readonly #open: () => LogFile;
  #log: LogFile | undefined;

  constructor(path: string, fork: number, rotation: AuditLogOptions['rotation'], clock: Clock) {
    const own = path.replace(/(\.[^./\\]*)?$/, `.fork-${fork}$1`);
    this.#open = () => open(own, rotation, clock);
  }
  write(text: string): void {
    this.#log ??= this.#open();
    this.#log.write(text);
  }
  close(): void {
    this.#log?.close();
  }
}

function open(path: string, rotation: AuditLogOptions['rotation'], clock: Clock): LogFile {
  try {
    return new LogFile(path, rotation, clock);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Error(`--audit-log-path: ${path} cannot be opened for writing (${code})`);
  }
}

/**
 * Everywhere that the options send events to; undefined where none are recorded. Throws what opening the log throws.
 * @param fork which fork it is for, that has a log of its own; 0: none
 */
export function openSinks({ policy, log, webhook }: AuditOptions, clock: Clock, dialect: Dialect, fork = 0) {
  if (!policy) return undefined;
  const group = groupName(dialect, 'audit');
  const sinks: AuditSink[] = [];
  if (log) sinks.push(delivered(openLog(log, clock, fork), log, clock, group));
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
