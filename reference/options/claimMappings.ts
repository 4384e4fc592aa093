import { departs, type Follow } from '../../fixtures/follow.ts';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { type ClaimVariable, compileSubjectExpression, type SubjectExpression } from '../cel/claimExpressions.ts';
import { type FieldFaults, objects, text } from '../codecs/yamlFile.ts';
import type { ClaimSource, ExpressionSource, JwtOptions, TokenValidationRule } from '../contracts/serverOptions.ts';

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LONGEST_SUBDOMAIN = 253;
const PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

type Mappings = Pick<JwtOptions, 'username' | 'groups' | 'uid'> & Required<Pick<JwtOptions, 'extra'>>;
type Rules = Pick<JwtOptions, 'requiredClaims'> & { readonly claimRules: readonly TokenValidationRule[] };

/** The rules over claims (2/authentication-configuration-file/t1.7): by value, or by expression. */
export function readClaimRules(value: Json | undefined, path: string, faults: FieldFaults): Rules {
  const requiredClaims: { claim: string; value: string }[] = [];
  const claimRules: TokenValidationRule[] = [];
  for (const [index, rule] of objects(value).entries()) {
    const at = `${path}[${index}]`;
    faults.unknown(rule, at, ['claim', 'requiredValue', 'expression', 'message']);
    const claim = text(rule.claim);
    const written = text(rule.expression);
    if ((claim === '') === (written === '')) faults.add(at, 'either claim or expression is needed, and not both');
    else if (written !== '') {
      if (text(rule.requiredValue) !== '') faults.add(`${at}.requiredValue`, 'it goes with claim only');
      addRule(rule, 'claims', at, claimRules, faults);
    } else {
      if (text(rule.message) !== '') faults.add(`${at}.message`, 'it goes with expression only');
      if (requiredClaims.some((other) => other.claim === claim))
        faults.add(`${at}.claim`, `there is a rule for ${claim} already`);
      requiredClaims.push({ claim, value: text(rule.requiredValue) });
    }
  }
  return { requiredClaims, claimRules };
}

/** The rules over the user (2/authentication-configuration-file/t1.12). */
export function readUserRules(
  value: Json | undefined,
  path: string,
  faults: FieldFaults,
): readonly TokenValidationRule[] {
  const rules: TokenValidationRule[] = [];
  for (const [index, rule] of objects(value).entries()) {
    const at = `${path}[${index}]`;
    faults.unknown(rule, at, ['expression', 'message']);
    if (text(rule.expression) === '') faults.add(`${at}.expression`, 'an expression is needed');
    else addRule(rule, 'user', at, rules, faults);
  }
  return rules;
}

function addRule(
  rule: JsonObject,
  subject: ClaimVariable,
  path: string,
  rules: TokenValidationRule[],
  faults: FieldFaults,
): void {
  const written = text(rule.expression);
  if (rules.some((other) => other.expression.text === written)) {
    faults.add(`${path}.expression`, 'the same expression stands there already');
  }
  const expression = compile(written, subject, 'bool', `${path}.expression`, faults);
  if (expression) rules.push({ expression, message: text(rule.message) });
}

/** What the claims mean (2/authentication-configuration-file/t1.8 to t1.11). */
export function readMappings(
  value: Json | undefined,
  path: string,
  { faults, ownDomains }: { readonly faults: FieldFaults; readonly ownDomains: readonly string[] },
): Mappings {
  const mappings = isObject(value) ? value : {};
  faults.unknown(mappings, path, ['username', 'groups', 'uid', 'extra']);
  return {
    username: readPrefixed(mappings.username, `${path}.username`, true, faults) ?? { claim: '', prefix: '' },
    groups: readPrefixed(mappings.groups, `${path}.groups`, false, faults),
    uid: readUid(mappings.uid, `${path}.uid`, faults),
    extra: readExtra(mappings.extra, `${path}.extra`, ownDomains, faults),
  };
}

/** A mapping by claim with its prefix, which must be there even when it is empty, or by expression. */
function readPrefixed(
  value: Json | undefined,
  path: string,
  needed: boolean,
  faults: FieldFaults,
): ClaimSource | ExpressionSource | undefined {
  const mapping = isObject(value) ? value : {};
  faults.unknown(mapping, path, ['claim', 'prefix', 'expression']);
  const claim = text(mapping.claim);
  const written = text(mapping.expression);
  if (claim !== '' && written !== '') faults.add(path, 'claim and expression exclude each other');
  else if (written !== '') {
    if (mapping.prefix !== undefined) faults.add(`${path}.prefix`, 'it goes with claim only');
    return mapped(written, `${path}.expression`, faults);
  } else if (claim !== '') {
    if (typeof mapping.prefix !== 'string') faults.add(`${path}.prefix`, 'it is needed with claim; empty for none');
    return { claim, prefix: text(mapping.prefix) };
  } else if (needed) faults.add(path, 'claim or expression is needed');
  else if (mapping.prefix !== undefined) faults.add(`${path}.prefix`, 'it goes with claim only');
  return undefined;
}

