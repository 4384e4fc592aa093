import { readCertificates } from '../codecs/pem.ts';
import type { JwtOptions } from '../contracts/serverOptions.ts';
import { type Files, readIn } from '../ports/files.ts';
import type { Diagnostics } from './diagnostics.ts';
import type { FlagName, FlagValues } from './flagTable.ts';

/** The signature algorithms of ID tokens. */
export const ALL_ALGORITHMS: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
];
/** Every flag of OIDC by flags. */
export const OIDC_FLAGS: readonly FlagName[] = [
  'oidc-issuer-url',
  'oidc-client-id',
  'oidc-username-claim',
  'oidc-username-prefix',
  'oidc-groups-claim',
  'oidc-groups-prefix',
  'oidc-required-claim',
  'oidc-ca-file',
  'oidc-signing-algs',
];

/**
 * The authenticator that the OIDC flags describe (2/oidc-flags); undefined when none is given, or when something is
 * wrong, which the findings then say.
 */
export function readOidcFlags(
  flags: FlagValues,
  given: ReadonlySet<FlagName>,
  files: Files,
  found: Diagnostics,
): JwtOptions | undefined {
  if (!OIDC_FLAGS.some((name) => given.has(name))) return undefined;
  const before = found.errors.length;
  const url = flags['oidc-issuer-url'];
  const client = flags['oidc-client-id'];
  if (url === '' || client === '') found.error('--oidc-issuer-url and --oidc-client-id are both needed for OIDC');
  if (url !== '') checkIssuerUrl('--oidc-issuer-url', url, found);
  for (const name of flags['oidc-signing-algs']) {
    if (!ALL_ALGORITHMS.includes(name)) found.error(`--oidc-signing-algs: there is no algorithm ${name}`);
  }
  const requiredClaims = flags['oidc-required-claim'].map(([claim, value]) => {
    if (value === undefined || claim === '')
      found.error(`--oidc-required-claim: ${claim} is not of the form key=value`);
    return { claim, value: value ?? '' };
  });
  const caFile = flags['oidc-ca-file'];
  const ca =
    caFile === ''
      ? undefined
      : found.of('oidc-ca-file', () => readIn(files, caFile, (text) => readCertificates(text).join('\n')));
  const claim = flags['oidc-username-claim'];
  const prefix = flags['oidc-username-prefix'];
  const groupsClaim = flags['oidc-groups-claim'];
  if (found.errors.length > before) return undefined;
  return {
    issuer: { url, discoveryUrl: undefined, ca, audiences: [client] },
    signingAlgorithms: flags['oidc-signing-algs'],
    requiredClaims,
    username: { claim, prefix: prefix === '-' ? '' : prefix !== '' || claim === 'email' ? prefix : `${url}#` },
    groups: groupsClaim === '' ? undefined : { claim: groupsClaim, prefix: flags['oidc-groups-prefix'] },
    uid: undefined,
  };
}

/** Faults of an issuer's address: it is compared letter by letter, and keys come from it. */
export function checkIssuerUrl(where: string, url: string, found: Diagnostics): void {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') {
    found.error(`${where}: ${url} is no https URL`);
    return;
  }
  const { username, password, search, hash } = new URL(url);
  if (username || password) found.error(`${where}: the URL must not hold a user name or password`);
  if (search || hash) found.error(`${where}: ${url} must not have a query or a fragment`);
}
