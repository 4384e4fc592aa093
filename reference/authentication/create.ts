import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { Follow } from '../../fixtures/follow.ts';
import type { Authenticator } from '../contracts/authenticator.ts';
import type { AuthenticationOptions } from '../contracts/serverOptions.ts';
import type { Store } from '../contracts/store.ts';
import type { TokenAuthenticator } from '../contracts/tokenAuthenticator.ts';
import type { Random } from '../random.ts';
import type { Reviews } from '../remote/reviewClient.ts';
import type { Clock } from '../time.ts';
import { AccountKeys } from './accountKeys.ts';
import { AnonymousAuthenticator } from './anonymous.ts';
import { BearerAuthenticator } from './bearer.ts';
import { BootstrapTokenAuthenticator } from './bootstrapToken.ts';
import { ClientCertificateAuthenticator } from './clientCertificate.ts';
import { JwtIssuers } from './jwtIssuers.ts';
import { ServiceAccountAuthenticator } from './serviceAccountToken.ts';
import { StaticTokenAuthenticator } from './tokenFile.ts';
import { UnionAuthenticator } from './union.ts';
import { WebhookTokenAuthenticator } from './webhook.ts';

/** Authentication as options ask for it. */
export interface Authentication {
  /** All methods together, for requests. */
  readonly authenticator: Authenticator;
  /** The token methods, for token reviews. */
  readonly tokens: BearerAuthenticator;
  /** The keys of service account tokens, for issuing them and for discovery. */
  readonly accountKeys: AccountKeys;
  /** From now on these issuers and this anonymous access, as a configuration file says anew. */
  replace(config: Pick<AuthenticationOptions, 'jwt' | 'anonymous'>): Promise<void>;
}

export interface AuthenticationDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly follow: Follow;
  /** The keys of service account tokens, where another server has made them; made of the options unless told. */
  readonly accountKeys?: AccountKeys | undefined;
  /** A source of its own for a signing key that has to be made; undefined: true chance. */
  readonly keySource?: Random | undefined;
  /** Stands before the reviews that a remote service is asked for; nothing unless told. */
  readonly reviews?: ((reviews: Reviews) => Reviews) | undefined;
  /** Further methods that know tokens, asked first. */
  readonly tokens?: readonly TokenAuthenticator[] | undefined;
  /** Stands around each method; nothing unless told. */
  readonly around?:
    | {
        readonly method: (method: Authenticator) => Authenticator;
        readonly token: (method: TokenAuthenticator) => TokenAuthenticator;
      }
    | undefined;
}

export function createAuthentication(
  options: AuthenticationOptions,
  dependencies: AuthenticationDependencies,
): Authentication {
  const { store, clock, dialect } = dependencies;
  const { audiences } = options;
  const tokens: TokenAuthenticator[] = [...(dependencies.tokens ?? [])];
  if (options.staticTokens) tokens.push(new StaticTokenAuthenticator(options.staticTokens, audiences));
  const keys = dependencies.accountKeys ?? new AccountKeys(options.serviceAccounts, dependencies.keySource);
  tokens.push(new ServiceAccountAuthenticator(options.serviceAccounts, { store, clock, dialect, keys, audiences }));
  if (options.bootstrapTokens) tokens.push(new BootstrapTokenAuthenticator(store, clock, dialect, audiences));
  const issuers = new JwtIssuers(options.jwt, {
    clock,
    follow: dependencies.follow,
    credentialKey: credentialKey(dialect),
  });
  tokens.push(issuers);
  if (options.webhook) {
    tokens.push(new WebhookTokenAuthenticator(options.webhook, { ...dependencies, audiences }));
  }
  const { method = unchanged, token = unchanged } = dependencies.around ?? {};
  const bearer = new BearerAuthenticator(tokens.map(token), audiences, dialect.apiDomain);
  const methods: Authenticator[] = [];
  if (options.clientCa) {
    methods.push(new ClientCertificateAuthenticator(options.clientCa, clock, credentialKey(dialect)));
  }
  methods.push(bearer);
  const anonymous = new AnonymousAuthenticator(options.anonymous);
  return {
    authenticator: new UnionAuthenticator(methods.map(method), method(anonymous)),
    tokens: bearer,
    accountKeys: keys,
    replace: (config) => {
      anonymous.replace(config.anonymous);
      return issuers.replace(config.jwt);
    },
  };
}

const unchanged = <T>(method: T): T => method;

/** Name of the extra that tells which credential a user came with. */
export function credentialKey(dialect: Dialect): string {
  return `authentication.${dialect.labelDomain}/credential-id`;
}
