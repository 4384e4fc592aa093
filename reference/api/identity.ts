import { type JsonObject, setMember } from './json.ts';
/** Who a request comes from (2/identity-attributes/p1). Opaque to everything but authorizers. */
export interface User {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export const ANONYMOUS: User = {
  username: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
};

/** A user as the API writes it: without what is empty. */
export function userInfo(user: User): JsonObject {
  const info: JsonObject = {};
  if (user.username) info.username = user.username;
  if (user.uid) info.uid = user.uid;
  if (user.groups.length > 0) info.groups = [...user.groups];
  const extra: JsonObject = {};
  for (const [key, values] of Object.entries(user.extra)) setMember(extra, key, [...values]);
  if (Object.keys(extra).length > 0) info.extra = extra;
  return info;
}
