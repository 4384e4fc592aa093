import { authority, bundleOfAuthorities, issuer, type SetupOf } from '../../harness/index.ts';
import { CLIENT } from '../idTokens.ts';

/** A server that takes the tokens of an issuer of the harness, with these flags beside the least. */
export const oidc =
  (...more: readonly string[]): SetupOf =>
  async (services) => {
    const { url, ca } = await services.get(issuer);
    return {
      flags: [`--oidc-issuer-url=${url}`, `--oidc-client-id=${CLIENT}`, '--oidc-ca-file={issuer.crt}', ...more],
      files: { 'issuer.crt': ca },
    };
  };

/** Nothing but what has to be given: all else is at its default. */
export const defaults = oidc();
/** Names from the claim `email`; groups, required claims and algorithms by flags. */
export const email = oidc(
  '--oidc-username-claim=email',
  '--oidc-groups-claim=teams',
  '--oidc-groups-prefix=corp:',
  '--oidc-required-claim=hd=example.com',
  '--oidc-required-claim=plan=gold',
  '--oidc-required-claim=note=a=b=c',
  '--oidc-signing-algs=RS256,ES256,PS384',
);
/** What a sound token says to that server. */
export const EMAIL = { hd: 'example.com', plan: 'gold', note: 'a=b=c', email: 'ada@example.com', email_verified: true };
/** Names from another claim, behind a prefix; groups as they are. */
export const prefixed = oidc('--oidc-username-claim=nick', '--oidc-username-prefix=corp:', '--oidc-groups-claim=teams');
/** Names from another claim, as they are; signed by another algorithm than that of the default. */
export const bare = oidc('--oidc-username-claim=nick', '--oidc-username-prefix=-', '--oidc-signing-algs=ES256');

/** The path of an issuer of the harness whose URL ends with a slash. */
export const SLASHED = 'flagged/';
/** An issuer whose URL ends with a slash, and whose authority stands among others in the CA file. */
export const slashed: SetupOf = async (services) => {
  const from = await services.get(issuer);
  // The text has the well-known path behind the URL, and leaves open whether there are two slashes then.
  from.publish('/flagged/.well-known/openid-configuration', from.tenant(SLASHED));
  return {
    flags: [
      `--oidc-issuer-url=${from.tenant(SLASHED)}`,
      `--oidc-client-id=${CLIENT}`,
      '--oidc-ca-file={authorities.crt}',
    ],
    files: { 'authorities.crt': await bundleOfAuthorities(services) },
  };
};

const least: SetupOf = async (services) => ({
  flags: [`--oidc-issuer-url=${(await services.get(issuer)).url}`, `--oidc-client-id=${CLIENT}`],
});
/** The issuer's certificate is to be verified by the roots of the host. */
export const byRootsOfTheHost: SetupOf = least;
/** The issuer's certificate is to be verified by an authority that did not sign it. */
export const byAnotherAuthority: SetupOf = async (services, dialect) => ({
  flags: [...((await least(services, dialect)).flags ?? []), '--oidc-ca-file={ca.crt}'],
  files: { 'ca.crt': (await services.get(authority, 'another')).pem },
});
