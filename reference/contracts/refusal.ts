import { departs, type Follow } from '../../fixtures/follow.ts';
import { type ApiError, internalError } from '../api/status.ts';
import type { Attributes, AuthorizationResult } from './authorizer.ts';
import { forbiddenAttributes } from './forbidden.ts';

/**
 * What a request is answered that the chain did not allow (2/errors/t1.2): 403; where the real service is followed,
 * 500 if an authorizer could not be asked.
 *
 * @param target path and query as sent, for the text of the 500
 */
export function refusal(asked: Attributes, verdict: AuthorizationResult, follow: Follow, target = ''): ApiError {
  if (verdict.error !== undefined && departs(follow, 'authorization-webhook-failure')) {
    const failure = internalError(verdict.error);
    failure.plainText = internalErrorText(target, verdict.error);
    return failure;
  }
  return forbiddenAttributes(asked, verdict.reason);
}

const UNSAFE: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** What the service writes when a stage before the verbs breaks: plain text with the path asked. */
export function internalErrorText(target: string, why: string): string {
  const text = `Internal Server Error: ${JSON.stringify(target)}: ${why}`;
  return `${text.replace(/[&<>]/g, (sign) => UNSAFE[sign] as string)}\n`;
}
