import { departs, type Follow } from '../../fixtures/follow.ts';
import type { User } from '../api/identity.ts';
import { type Json, type JsonObject, member } from '../api/json.ts';
import { ExpressionFault, subjectValue } from '../cel/claimExpressions.ts';
import type { JwtOptions, TokenValidationRule } from '../contracts/serverOptions.ts';

/** A claim that does not say what it must. The message names the claim or the expression, and never a value. */
export class ClaimFault extends Error {}

export interface MappingDependencies {
  readonly follow: Follow;
  /** Name of the extra that tells which credential the user came with. */
  readonly credentialKey: string;
}

/**
 * The user that verified claims make (2/authentication-configuration-file/t1.7 to t1.12), when every rule over the
 * claims and over that user holds.
 *
 * @throws ClaimFault
 */
export function userOf(claims: JsonObject, options: JwtOptions, dependencies: MappingDependencies): User {
  for (const { claim, value } of options.requiredClaims) {
    if (member(claims, claim) !== value) throw new ClaimFault(`claim ${claim} does not have the required value`);
  }
  try {
    const seen = lazily(() => subjectValue('claims', claims));
    checkRules(options.claimRules, seen);
    const user: User = {
      username: usernameOf(claims, options.username, seen, dependencies.follow),
      groups: groupsOf(claims, options.groups, seen, dependencies.follow),
      uid: uidOf(claims, options.uid, seen),
      extra: extraOf(claims, options.extra, seen, dependencies.credentialKey),
    };
    checkRules(
      options.userRules,
      lazily(() => subjectValue('user', described(user))),
    );
    return user;
  } catch (error) {
    if (error instanceof ExpressionFault) throw new ClaimFault(error.message);
    throw error;
  }
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function checkRules(rules: readonly TokenValidationRule[] = [], seen: () => unknown): void {
  for (const { expression, message } of rules) {
    if (expression.evaluate(seen()) !== true) {
      throw new ClaimFault(`validation expression '${expression.text}' failed: ${message}`);
    }
  }
}

function usernameOf(claims: JsonObject, source: JwtOptions['username'], seen: () => unknown, follow: Follow): string {
  if ('expression' in source) {
    const name = source.expression.evaluate(seen());
    if (typeof name !== 'string') throw new ClaimFault('the username expression does not come to a string');
    if (name === '') throw new ClaimFault('the user has no name');
    return name;
  }
  const { claim, prefix } = source;
  const value = member(claims, claim);
  if (typeof value !== 'string') throw new ClaimFault(`claim ${claim} is missing or no string`);
  // An address that the issuer does not vouch for is nobody's.
  const verified = claim === 'email' ? claims.email_verified : undefined;
  if (verified !== undefined && verified !== true) throw new ClaimFault('the email address is not verified');
  const username = `${prefix}${value}`;
  if (username === '' && !departs(follow, 'nameless-user-by-claim')) throw new ClaimFault('the user has no name');
  return username;
}

function uidOf(claims: JsonObject, source: JwtOptions['uid'], seen: () => unknown): string {
  if (!source) return '';
  const value = 'expression' in source ? source.expression.evaluate(seen()) : member(claims, source.claim);
  if (typeof value !== 'string') throw new ClaimFault('the claim or expression of the uid does not come to a string');
  return value;
}

function groupsOf(
  claims: JsonObject,
  source: JwtOptions['groups'],
  seen: () => unknown,
  follow: Follow,
): readonly string[] {
  if (!source) return [];
  if ('expression' in source) return stringsOf(source.expression.evaluate(seen()), 'groups');
  const value = member(claims, source.claim) as Json | undefined;
  if (value === undefined || value === null) return [];
  const list = typeof value === 'string' && departs(follow, 'oidc-groups-string') ? [value] : value;
  if (!Array.isArray(list) || !list.every((one) => typeof one === 'string')) {
    throw new ClaimFault(`claim ${source.claim} is no list of strings`);
  }
  return list.map((group) => `${source.prefix}${group}`);
}

function extraOf(
  claims: JsonObject,
  sources: JwtOptions['extra'] = [],
  seen: () => unknown,
  credentialKey: string,
): Readonly<Record<string, readonly string[]>> {
  const extra: [string, readonly string[]][] = [];
  const id = claims.jti;
  if (typeof id === 'string' && id !== '') extra.push([credentialKey, [`JTI=${id}`]]);
  for (const { key, expression } of sources) {
    const values = stringsOf(expression.evaluate(seen()), key);
    if (values.length > 0) extra.push([key, values]);
  }
  return Object.fromEntries(extra);
}

/** A string or a list of strings; what is empty or null counts as not being there. */
function stringsOf(value: unknown, what: string): string[] {
  if (value === null) return [];
  const list: unknown = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(list) || !list.every((one): one is string => typeof one === 'string')) {
    throw new ClaimFault(`the expression of ${what} comes neither to a string nor to a list of strings`);
  }
  return list.filter((one) => one !== '');
}

/** A user as rules see it: a name or uid that is empty is not there, groups and extra always are. */
function described({ username, uid, groups, extra }: User): JsonObject {
  const all = Object.entries(extra).map(([key, values]): [string, Json] => [key, [...values]]);
  return {
    ...(username === '' ? {} : { username }),
    ...(uid === '' ? {} : { uid }),
    groups: [...groups],
    extra: Object.fromEntries(all),
  };
}
