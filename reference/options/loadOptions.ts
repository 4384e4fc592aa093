import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { departs } from '../../fixtures/follow.ts';
import { NEWEST_RELEASE, OLDEST_RELEASE } from '../../fixtures/releases/lifecycles.ts';
import { readCertificates, readPrivateKey, readPublicKeys } from '../codecs/pem.ts';
import { type ConfigSource, configSource } from '../contracts/configSource.ts';
import { formatRelease, parseRelease, type Release } from '../contracts/release.ts';
import { USUAL_RELEASE } from '../contracts/servedVersions.ts';
import type {
  AuthenticationOptions,
  AuthorizationOptions,
  ServerOptions,
  ServiceAccountOptions,
  ServingOptions,
  TokenWebhookOptions,
} from '../contracts/serverOptions.ts';
import { diskFiles } from '../ports/disk.ts';
import { ContentFault, FileFault, type Files, faultsOf, readIn } from '../ports/files.ts';
import { createPublicKey, X509Certificate } from '../ports/keys.ts';
import { admissionFlagErrors } from './admissionPlugins.ts';
import { readAudit } from './auditOptions.ts';
import { readAuthenticationConfig } from './authenticationConfig.ts';
import { readAuthorizationConfig } from './authorizationConfig.ts';
import { readAuthorizationModes, reviewVersion } from './authorizationModes.ts';
import { readClientConfig } from './clientConfig.ts';
import { readControllers } from './controllerNames.ts';
import { Diagnostics } from './diagnostics.ts';
import { readDialect } from './dialectFile.ts';
import { readFeatureGates } from './featureGates.ts';
import { type ParsedFlags, parseFlags } from './flags.ts';
import type { FlagName, FlagValues } from './flagTable.ts';
import { OIDC_FLAGS, readOidcFlags } from './oidcFlags.ts';
import { checkNamedVersions, readRuntimeConfig } from './runtimeConfig.ts';
import { readServiceAddresses } from './serviceAddresses.ts';
import { readStaticTokens } from './staticTokens.ts';
import { readStorage } from './storageOptions.ts';

/** Without it there is no configuration file of authentication (2/authentication-configuration-file/p1). */
const FILE_GATE = 'StructuredAuthenticationConfiguration';

export type Loaded =
  | { readonly options: ServerOptions; readonly notes: readonly string[] }
  /** One clear sentence each, all of them. */
  | { readonly errors: readonly string[] };

/** From a command line to options: {@link parseFlags}, then {@link loadOptions}. */
export function readOptions(argv: readonly string[], files: Files = diskFiles): Loaded {
  const parsed = parseFlags(argv);
  return 'errors' in parsed ? parsed : loadOptions(parsed, files);
}

/**
 * Reads every file that the flags name and checks all of it, so that a server either starts as it was told or
 * says why not.
 */
