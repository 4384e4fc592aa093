import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import type { User } from '../api/identity.ts';
import type { IncomingRequest } from '../api/request.ts';
import { type ApiError, internalError } from '../api/status.ts';
import type { Authorizer, ResourceAttributes, Verdict } from '../authorization/authorizer.ts';
import { internalErrorText } from '../authorization/refusal.ts';

const EXTRA_PREFIX = 'impersonate-extra-';
const ACCOUNT =
  /^system:serviceaccount:([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?):([a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?)$/;

/** What impersonation works with. */
export interface ImpersonationRooms {
  readonly authorizer: Authorizer;
  readonly dialect: Dialect;
  /** The refusal of a request that the authorizer did not allow. */
  readonly refusal: (asked: ResourceAttributes, verdict: Verdict) => ApiError;
}

/**
 * The user that a request acts as (2/authorization/p2): the authenticated one, or the one that its Impersonate-
 * headers describe. Each name, group, uid and extra value taken on is authorized by itself with the verb `impersonate`.
 *
 * @throws ApiError 403 when one of them is not allowed, 500 when headers stand there without Impersonate-User
 */
export async function impersonate(request: IncomingRequest, user: User, rooms: ImpersonationRooms): Promise<User> {
  const wanted = readHeaders(request);
  if (!wanted) return user;
  for (const asked of permissions(wanted, user, rooms.dialect)) {
    const verdict = await rooms.authorizer.authorize(asked);
    if (verdict.decision !== 'allow') throw rooms.refusal(asked, verdict);
  }
  return wanted.user;
}

/** True when a request carries any header of impersonation: others skip all of this. */
export function impersonates(request: IncomingRequest): boolean {
  for (const name in request.headers) if (name.startsWith('impersonate-')) return true;
  return false;
}

/** The values of a header, one a line. */
function values(request: IncomingRequest, name: string): readonly string[] {
  if (request.headerLines) return request.headerLines(name);
  const header = request.headers[name];
  return header === undefined ? [] : [header].flat();
}

/** Who is to be acted as, and the groups that the request itself names. */
interface Taken {
  readonly user: User;
  readonly groups: readonly string[];
}

function readHeaders(request: IncomingRequest): Taken | undefined {
  const { headers } = request;
  const username = values(request, 'impersonate-user')[0] ?? '';
  const uid = values(request, 'impersonate-uid')[0] ?? '';
  const groups = values(request, 'impersonate-group');
  const extra: Record<string, string[]> = {};
  for (const name of Object.keys(headers).sort()) {
    if (!name.startsWith(EXTRA_PREFIX)) continue;
    const key = decoded(name.slice(EXTRA_PREFIX.length)).toLowerCase();
    const before = Object.hasOwn(extra, key) ? (extra[key] as string[]) : [];
    Object.defineProperty(extra, key, {
      value: [...before, ...values(request, name)],
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  if (username === '') {
    if (uid !== '' || groups.length > 0 || Object.keys(extra).length > 0) {
      const others = [...groups, ...(uid === '' ? [] : [uid]), ...Object.values(extra).flat()];
      const why = `requested [${others.join(' ')}] without impersonating a user`;
      const failure = internalError(why);
      failure.plainText = internalErrorText(request.target, why);
      throw failure;
    }
    return undefined;
  }
  return { user: { username, uid, groups: groupsOf(username, groups), extra }, groups };
}

/** A percent-encoded name, or the name as it stands when it is not well encoded. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Groups given, else those of a service account; every user but the anonymous one is authenticated. */
function groupsOf(username: string, given: readonly string[]): string[] {
  if (username === 'system:anonymous') {
    return given.includes('system:unauthenticated') ? [...given] : [...given, 'system:unauthenticated'];
  }
  const account = ACCOUNT.exec(username);
  const groups =
    given.length === 0 && account ? ['system:serviceaccounts', `system:serviceaccounts:${account[1]}`] : [...given];
  return groups.includes('system:authenticated') || groups.includes('system:unauthenticated')
    ? groups
    : [...groups, 'system:authenticated'];
}

/** One permission for each thing taken on. */
function* permissions(wanted: Taken, user: User, dialect: Dialect): Generator<ResourceAttributes> {
  const asked = (resource: string, name: string, more: Partial<ResourceAttributes> = {}): ResourceAttributes => ({
    isResource: true,
    user,
    verb: 'impersonate',
    group: '',
    version: 'v1',
    resource,
    subresource: '',
    namespace: '',
    name,
    ...more,
  });
  const account = ACCOUNT.exec(wanted.user.username);
  if (account) yield asked('serviceaccounts', account[2] as string, { namespace: account[1] as string });
  else yield asked('users', wanted.user.username);
  for (const group of wanted.groups) yield asked('groups', group);
  const group = groupName(dialect, 'authentication');
  for (const [key, list] of Object.entries(wanted.user.extra)) {
    for (const value of list) yield asked('userextras', value, { group, subresource: key });
  }
  if (wanted.user.uid !== '') yield asked('uids', wanted.user.uid, { group });
}
