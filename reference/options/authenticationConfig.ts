import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { departs, type Follow } from '../../fixtures/follow.ts';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { readCertificates } from '../codecs/pem.ts';
import { FieldFaults, objects, parseObject, text } from '../codecs/yamlFile.ts';
import type { AnonymousOptions, JwtIssuerOptions, JwtOptions } from '../contracts/serverOptions.ts';
import { ContentFault } from '../ports/files.ts';
import { checkEmail, readClaimRules, readMappings, readUserRules } from './claimMappings.ts';
import { Diagnostics } from './diagnostics.ts';
import { ALL_ALGORITHMS, checkIssuerUrl } from './oidcFlags.ts';

const MOST_ISSUERS = 64;

export interface AuthenticationConfig {
  readonly jwt: readonly JwtOptions[];
  /** Undefined where the file does not say. */
  readonly anonymous: AnonymousOptions | undefined;
}

/**
 * Reads an AuthenticationConfiguration (2/authentication-configuration-file): issuers of ID tokens and what their
 * claims mean. Expressions are compiled.
 *
 * @param accountIssuers issuers of service account tokens, which no other issuer may be
 * @param release minor of the release
 * @throws ContentFault naming every field that is wrong
 */
export function readAuthenticationConfig(
  text: string,
  dialect: Dialect,
  accountIssuers: readonly string[],
  follow: Follow,
  release: number,
): AuthenticationConfig {
  const config = parseObject(text);
  const faults = new FieldFaults();
  const group = groupName(dialect, 'apiserver.config');
  const versions = versionsIn(follow, release).map((version) => `${group}/${version}`);
  if (!versions.includes(String(config.apiVersion))) faults.add('apiVersion', `${versions.join(' or ')} is expected`);
  if (config.kind !== 'AuthenticationConfiguration') faults.add('kind', 'AuthenticationConfiguration is expected');
  faults.unknown(config, '', ['apiVersion', 'kind', 'jwt', 'anonymous']);
  const list = Array.isArray(config.jwt) ? config.jwt : [];
  if (list.length > MOST_ISSUERS) faults.add('jwt', `there may be at most ${MOST_ISSUERS}`);
  const taken = { urls: new Set<string>(accountIssuers), discovery: new Set<string>() };
  const reading = { faults, taken, ownDomains: [dialect.apiDomain, dialect.labelDomain] };
  const jwt = list.map((one, index) => readJwt(isObject(one) ? one : {}, `jwt[${index}]`, reading));
  checkEmail(
    jwt.map((one, index) => ({ ...one, path: `jwt[${index}].claimMappings` })),
    follow,
    faults,
  );
  const anonymous = readAnonymous(config.anonymous, faults);
  faults.check();
  return { jwt, anonymous };
}

interface Reading {
  readonly faults: FieldFaults;
  readonly taken: Taken;
  /** Domains of the service, which keys of extras must not use. */
  readonly ownDomains: readonly string[];
}

interface Taken {
  readonly urls: Set<string>;
  readonly discovery: Set<string>;
}

/** The text has one version; a release that has a later one, or had an earlier one only, takes that too. */
function versionsIn(follow: Follow, release: number): readonly string[] {
  if (departs(follow, 'authentication-configuration-versions')) return ['v1beta1', 'v1', 'v1alpha1'];
  return [
    'v1beta1',
    ...(release >= FIRST_WITH_V1 ? ['v1'] : []),
    ...(release < FIRST_WITH_V1BETA1 ? ['v1alpha1'] : []),
  ];
}
const FIRST_WITH_V1BETA1 = 30;
const FIRST_WITH_V1 = 34;

function readJwt(
  jwt: JsonObject,
  path: string,
  reading: Reading,
): JwtOptions & ReturnType<typeof readMappings> & ReturnType<typeof readClaimRules> {
  const { faults } = reading;
  faults.unknown(jwt, path, ['issuer', 'claimValidationRules', 'claimMappings', 'userValidationRules']);
  const issuer = readIssuer(isObject(jwt.issuer) ? jwt.issuer : {}, `${path}.issuer`, reading.taken, faults);
  const rules = readClaimRules(jwt.claimValidationRules, `${path}.claimValidationRules`, faults);
  const mappings = readMappings(jwt.claimMappings, `${path}.claimMappings`, reading);
  return {
    issuer,
    signingAlgorithms: ALL_ALGORITHMS,
    ...rules,
    ...mappings,
    userRules: readUserRules(jwt.userValidationRules, `${path}.userValidationRules`, faults),
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
  const found = new Diagnostics();
  checkIssuerUrl('', url, found);
  for (const error of found.errors) faults.add(path, error.replace(/^: /, ''));
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