export function loadOptions({ flags, given, notes }: ParsedFlags, files: Files = diskFiles): Loaded {
  const found = new Diagnostics();
  found.notes.push(...notes);

  const release = found.of('release', () => readRelease(flags.release || `1.${USUAL_RELEASE[flags.follow]}`));
  const dialect = found.of('dialect', () => readDialect(flags.dialect, files));
  const features = release && readFeatureGates(flags['feature-gates'], release, flags.follow);
  if (features && 'errors' in features) found.errors.push(...features.errors);
  else found.notes.push(...(features?.notes ?? []));
  const runtime = readRuntimeConfig(flags['runtime-config']);
  if ('errors' in runtime) found.errors.push(...runtime.errors);
  else if (dialect && release) {
    const named = checkNamedVersions(runtime.config, release.minor, dialect);
    found.errors.push(...named.errors);
    found.notes.push(...named.notes);
  }
  const seed = found.of('seed', () => readSeed(flags.seed));
  const hidden = release && found.of('show-hidden-metrics-for-version', () => readHidden(flags, release));
  const serving = readServing(flags, files, found);
  const everybody = flags['authorization-config'] === '' && flags['authorization-mode'].includes('AlwaysAllow');
  // Whoever may do everything must at least be known.
  if (everybody && flags['anonymous-auth']) {
    found.notes.push('anonymous requests are refused, because mode AlwaysAllow would let them do everything');
  }
  if (flags['authentication-config'] !== '' && features && 'gates' in features && !features.gates.enabled(FILE_GATE)) {
    found.error(`--authentication-config needs the feature gate ${FILE_GATE}, which is off`);
  }
  const authentication =
    dialect && release && readAuthentication(flags, given, dialect, release.minor, files, found, !everybody);
  const authorization = dialect && release && readAuthorization(flags, given, dialect, release.minor, files, found);
  const { 'enable-admission-plugins': enable, 'disable-admission-plugins': disable } = flags;
  if (release) found.errors.push(...admissionFlagErrors(enable, disable, release.minor));
  const chosen = readControllers(flags.controllers);
  if ('errors' in chosen) found.errors.push(...chosen.errors);
  const servicesFile = flags['webhook-service-resolver'];
  const services =
    servicesFile === ''
      ? undefined
      : found.of('webhook-service-resolver', () => readIn(files, servicesFile, readServiceAddresses));
  const audit = dialect && readAudit(flags, dialect, files, found);
  const storage = dialect && readStorage(flags, dialect, files, found);
  if (
    found.errors.length > 0 ||
    !release ||
    !dialect ||
    !features ||
    'errors' in features ||
    'errors' in runtime ||
    'errors' in chosen ||
    !authentication ||
    !authorization ||
    !audit ||
    !storage
  ) {
    return { errors: found.errors };
  }
  return {
    notes: found.notes,
    options: {
      release,
      dialect,
      follow: flags.follow,
      seed,
      clock: flags.clock,
      serving,
      authentication,
      authorization,
      admission: {
        enable: flags['enable-admission-plugins'],
        disable: flags['disable-admission-plugins'],
        ...(services ? { services } : {}),
      },
      identityLease: {
        renewInterval: flags['identity-lease-renew-interval-seconds'] * 1000,
        duration: flags['identity-lease-duration-seconds'] * 1000,
      },
      controllers: chosen.controllers,
      features: features.gates,
      runtimeConfig: runtime.config,
      audit,
      explain: flags.explain,
      storage,
      health: {
        livezGracePeriod: flags['livez-grace-period'],
        shutdownDelay: flags['shutdown-delay-duration'],
        storeHealthTimeout: flags['etcd-healthcheck-timeout'],
        storeReadyTimeout: flags['etcd-readycheck-timeout'],
      },
      showHiddenMetricsFor: hidden,
    },
  };
}

function readRelease(text: string): Release {
  const release = parseRelease(text);
  if (release?.major !== 1) throw new ContentFault(`${text} is no release such as 1.32`);
  if (release.minor < OLDEST_RELEASE || release.minor > NEWEST_RELEASE) {
    throw new ContentFault(`release ${text} is not known here, only 1.${OLDEST_RELEASE} to 1.${NEWEST_RELEASE}`);
  }
  return release;
}

function readSeed(text: string): number | undefined {
  if (text === '') return undefined;
  const seed = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(seed)) throw new ContentFault(`${text} is no whole number`);
  return seed;
}

/** Metrics may be brought back for one release only: the one before (3/metrics and deprecation). */
function readHidden(flags: FlagValues, release: Release): Release | undefined {
  const text = flags['show-hidden-metrics-for-version'];
  if (text === '') return undefined;
  const previous = { major: release.major, minor: release.minor - 1 };
  if (text !== formatRelease(previous)) {
    throw new ContentFault(`${text} is not the release before this one, ${formatRelease(previous)}`);
  }
  return previous;
}

function readServing(flags: FlagValues, files: Files, found: Diagnostics): ServingOptions {
  const [certFile, keyFile] = certificatePaths(flags, files);
  if ((certFile === '') !== (keyFile === '')) {
    found.error('--tls-cert-file and --tls-private-key-file belong together: give both or none');
  }
  const certificate = certFile === '' ? undefined : found.of('tls-cert-file', () => certificateFile(files, certFile));
  const key = keyFile === '' ? undefined : found.of('tls-private-key-file', () => files.read(keyFile));
  if (certificate !== undefined && key !== undefined) {
    found.of('tls-private-key-file', () => checkPair(certificate, key, certFile, keyFile));
  }
  return {
    bindAddress: flags['bind-address'],
    securePort: flags['secure-port'],
    insecurePort: flags['insecure-port'] === 0 ? undefined : flags['insecure-port'],
    tls: certificate !== undefined && key !== undefined ? { certificate, key } : undefined,
    http2: !flags['disable-http2-serving'],
    minimumTlsVersion: flags['tls-min-version'] === 'VersionTLS13' ? 'TLSv1.3' : 'TLSv1.2',
    maxReadsInFlight: flags['max-requests-inflight'],
    maxWritesInFlight: flags['max-mutating-requests-inflight'],
    priorityAndFairness: flags['enable-priority-and-fairness'],
    requestTimeout: flags['request-timeout'],
    minimumWatchTime: flags['min-request-timeout'] * 1000,
    eventTtl: flags['event-ttl'],
  };
}

