import type { Awaitable } from '../../api/awaitable.ts';
import type { AuditEvent } from './auditEvent.ts';

/** Where audit events go. */
export interface AuditSink {
  /** Takes events in order. False when any of them could not be kept; never throws, never rejects. */
  take(events: readonly AuditEvent[]): Awaitable<boolean>;
  /** The server is about to end: what failed is not tried again. */
  hurry?(): void;
  /** Resolves when everything taken is written. */
  close(): Promise<void>;
}

/** Several places at once; an event is kept when all of them keep it. */
export function everywhere(sinks: readonly AuditSink[]): AuditSink {
  if (sinks.length === 1) return sinks[0] as AuditSink;
  return {
    take(events) {
      const answers = sinks.map((sink) => sink.take(events));
      if (answers.every((answer) => typeof answer === 'boolean')) return answers.every((kept) => kept === true);
      return Promise.all(answers).then((kept) => kept.every((one) => one));
    },
    hurry() {
      for (const sink of sinks) sink.hurry?.();
    },
    async close() {
      await Promise.all(sinks.map((sink) => sink.close()));
    },
  };
}