function readUid(value: Json | undefined, path: string, faults: FieldFaults): JwtOptions['uid'] {
  const mapping = isObject(value) ? value : {};
  faults.unknown(mapping, path, ['claim', 'expression']);
  const claim = text(mapping.claim);
  const written = text(mapping.expression);
  if (claim !== '' && written !== '') faults.add(path, 'claim and expression exclude each other');
  else if (written !== '') return mapped(written, `${path}.expression`, faults);
  return claim === '' ? undefined : { claim };
}

function readExtra(
  value: Json | undefined,
  path: string,
  ownDomains: readonly string[],
  faults: FieldFaults,
): Mappings['extra'] {
  const extra: ({ key: string } & ExpressionSource)[] = [];
  const keys = new Set<string>();
  for (const [index, one] of objects(value).entries()) {
    const at = `${path}[${index}]`;
    faults.unknown(one, at, ['key', 'valueExpression']);
    const key = text(one.key);
    const fault = keyFault(key, ownDomains) ?? (keys.has(key) ? `there is ${key} already` : undefined);
    if (fault) faults.add(`${at}.key`, fault);
    keys.add(key);
    const written = text(one.valueExpression);
    if (written === '') faults.add(`${at}.valueExpression`, 'an expression is needed');
    else {
      const source = mapped(written, `${at}.valueExpression`, faults);
      if (source) extra.push({ key, ...source });
    }
  }
  return extra;
}

function keyFault(key: string, ownDomains: readonly string[]): string | undefined {
  if (key === '') return 'a key is needed';
  const slash = key.indexOf('/');
  if (slash < 1 || slash === key.length - 1) return 'a domain, / and a path are expected, such as example.org/team';
  const domain = key.slice(0, slash);
  if (key !== key.toLowerCase()) return 'it must be in lower case';
  if (domain.length > LONGEST_SUBDOMAIN || !SUBDOMAIN.test(domain)) return `${domain} is no domain`;
  if (!PATH.test(key.slice(slash + 1))) return 'what follows the domain is no path';
  const own = ownDomains.find((one) => domain === one || domain.endsWith(`.${one}`));
  return own && `${own} and its subdomains are kept for the service`;
}

/** What one authenticator says of addresses, and where it says how a user is called. */
export type AddressUse = Mappings & Rules & { readonly path: string };

/**
 * Whoever takes a name from an address must look at whether the issuer vouches for it: by the text anywhere in the
 * configuration, at the service in a name, an extra or a rule of the same authenticator, by an expression that selects
 * with a dot (2/authentication-configuration-file/t1.8).
 */
export function checkEmail(authenticators: readonly AddressUse[], follow: Follow, faults: FieldFaults): void {
  const narrow = departs(follow, 'email-verified-narrow');
  const verified = narrow ? [] : authenticators.filter(looksAnywhere);
  for (const one of authenticators) {
    const { username, extra, claimRules, path } = one;
    if (!('expression' in username) || !username.expression.selects('email', !narrow)) continue;
    const looks = narrow
      ? [username, ...extra, ...claimRules].some(({ expression }) => expression.selects('email_verified'))
      : verified.length > 0;
    if (looks) continue;
    faults.add(
      `${path}.username.expression`,
      `it uses claims.email, so that ${narrow ? 'this, an extra or a claim rule' : 'something'} must look at claims.email_verified`,
    );
  }
}

function looksAnywhere({ username, groups, uid, extra, claimRules, requiredClaims }: AddressUse): boolean {
  if (requiredClaims.some(({ claim }) => claim === 'email_verified')) return true;
  return [username, groups, uid, ...extra, ...claimRules].some(
    (source) => source && 'expression' in source && source.expression.selects('email_verified', true),
  );
}

function mapped(written: string, path: string, faults: FieldFaults): ExpressionSource | undefined {
  const expression = compile(written, 'claims', 'dyn', path, faults);
  return expression && { expression };
}

function compile(
  written: string,
  subject: ClaimVariable,
  output: 'bool' | 'dyn',
  path: string,
  faults: FieldFaults,
): SubjectExpression | undefined {
  try {
    return compileSubjectExpression(written, subject, output);
  } catch (error) {
    faults.add(path, error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