/** Paths of the server's certificate and its key; both empty where it has to make its own. */
function certificatePaths(flags: FlagValues, files: Files): readonly [certificate: string, key: string] {
  const named = [flags['tls-cert-file'], flags['tls-private-key-file']] as const;
  const folder = flags['cert-dir'];
  if (folder === '' || named.some((path) => path !== '')) return named;
  const kept = [`${folder}/apiserver.crt`, `${folder}/apiserver.key`] as const;
  return kept.every((path) => isThere(files, path)) ? kept : named;
}

function isThere(files: Files, path: string): boolean {
  try {
    files.read(path);
    return true;
  } catch (error) {
    if (error instanceof FileFault) return false;
    throw error;
  }
}

function certificateFile(files: Files, path: string): string {
  return readIn(files, path, (text) => {
    readCertificates(text);
    return text;
  });
}

function checkPair(certificate: string, key: string, certFile: string, keyFile: string): void {
  let matches: boolean;
  try {
    matches = new X509Certificate(certificate).checkPrivateKey(readPrivateKey(key));
  } catch (error) {
    throw new ContentFault(`${keyFile}: ${error instanceof ContentFault ? error.message : 'the key cannot be read'}`);
  }
  if (!matches) throw new ContentFault(`${keyFile} is not the key of the certificate in ${certFile}`);
}

function readAuthentication(
  flags: FlagValues,
  given: ReadonlySet<FlagName>,
  dialect: Dialect,
  release: number,
  files: Files,
  found: Diagnostics,
  anonymousAllowed: boolean,
): AuthenticationOptions {
  const caFile = flags['client-ca-file'];
  const tokenFile = flags['token-auth-file'];
  const clientCa =
    caFile === '' ? undefined : found.of('client-ca-file', () => readIn(files, caFile, readCertificates));
  const tokens =
    tokenFile === ''
      ? undefined
      : found.of('token-auth-file', () => readIn(files, tokenFile, (text) => readStaticTokens(text, flags.follow)));
  found.notes.push(...(tokens?.notes ?? []).map((note) => `--token-auth-file: ${note}`));
  const serviceAccounts = readServiceAccounts(flags, dialect, files, found);
  const audiences = flags['api-audiences'];
  const oidc = readOidcFlags(flags, given, files, found);
  if (oidc && serviceAccounts.issuers.includes(oidc.issuer.url)) {
    found.error(`--oidc-issuer-url: ${oidc.issuer.url} is the issuer of service account tokens`);
  }
  const anonymous = { enabled: flags['anonymous-auth'] && anonymousAllowed, paths: undefined };
  const readFile = (text: string) => {
    const config = readAuthenticationConfig(text, dialect, serviceAccounts.issuers, flags.follow, release);
    return { jwt: config.jwt, anonymous: config.anonymous ?? anonymous, own: config.anonymous !== undefined };
  };
  const config = readConfigFile(flags, given, readFile, files, found);
  const webhook = readTokenWebhook(flags, dialect, files, found);
  return {
    anonymous: config?.anonymous ?? anonymous,
    clientCa,
    staticTokens: tokens?.tokens,
    bootstrapTokens: flags['enable-bootstrap-token-auth'],
    serviceAccounts,
    webhook,
    jwt: config?.jwt ?? (oidc ? [oidc] : []),
    ...(config ? { file: config.file } : {}),
    audiences: audiences.length > 0 ? audiences : serviceAccounts.issuers.slice(0, 1),
  };
}

/** The flag list or the file, never both (2/authorization/p4). */
function readAuthorization(
  flags: FlagValues,
  given: ReadonlySet<FlagName>,
  dialect: Dialect,
  release: number,
  files: Files,
  found: Diagnostics,
): AuthorizationOptions | undefined {
  const path = flags['authorization-config'];
  if (path === '') {
    const authorizers = readAuthorizationModes(flags, given, dialect, files, found);
    return authorizers && { authorizers };
  }
  for (const name of given) {
    if (name !== 'authorization-config' && name.startsWith('authorization-')) {
      found.error(`--${name} and --authorization-config exclude each other`);
    }
  }
  return found.of('authorization-config', () => {
    const file = configSource(files, path, (text) =>
      readAuthorizationConfig(text, dialect, files, flags.follow, release),
    );
    return { authorizers: faultsOf(path, () => file.parse(file.text)), file };
  });
}

