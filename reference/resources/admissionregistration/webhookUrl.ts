/** A URL taken apart as far as rules look at it. */
export interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  /** Name and password as given; undefined when there is no `@`. */
  readonly user: string | undefined;
  readonly query: string;
  readonly fragment: string;
}

/** Text that is no URL. The message is the one that clients of the service know. */
export class UrlError extends Error {
  constructor(url: string, why: string) {
    super(`parse ${JSON.stringify(url)}: ${why}`);
    this.name = 'UrlError';
  }
}

/**
 * Takes a URL apart, without resolving or normalising anything.
 * @throws UrlError
 */
export function splitUrl(url: string): UrlParts {
  const fail = (why: string): UrlError => new UrlError(url, why);
  if (hasControl(url)) throw fail('net/url: invalid control character in URL');
  const hash = url.indexOf('#');
  const fragment = hash < 0 ? '' : resolve(url.slice(hash + 1), fail);
  let rest = hash < 0 ? url : url.slice(0, hash);
  const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*(?=:)/.exec(rest)?.[0];
  if (scheme !== undefined) rest = rest.slice(scheme.length + 1);
  else if (rest.startsWith(':')) throw fail('missing protocol scheme');
  const mark = rest.indexOf('?');
  const query = mark < 0 ? '' : rest.slice(mark + 1);
  if (mark >= 0) rest = rest.slice(0, mark);
  if (scheme === undefined && rest.split('/')[0]?.includes(':')) {
    throw fail('first path segment in URL cannot contain colon');
  }
  let authority = '';
  if (rest.startsWith('//')) {
    const end = rest.indexOf('/', 2);
    authority = end < 0 ? rest.slice(2) : rest.slice(2, end);
    rest = end < 0 ? '' : rest.slice(end);
  }
  const { user, host } = splitAuthority(authority, fail);
  // Without a slash what follows the scheme is no path.
  if (scheme === undefined || rest.startsWith('/') || rest === '') resolve(rest, fail);
  return { scheme: (scheme ?? '').toLowerCase(), host, user, query, fragment };
}

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

type Fail = (why: string) => UrlError;

function splitAuthority(authority: string, fail: Fail): { user: string | undefined; host: string } {
  const at = authority.lastIndexOf('@');
  const host = checkHost(authority.slice(at + 1), fail);
  if (at < 0) return { user: undefined, host };
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw fail('net/url: invalid userinfo');
  resolve(user, fail);
  return { user, host };
}

function checkHost(host: string, fail: Fail): string {
  let port = '';
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    if (end < 0) throw fail("missing ']' in host");
    port = host.slice(end + 1);
  } else {
    const colon = host.lastIndexOf(':');
    if (colon >= 0) port = host.slice(colon);
  }
  if (port !== '' && !/^:[0-9]*$/.test(port)) throw fail(`invalid port ${JSON.stringify(port)} after host`);
  const strange = /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\uffff]/.exec(host)?.[0];
  if (strange !== undefined) throw fail(`invalid character ${JSON.stringify(strange)} in host name`);
  const wrong = /%(?![89A-Fa-f][0-9A-Fa-f])(.{0,2})/.exec(host);
  if (wrong) throw fail(`invalid URL escape ${JSON.stringify(wrong[0])}`);
  return host;
}

/** Resolves percent signs; each must stand before two hexadecimal digits. */
function resolve(text: string, fail: Fail): string {
  const bad = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(text)?.[0];
  if (bad !== undefined) throw fail(`invalid URL escape ${JSON.stringify(bad)}`);
  return text.includes('%')
    ? Buffer.from(
        text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      ).toString('utf8')
    : text;
}
