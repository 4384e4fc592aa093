import { isObject, type JsonObject } from '../../api/json.ts';
import type { AuditEvent } from './auditEvent.ts';

const quoted = (value: string): string => JSON.stringify(value);
const list = (values: readonly string[]): string => values.map(quoted).join(',');
const nameOf = (user: JsonObject): string => (typeof user.username === 'string' ? user.username : '');
const groupsOf = (user: JsonObject): readonly string[] => (Array.isArray(user.groups) ? (user.groups as string[]) : []);

/** An event in the older form of the log: a line of `name="value"` pairs, without objects and annotations. */
export function legacyLine(event: AuditEvent): string {
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
