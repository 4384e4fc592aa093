import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { Findings } from './collect.ts';
import { ContentFault } from './files.ts';
import { checkIssuerUrl } from './oidcFlags.ts';
import { readCertificates } from './pem.ts';
import type { AnonymousOptions, JwtIssuerOptions, JwtOptions } from './serverOptions.ts';
import { FieldFaults, parseObject } from './yamlFile.ts';

const MOST_ISSUERS = 64;
const NO_ENGINE = 'this server has no engine for expressions';
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'];

export interface AuthenticationConfig {
  readonly jwt: readonly JwtOptions[];
  /** Undefined where the file does not say. */
  readonly anonymous: AnonymousOptions | undefined;
}

/**
 * Reads an AuthenticationConfiguration (2/authentication-configuration-file): issuers of ID tokens and what their
 * claims mean. Expressions are refused.
 *
 * @param accountIssuers issuers of service account tokens, which no other issuer may be
 * @throws ContentFault naming every field that is wrong
 */
export function readAuthenticationConfig(
  text: string,
  dialect: Dialect,
  accountIssuers: readonly string[],
): AuthenticationConfig {
  const config = parseObject(text);
  const faults = new FieldFaults();
  const group = groupName(dialect, 'apiserver.config');
  const versions = ['v1beta1', 'v1', 'v1alpha1'].map((version) => `${group}/${version}`);
  if (!versions.includes(String(config.apiVersion))) faults.add('apiVersion', `${versions[0]} is expected`);
  if (config.kind !== 'AuthenticationConfiguration') faults.add('kind', 'AuthenticationConfiguration is expected');
  faults.unknown(config, '', ['apiVersion', 'kind', 'jwt', 'anonymous']);
  const list = Array.isArray(config.jwt) ? config.jwt : [];
  if (list.length > MOST_ISSUERS) faults.add('jwt', `there may be at most ${MOST_ISSUERS}`);
  const taken = { urls: new Set<string>(accountIssuers), discovery: new Set<string>() };
  const jwt = list.map((one, index) => readJwt(isObject(one) ? one : {}, `jwt[${index}]`, taken, faults));
  const anonymous = readAnonymous(config.anonymous, faults);
  faults.check();
  return { jwt, anonymous };
}

interface Taken {
  readonly urls: Set<string>;
  readonly discovery: Set<string>;
}

function readJwt(jwt: JsonObject, path: string, taken: Taken, faults: FieldFaults): JwtOptions {
  faults.unknown(jwt, path, ['issuer', 'claimValidationRules', 'claimMappings', 'userValidationRules']);
  const issuer = readIssuer(isObject(jwt.issuer) ? jwt.issuer : {}, `${path}.issuer`, taken, faults);
  const mappings = isObject(jwt.claimMappings) ? jwt.claimMappings : {};
  const at = `${path}.claimMappings`;
  faults.unknown(mappings, at, ['username', 'groups', 'uid', 'extra']);
  if (objects(mappings.extra).length > 0) faults.add(`${at}.extra`, NO_ENGINE);
  if (objects(jwt.userValidationRules).length > 0) faults.add(`${path}.userValidationRules`, NO_ENGINE);
  const username = readPrefixed(mappings.username, `${at}.username`, true, faults);
  return {
    issuer,
    signingAlgorithms: ALGORITHMS,
    requiredClaims: readRules(jwt.claimValidationRules, `${path}.claimValidationRules`, faults),
    username: username ?? { claim: '', prefix: '' },
    groups: readPrefixed(mappings.groups, `${at}.groups`, false, faults),
    uid: readUid(mappings.uid, `${at}.uid`, faults),
  };
}

function readIssuer(issuer: JsonObject, path: string, taken: Taken, faults: FieldFaults): JwtIssuerOptions {
  faults.unknown(issuer, path, ['url', 'discoveryURL', 'certificateAuthority', 'audiences', 'audienceMatchPolicy']);
  const url = text(issuer.url);
  if (url === '') faults.add(`${path}.url`, 'it is needed');
  else checkUrl(`${path}.url`, url, faults);
  if (taken.urls.has(url)) faults.add(`${path}.url`, `${url} is an issuer already`);
  taken.urls.add(url);
  const discovery = text(issuer.discoveryURL);
  if (discovery !== '') {
    checkUrl(`${path}.discoveryURL`, discovery, faults);
    if (discovery.replace(/\/$/, '') === url.replace(/\/$/, ''))
      faults.add(`${path}.discoveryURL`, 'it must differ from url');
    if (taken.discovery.has(discovery)) faults.add(`${path}.discoveryURL`, 'another issuer has it already');
    taken.discovery.add(discovery);
  }
  const audiences = Array.isArray(issuer.audiences) ? issuer.audiences.map(text) : [];
  if (audiences.length === 0) faults.add(`${path}.audiences`, 'at least one is needed');
  for (const [index, audience] of audiences.entries()) {
    if (audience === '') faults.add(`${path}.audiences[${index}]`, 'it must not be empty');
    if (audiences.indexOf(audience) < index)
      faults.add(`${path}.audiences[${index}]`, `${audience} stands there twice`);
  }
  const policy = text(issuer.audienceMatchPolicy);
  if (policy !== 'MatchAny' && (policy !== '' || audiences.length > 1)) {
    faults.add(`${path}.audienceMatchPolicy`, 'MatchAny is expected');
  }
  const ca = text(issuer.certificateAuthority);
  if (ca !== '') {
    try {
      readCertificates(ca);
    } catch (error) {
      if (!(error instanceof ContentFault)) throw error;
      faults.add(`${path}.certificateAuthority`, error.message);
    }
  }
  return { url, discoveryUrl: discovery || undefined, ca: ca || undefined, audiences };
}