/** The file says all about ID tokens, so that no flag may say more (2/authentication-configuration-file). */
function readConfigFile(
  flags: FlagValues,
  given: ReadonlySet<FlagName>,
  read: (text: string) => FileContent,
  files: Files,
  found: Diagnostics,
): (FileContent & { readonly file: ConfigSource<FileContent> }) | undefined {
  const path = flags['authentication-config'];
  if (path === '') return undefined;
  for (const name of OIDC_FLAGS) {
    if (given.has(name)) found.error(`--${name} and --authentication-config exclude each other`);
  }
  const config = found.of('authentication-config', () => {
    const file = configSource(files, path, read);
    return { ...faultsOf(path, () => read(file.text)), file };
  });
  if (config?.own && given.has('anonymous-auth')) {
    found.error('--anonymous-auth and the anonymous part of --authentication-config exclude each other');
  }
  return config;
}

/** What the file of authentication says, completed by the flags. */
interface FileContent extends Pick<AuthenticationOptions, 'jwt' | 'anonymous'> {
  /** Whether anonymous access is decided by the file. */
  readonly own: boolean;
}

function readTokenWebhook(
  flags: FlagValues,
  dialect: Dialect,
  files: Files,
  found: Diagnostics,
): TokenWebhookOptions | undefined {
  const path = flags['authentication-token-webhook-config-file'];
  if (path === '') return undefined;
  const remote = found.of('authentication-token-webhook-config-file', () => readClientConfig(path, files));
  const given = flags['authentication-token-webhook-version'];
  // The text writes the version with its group, the service takes the bare version only.
  const group = `${groupName(dialect, 'authentication')}/`;
  const short =
    given.startsWith(group) && !departs(flags.follow, 'webhook-token-version-value')
      ? given.slice(group.length)
      : given;
  const version = found.of('authentication-token-webhook-version', () => reviewVersion(short));
  return remote && version && { remote, version, cacheTtl: flags['authentication-token-webhook-cache-ttl'] };
}

function readServiceAccounts(
  flags: FlagValues,
  dialect: Dialect,
  files: Files,
  found: Diagnostics,
): ServiceAccountOptions {
  const signingFile = flags['service-account-signing-key-file'];
  const signingKey =
    signingFile === ''
      ? undefined
      : found.of('service-account-signing-key-file', () => readIn(files, signingFile, readPrivateKey));
  // Without key files of its own, the key of the serving certificate checks tokens (2/methods/t1.4).
  const keyFiles = flags['service-account-key-file'];
  const fallback = flags['tls-private-key-file'];
  const flag: FlagName = keyFiles.length > 0 ? 'service-account-key-file' : 'tls-private-key-file';
  const keys = (keyFiles.length > 0 ? keyFiles : fallback === '' ? [] : [fallback]).flatMap(
    (path) => found.of(flag, () => readIn(files, path, readPublicKeys)) ?? [],
  );
  const issuers = flags['service-account-issuer'];
  for (const issuer of issuers) {
    if (issuer === '') found.error('--service-account-issuer must not be empty');
    else if (issuer.includes(':') && !URL.canParse(issuer)) {
      found.error(`--service-account-issuer: ${issuer} contains a colon and is no URL`);
    }
  }
  const jwksUri = flags['service-account-jwks-uri'];
  if (jwksUri !== '' && !(URL.canParse(jwksUri) && new URL(jwksUri).protocol === 'https:')) {
    found.error(`--service-account-jwks-uri: ${jwksUri} is no https URL`);
  }
  const longest = flags['service-account-max-token-expiration'];
  const HOUR = 3_600_000;
  if (longest !== 0 && (longest < HOUR || longest > 2 ** 32 * 1000)) {
    found.error('--service-account-max-token-expiration must be between 1h and 2^32 seconds');
  }
  return {
    keys: keyFiles.length === 0 && signingKey ? [...keys, createPublicKey(signingKey)] : keys,
    signingKey,
    issuers: issuers.length > 0 ? issuers : [dialect.serviceAccountIssuer],
    jwksUri: jwksUri || undefined,
    lookup: flags['service-account-lookup'],
    maxExpiration: longest === 0 ? undefined : longest,
    extendExpiration: flags['service-account-extend-token-expiration'],
  };
}
