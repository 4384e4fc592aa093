import type { AuditLogOptions } from '../../contracts/auditOptions.ts';
import { LogFile } from '../../ports/logFile.ts';
import type { Clock } from '../../time.ts';
import { eventText } from './auditEvent.ts';
import { legacyLine } from './legacyLine.ts';
import type { AuditSink } from './sink.ts';

/**
 * The audit log that the options name: one event a line, written before the call returns.
 *
 * @throws Error with one sentence when it cannot be opened
 */
export function openLog({ path, format, rotation }: AuditLogOptions, clock: Clock): AuditSink {
  const lineOf = format === 'json' ? eventText : legacyLine;
  const out = path === '-' ? STANDARD_OUTPUT : open(path, rotation, clock);
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

const STANDARD_OUTPUT = { write: (text: string) => void process.stdout.write(text), close: () => undefined };

function open(path: string, rotation: AuditLogOptions['rotation'], clock: Clock): LogFile {
  try {
    return new LogFile(path, rotation, clock);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Error(`--audit-log-path: ${path} cannot be opened for writing (${code})`);
  }
}
