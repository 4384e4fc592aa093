import { type ApiError, forbidden } from '../api/status.ts';
import type { Attributes } from './authorizer.ts';

const UNSAFE: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * The 403 of a request that no authorizer allowed (2/authorization/2).
 *
 * @param reason what the authorizers said; may be empty
 */
export function forbiddenAttributes(asked: Attributes, reason: string): ApiError {
  const said = sentence(asked).replace(/[&<>]/g, (sign) => UNSAFE[sign] as string);
  const resource = asked.isResource ? asked : { group: '', resource: '' };
  return forbidden(resource, asked.isResource ? asked.name : '', reason ? `${said}: ${reason}` : said);
}

function sentence(asked: Attributes): string {
  const who = `User ${JSON.stringify(asked.user.username)} cannot ${asked.verb}`;
  if (!asked.isResource) return `${who} path ${JSON.stringify(asked.path)}`;
  const resource = asked.subresource ? `${asked.resource}/${asked.subresource}` : asked.resource;
  const where = asked.namespace ? `in the namespace ${JSON.stringify(asked.namespace)}` : 'at the cluster scope';
  return `${who} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(asked.group)} ${where}`;
}
