import type { FieldError } from './fieldError.ts';
import { formatGroupKind, formatGroupResource, type GroupKind, type GroupResource } from './groupVersion.ts';

/** Machine-readable reasons of a failed request; the empty one stands for an unknown reason and is not written. */
export type StatusReason =
  | ''
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Invalid'
  | 'ServerTimeout'
  | 'Timeout'
  | 'TooManyRequests'
  | 'BadRequest'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'InternalError'
  | 'Expired'
  | 'ServiceUnavailable'
  | 'StoreReadError';

export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}
/** The body of an answer that is not an object (1/other-shapes/2). */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: { continue?: string; resourceVersion?: string; remainingItemCount?: number };
  status: 'Success' | 'Failure';
  message?: string;
  reason?: Exclude<StatusReason, ''>;
  details?: StatusDetails;
  code?: number;
}

/** A refusal on its way to the client: every stage throws these, and the transport writes the Status. */
export class ApiError extends Error {
  readonly code: number;
  readonly reason: StatusReason;
  readonly details: StatusDetails | undefined;
  /** The body as plain text, for the few refusals that are no Status on the wire. */
  plainText?: string;
  /** Methods that the path does take: the Allow header that HTTP asks for beside a 405. */
  allowedMethods?: readonly string[];
  /** Only set for an expired continue token: the token with which an inconsistent list may go on. */
  readonly continueToken: string | undefined;

  constructor(code: number, reason: StatusReason, message: string, details?: StatusDetails, continueToken?: string) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.continueToken = continueToken;
  }

  toStatus(): Status {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.continueToken ? { continue: this.continueToken } : {},
      status: 'Failure',
      message: this.message,
      ...(this.reason ? { reason: this.reason } : {}),
      ...(this.details ? { details: this.details } : {}),
      code: this.code,
    };
  }
}

/**
 * A patch or a configuration that does not fit the type it is about. The service answers 500, as this does by itself;
 * who knows whom the server follows may make it 422.
 */
export class UnfitPatch extends ApiError {
  constructor(message: string) {
    super(500, '', message);
  }
}

/** Details that name a resource type and an object; empty parts are left out, as on the wire. */
function detailsOf(group: string, kind: string, name: string): StatusDetails {
  const details: StatusDetails = {};
  if (name) details.name = name;
  if (group) details.group = group;
  if (kind) details.kind = kind;
  return details;
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, 'BadRequest', message);
}
export function unauthorized(message = 'Unauthorized'): ApiError {
  return new ApiError(401, 'Unauthorized', message);
}
/** `why` is what the authorizer or the admission plugin says; `name` may be empty. */
export function forbidden(resource: GroupResource, name: string, why: string): ApiError {
  const subject = resource.resource
    ? name
      ? `${formatGroupResource(resource)} ${JSON.stringify(name)} is forbidden`
      : `${formatGroupResource(resource)} is forbidden`
    : 'forbidden';
  return new ApiError(403, 'Forbidden', `${subject}: ${why}`, detailsOf(resource.group, resource.resource, name));
}
export function notFound(resource: GroupResource, name: string): ApiError {
  return new ApiError(
    404,
    'NotFound',
    `${formatGroupResource(resource)} ${JSON.stringify(name)} not found`,
    detailsOf(resource.group, resource.resource, name),
  );
}
/** A path below a known group that leads nowhere. */
export function noSuchResource(): ApiError {
  return new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});
}
/** A method that the path does not take; `allowed` are those that it does. */
export function methodNotAllowed(allowed?: readonly string[]): ApiError {
  const sentence = 'the server does not allow this method on the requested resource';
  const error = new ApiError(405, 'MethodNotAllowed', sentence, {});
  if (allowed) error.allowedMethods = allowed;
  return error;
}
export function methodNotSupported(resource: GroupResource, action: string): ApiError {
  return new ApiError(
    405,
    'MethodNotAllowed',
    `${action} is not supported on resources of kind "${formatGroupResource(resource)}"`,
    detailsOf(resource.group, resource.resource, ''),
  );
}
export function notAcceptable(accepted: readonly string[]): ApiError {
  return new ApiError(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`);
}
export function alreadyExists(resource: GroupResource, name: string): ApiError {
  return new ApiError(
    409,
    'AlreadyExists',
    `${formatGroupResource(resource)} ${JSON.stringify(name)} already exists`,
    detailsOf(resource.group, resource.resource, name),
  );
}
export function conflict(resource: GroupResource, name: string, why: string): ApiError {
  return new ApiError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${formatGroupResource(resource)} ${JSON.stringify(name)}: ${why}`,
    detailsOf(resource.group, resource.resource, name),
  );
}
/** What a write meets when the object changed after it was read. */
export const STALE_VERSION =
  'the object has been modified; please apply your changes to the latest version and try again';

export function expired(message: string, continueToken?: string): ApiError {
  return new ApiError(410, 'Expired', message, undefined, continueToken);
}
export function tooLarge(message: string): ApiError {
  return new ApiError(413, 'RequestEntityTooLarge', message);
}
export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  return new ApiError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );
}
/** How many errors of an object one answer shows, and how many characters their messages may have together. */
const MAX_CAUSES = 1_000;
const MAX_CAUSE_CHARACTERS = 1024 * 1024;

/**
 * One cause an error, in the order found; the message joins the distinct ones. Errors beyond the bounds above are
 * counted in the message and not shown; the first always is.
 *
 * @param endedEarly whether there may be more errors than these
 */
export function invalidObject(
  kind: GroupKind,
  name: string,
  errors: readonly FieldError[],
  endedEarly = false,
): ApiError {
  const causes: StatusCause[] = [];
  const texts = new Set<string>();
  let characters = 0;
  for (const { reason, message, field } of errors) {
    characters += message.length + field.length;
    if (causes.length >= MAX_CAUSES || (characters > MAX_CAUSE_CHARACTERS && causes.length > 0)) break;
    causes.push({ reason, message, field });
    texts.add(`${field}: ${message}`);
  }
  if (endedEarly) texts.add('and many more');
  else if (causes.length < errors.length) texts.add(`and ${errors.length - causes.length} more`);
  const [first = ''] = texts;
  const summary = texts.size === 1 ? first : `[${[...texts].join(', ')}]`;
  return new ApiError(
    422,
    'Invalid',
    `${formatGroupKind(kind)} ${JSON.stringify(name)} is invalid${errors.length > 0 ? `: ${summary}` : ''}`,
    { ...detailsOf(kind.group, kind.kind, name), causes },
  );
}
export function internalError(message: string): ApiError {
  return new ApiError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
}
export function serviceUnavailable(message: string): ApiError {
  return new ApiError(503, 'ServiceUnavailable', message);
}
/** Nothing was done: there is too much to do now. */
export function tooManyRequests(): ApiError {
  const message = 'Too many requests, please try again later.';
  return new ApiError(429, 'TooManyRequests', message, { retryAfterSeconds: 1 });
}
export function timeout(message: string, retryAfterSeconds: number): ApiError {
  return new ApiError(504, 'Timeout', `Timeout: ${message}`, { retryAfterSeconds });
}