function checkUrl(path: string, url: string, faults: FieldFaults): void {
  const found = new Findings();
  checkIssuerUrl('', url, found);
  for (const error of found.errors) faults.add(path, error.replace(/^: /, ''));
}

function readRules(value: Json | undefined, path: string, faults: FieldFaults): { claim: string; value: string }[] {
  const rules: { claim: string; value: string }[] = [];
  for (const [index, rule] of objects(value).entries()) {
    const at = `${path}[${index}]`;
    faults.unknown(rule, at, ['claim', 'requiredValue', 'expression', 'message']);
    const claim = text(rule.claim);
    const expression = text(rule.expression);
    if ((claim === '') === (expression === '')) faults.add(at, 'either claim or expression is needed, and not both');
    else if (expression !== '') {
      if (text(rule.requiredValue) !== '') faults.add(`${at}.requiredValue`, 'it goes with claim only');
      faults.add(`${at}.expression`, NO_ENGINE);
    } else {
      if (text(rule.message) !== '') faults.add(`${at}.message`, 'it goes with expression only');
      if (rules.some((other) => other.claim === claim))
        faults.add(`${at}.claim`, `there is a rule for ${claim} already`);
      rules.push({ claim, value: text(rule.requiredValue) });
    }
  }
  return rules;
}

/** A mapping by claim with its prefix, which must be there even when it is empty. */
function readPrefixed(
  value: Json | undefined,
  path: string,
  needed: boolean,
  faults: FieldFaults,
): { claim: string; prefix: string } | undefined {
  const mapping = isObject(value) ? value : {};
  faults.unknown(mapping, path, ['claim', 'prefix', 'expression']);
  const claim = text(mapping.claim);
  const expression = text(mapping.expression);
  if (claim !== '' && expression !== '') faults.add(path, 'claim and expression exclude each other');
  else if (expression !== '') {
    if (mapping.prefix !== undefined) faults.add(`${path}.prefix`, 'it goes with claim only');
    faults.add(`${path}.expression`, NO_ENGINE);
  } else if (claim !== '') {
    if (typeof mapping.prefix !== 'string') faults.add(`${path}.prefix`, 'it is needed with claim; empty for none');
    return { claim, prefix: text(mapping.prefix) };
  } else if (needed) faults.add(path, 'claim or expression is needed');
  else if (mapping.prefix !== undefined) faults.add(`${path}.prefix`, 'it goes with claim only');
  return undefined;
}

function readUid(value: Json | undefined, path: string, faults: FieldFaults): { claim: string } | undefined {
  const mapping = isObject(value) ? value : {};
  faults.unknown(mapping, path, ['claim', 'expression']);
  const claim = text(mapping.claim);
  if (claim !== '' && text(mapping.expression) !== '') faults.add(path, 'claim and expression exclude each other');
  else if (text(mapping.expression) !== '') faults.add(`${path}.expression`, NO_ENGINE);
  return claim === '' ? undefined : { claim };
}

function readAnonymous(value: Json | undefined, faults: FieldFaults): AnonymousOptions | undefined {
  if (!isObject(value)) return undefined;
  faults.unknown(value, 'anonymous', ['enabled', 'conditions']);
  const enabled = value.enabled === true;
  const paths: string[] = [];
  for (const [index, condition] of objects(value.conditions).entries()) {
    const at = `anonymous.conditions[${index}]`;
    faults.unknown(condition, at, ['path']);
    if (text(condition.path) === '') faults.add(`${at}.path`, 'it is needed');
    paths.push(text(condition.path));
  }
  if (!enabled && paths.length > 0) faults.add('anonymous.conditions', 'there may be none when anonymous is off');
  return { enabled, paths: paths.length > 0 ? paths : undefined };
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const objects = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.map((one) => (isObject(one) ? one : {})) : [];
