import { type AuditEvent, eventText } from './auditEvent.ts';
import type { AuditSink } from './sink.ts';

export interface Truncation {
  readonly maxEventBytes: number;
  readonly maxBatchBytes: number;
}

/**
 * Takes the objects out of events that are larger than allowed, and marks them; leaves out what is still too large. Hands
 * on no more at once than a batch may hold.
 *
 * @param mark name of the annotation that tells of a shortened event
 */
export function truncating(sink: AuditSink, { maxEventBytes, maxBatchBytes }: Truncation, mark: string): AuditSink {
  const size = (event: AuditEvent) => Buffer.byteLength(eventText(event));

  /** The event as it may be kept with its bytes; undefined when nothing makes it small enough. */
  function fitted(event: AuditEvent): { readonly event: AuditEvent; readonly bytes: number } | undefined {
    const bytes = size(event);
    if (bytes <= maxEventBytes) return { event, bytes };
    const { requestObject: _, responseObject: __, ...rest } = event;
    const short: AuditEvent = { ...rest, annotations: { ...event.annotations, [mark]: 'true' } };
    const left = size(short);
    return left <= maxEventBytes ? { event: short, bytes: left } : undefined;
  }

  return {
    async take(events) {
      let kept = true;
      let batch: AuditEvent[] = [];
      let total = 0;
      const hand = async () => {
        if (batch.length > 0 && !(await sink.take(batch))) kept = false;
        batch = [];
        total = 0;
      };
      for (const one of events) {
        const fit = fitted(one);
        if (!fit) {
          kept = false;
          continue;
        }
        if (total + fit.bytes > maxBatchBytes) await hand();
        batch.push(fit.event);
        total += fit.bytes;
      }
      await hand();
      return kept;
    },
    hurry: () => sink.hurry?.(),
    close: () => sink.close(),
  };
}
