import type { JsonObject } from '../../api/json.ts';
import type { StatusDetails } from '../../api/status.ts';
import { stringify } from '../../codecs/jsonText.ts';
import type { AuditLevel, AuditStage } from '../../contracts/auditOptions.ts';

/** One line of the audit log: a request at one moment of its life. */
export interface AuditEvent {
  /** `audit.k8s.io/v1` */
  readonly apiVersion: string;
  readonly level: AuditLevel;
  readonly auditID: string;
  readonly stage: AuditStage;
  /** Path and query as sent. */
  readonly requestURI: string;
  readonly verb: string;
  /** Who was authenticated; empty where nobody was. */
  readonly user: JsonObject;
  /** Whom the request acted as, where that is somebody else. */
  readonly impersonatedUser?: JsonObject | undefined;
  readonly authenticationMetadata?: AuthenticationMetadata | undefined;
  readonly sourceIPs: readonly string[];
  readonly userAgent?: string | undefined;
  readonly objectRef?: ObjectReference | undefined;
  readonly responseStatus?: AuditStatus | undefined;
  /** JSON text; level Request and above. */
  readonly requestObject?: string | undefined;
  /** JSON text; level RequestResponse. */
  readonly responseObject?: string | undefined;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations: Readonly<Record<string, string>>;
}
/** How a request came by its user, beside what the users themselves tell. */
export interface AuthenticationMetadata {
  /** The verb that allowed to act as the impersonated user, `impersonate:user-info`. */
  readonly impersonationConstraint: string;
}
/** What a request is about; what is empty is left out. */
export interface ObjectReference {
  readonly resource?: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly apiGroup?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string | undefined;
  readonly subresource?: string;
}
/** The Status that was answered, or of other answers the code. */
export interface AuditStatus {
  readonly metadata: Readonly<Record<string, never>>;
  readonly status?: string;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly details?: StatusDetails | undefined;
  readonly code?: number | undefined;
}

/** The event as one line of JSON, members in the order of the real service. */
export function eventText(event: AuditEvent): string {
  const { apiVersion, requestObject, responseObject, requestReceivedTimestamp, stageTimestamp, ...lead } = event;
  const { annotations, ...first } = lead;
  const sorted = Object.keys(annotations).sort();
  const last = {
    requestReceivedTimestamp,
    stageTimestamp,
    annotations: sorted.length > 0 ? Object.fromEntries(sorted.map((key) => [key, annotations[key]])) : undefined,
  };
  // Objects come as text: they may be large, and nothing has to be known of them.
  return [
    stringify({ kind: 'Event', apiVersion, ...first } as unknown as JsonObject).slice(0, -1),
    requestObject === undefined ? '' : `,"requestObject":${requestObject}`,
    responseObject === undefined ? '' : `,"responseObject":${responseObject}`,
    `,${stringify(last as unknown as JsonObject).slice(1)}`,
  ].join('');
}
