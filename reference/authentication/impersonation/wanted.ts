import type { User } from '../../api/identity.ts';
import type { IncomingRequest } from '../../api/request.ts';

const EXTRA_PREFIX = 'impersonate-extra-';

/** The values of a header, one a line. */
function values(request: IncomingRequest, name: string): readonly string[] {
  if (request.headerLines) return request.headerLines(name);
  const header = request.headers[name];
  return header === undefined ? [] : [header].flat();
}

/** Whom the headers describe, with nothing added: an empty user name stands for none. */
export function readWanted(request: IncomingRequest): User {
  const extra: Record<string, string[]> = {};
  for (const name of Object.keys(request.headers).sort()) {
    if (!name.startsWith(EXTRA_PREFIX)) continue;
    const key = decoded(name.slice(EXTRA_PREFIX.length)).toLowerCase();
    if (!Object.hasOwn(extra, key)) {
      Object.defineProperty(extra, key, { value: [], enumerable: true, configurable: true, writable: true });
    }
    for (const value of values(request, name)) (extra[key] as string[]).push(value);
  }
  return {
    username: values(request, 'impersonate-user')[0] ?? '',
    uid: values(request, 'impersonate-uid')[0] ?? '',
    groups: values(request, 'impersonate-group'),
    extra,
  };
}

/** A percent-encoded name, or the name as it stands when it is not well encoded. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Whether more is wanted than a user name. */
export function wantsMore({ uid, groups, extra }: User): boolean {
  return uid !== '' || groups.length > 0 || Object.keys(extra).length > 0;
}
