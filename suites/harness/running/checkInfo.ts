import type { Annotation } from '../../../reports/annotations.ts';

/** What a check hands to whoever reports of it: bytes, or a file. */
export interface Attachment {
  readonly name: string;
  readonly contentType: string;
  readonly body?: Buffer;
  readonly path?: string;
}

/** What a fixture or a body is told of the check that runs. */
export interface CheckInfo {
  /** As `keyOf` tells it. */
  readonly key: string;
  readonly title: string;
  readonly annotations: readonly Annotation[];
  /** Another number for each time that it may be begun: what it made the time before may still be on its way out. */
  readonly attempt: number;
  readonly attachments: Attachment[];
  /** Asks for so many milliseconds, in place of those that checks have. */
  setTimeout(milliseconds: number): void;
}
