import type { Awaitable } from '../reference/api/awaitable.ts';
import type { User } from '../reference/api/identity.ts';
import { isObject, type JsonObject } from '../reference/api/json.ts';
import type { IncomingRequest } from '../reference/api/request.ts';
import { authenticatedUser } from '../reference/authentication/union.ts';
import type { Authenticated, Rejection } from '../reference/contracts/authenticator.ts';
import type { AuthenticationOptions, JwtOptions, ServerOptions } from '../reference/contracts/serverOptions.ts';
import type { Seams } from '../reference/seams.ts';
import type { Defect, Start } from './mutant.ts';

type Answer = Authenticated | Rejection | undefined;

/** Answers something else of who a request comes from. */
export function onIdentity(change: (answer: Answer, request: IncomingRequest) => Awaitable<Answer>): Seams {
  return {
    authenticator: (inner) => ({
      name: inner.name,
      authenticate: async (request) => change(await inner.authenticate(request), request),
    }),
  };
}
/** Makes something else of the user of a request, anonymous ones among them. */
export function onUser(change: (user: User, request: IncomingRequest) => User): Seams {
  return onIdentity((answer, request) =>
    answer && 'user' in answer ? { ...answer, user: change(answer.user, request) } : answer,
  );
}
/** Lets requests in that were refused: the user for a refused request, or `undefined` where it stays refused. */
export function onRefusal(user: (request: IncomingRequest) => Awaitable<User | undefined>): Seams {
  return onIdentity(async (answer, request) => {
    if (!answer || 'user' in answer) return answer;
    const found = await user(request);
    return found ? { user: authenticatedUser(found) } : answer;
  });
}
/** A token or certificate that was taken once is taken for ever. */
export function rememberingFor(remembered: (answer: Authenticated, request: IncomingRequest) => boolean): Seams {
  const taken = new Map<string, Authenticated>();
  return onIdentity((answer, request) => {
    const token = tokenOf(request);
    if (answer && 'user' in answer) {
      if (token !== '' && remembered(answer, request)) taken.set(token, answer);
      return answer;
    }
    return taken.get(token) ?? answer;
  });
}

/** Nobody in particular who is called so. */
export const called = (username: string, groups: readonly string[] = []): User => ({
  username,
  uid: '',
  groups,
  extra: {},
});

/** The bearer token of a request; empty without one. */
export function tokenOf({ headers }: IncomingRequest): string {
  return /^Bearer (\S+)$/i.exec(String(headers.authorization ?? ''))?.[1] ?? '';
}
/** Part of the JWT that a request shows, read without any proof; empty where it shows none. */
export function jwtPart(request: IncomingRequest, part: 0 | 1): JsonObject {
  try {
    const value: unknown = JSON.parse(Buffer.from(tokenOf(request).split('.')[part] ?? '', 'base64url').toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
export const claimsOf = (request: IncomingRequest): JsonObject => jwtPart(request, 1);

/** Starts with other options of authentication than the flags and files say. */
export function onOptions(change: (options: AuthenticationOptions) => AuthenticationOptions): Start {
  return { options: (options: ServerOptions) => ({ ...options, authentication: change(options.authentication) }) };
}
/** Starts with other authenticators of ID tokens, and takes up no others later. */
export function onIssuers(change: (jwt: JwtOptions, all: readonly JwtOptions[]) => JwtOptions): Start {
  return onOptions((options) => ({ ...options, jwt: options.jwt.map((one) => change(one, options.jwt)) }));
}
/** Reads configuration files of authentication as if their content were another. */
/** Whether tokens of an issuer are taken. */
export const isAmong = (configured: readonly JwtOptions[], issuer: unknown): boolean =>
  configured.some(({ issuer: { url } }) => url === issuer);

/** Alters a server that knows the issuers which it was started with. */
export function withIssuers(seams: (configured: readonly JwtOptions[]) => Seams): Defect {
  const configured: JwtOptions[] = [];
  const start = onIssuers((jwt) => {
    configured.push(jwt);
    return jwt;
  });
  return { start, ...seams(configured) };
}

export function onAuthenticationFile(change: (config: JsonObject) => JsonObject): Start {
  return {
    files: (files) => ({
      read: (path) => {
        const text = files.read(path);
        return text.includes('apiserver.config') && text.trimStart().startsWith('{')
          ? JSON.stringify(change(JSON.parse(text)))
          : text;
      },
    }),
  };
}
/** As {@link onAuthenticationFile}, each authenticator by itself. */
export function onAuthenticators(change: (authenticator: JsonObject) => void): Start {
  return onAuthenticationFile((config) => {
    for (const one of authenticatorsIn(config)) change(one);
    return config;
  });
}
export function authenticatorsIn(config: JsonObject): JsonObject[] {
  return (Array.isArray(config.jwt) ? config.jwt : []).filter(isObject);
}
/** A member that is an object; an empty one where it is none. */
export function part(of: JsonObject, name: string): JsonObject {
  const value = of[name];
  return isObject(value) ? value : {};
}
