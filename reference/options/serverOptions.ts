import type { KeyObject } from 'node:crypto';
import type { Follow } from '../../fixtures/departures.ts';
import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { JsonObject } from '../api/json.ts';
import type { EncryptionRule } from '../storage/encryption/encryption.ts';
import type { Release } from '../versions/release.ts';
import type { AbacPolicy } from './abacPolicy.ts';
import type { AuditOptions } from './auditOptions.ts';
import type { SubjectExpression } from './claimExpressions.ts';
import type { RemoteService } from './clientConfig.ts';
import type { ConfigSource } from './configSource.ts';
import type { ControllerName } from './controllerNames.ts';
import type { FeatureGates } from './featureGates.ts';
import type { RuntimeConfig } from './runtimeConfig.ts';
import type { StaticToken } from './staticTokens.ts';

/** Everything a server is started with. Files are read and proved good: what stands here can be used as it is. */
export interface ServerOptions {
  readonly release: Release;
  readonly dialect: Dialect;
  readonly follow: Follow;
  /** Seed of everything drawn by chance; undefined: real chance. */
  readonly seed: number | undefined;
  readonly clock: 'system' | 'virtual' | 'running';
  readonly serving: ServingOptions;
  readonly authentication: AuthenticationOptions;
  readonly authorization: AuthorizationOptions;
  readonly admission: AdmissionOptions;
  /** Those that run of the controllers that can be chosen. */
  readonly controllers: ReadonlySet<ControllerName>;
  readonly features: FeatureGates;
  readonly runtimeConfig: RuntimeConfig;
  readonly audit: AuditOptions;
  /** Why requests were answered as they were is kept, and told to those who may ask. */
  readonly explain: boolean;
  readonly storage: StorageOptions;
  readonly health: HealthOptions;
  /** Metrics hidden since this release are shown; undefined: none. */
  readonly showHiddenMetricsFor: Release | undefined;
}

/** Plugins by name, and where the services are that webhook configurations name. */
export interface AdmissionOptions {
  readonly enable: readonly string[];
  readonly disable: readonly string[];
  /** By `namespace/name:port`, or by `namespace/name` for every port; undefined: none is known. */
  readonly services?: ReadonlyMap<string, { readonly host: string; readonly port: number }>;
}

/** Times are in milliseconds. */
export interface ServingOptions {
  readonly bindAddress: string;
  /** 0: a free port. */
  readonly securePort: number;
  /** Plain HTTP; 0: a free port; undefined: none. */
  readonly insecurePort: number | undefined;
  /** PEM; undefined: make one at start. */
  readonly tls: { readonly certificate: string; readonly key: string } | undefined;
  readonly minimumTlsVersion: 'TLSv1.2' | 'TLSv1.3';
  /** 0: no limit. */
  readonly maxReadsInFlight: number;
  readonly maxWritesInFlight: number;
  readonly requestTimeout: number;
  readonly minimumWatchTime: number;
  readonly eventTtl: number;
}
export interface HealthOptions {
  readonly livezGracePeriod: number;
  readonly shutdownDelay: number;
  /** How long the store may take to answer: a check of health, a check of readiness. */
  readonly storeHealthTimeout: number;
  readonly storeReadyTimeout: number;
}
export interface StorageOptions {
  /** A cluster to keep objects in; undefined: they are kept by this server. */
  readonly etcd?: EtcdOptions;
  readonly dataDirectory: string | undefined;
  /** Which resources are kept encrypted; undefined: none. */
  readonly encryption?: EncryptionOptions;
  /** How long a state that was replaced can still be read, in milliseconds; Infinity: until there are too many. */
  readonly historyWindow: number;
}

export interface EtcdOptions {
  /** URLs of members; at least one. */
  readonly servers: readonly string[];
  /** What all keys of this service begin with. */
  readonly prefix: string;
  /** PEM. */
  readonly tls: { readonly ca?: string; readonly certificate?: string; readonly key?: string };
}
export interface EncryptionOptions {
  readonly rules: readonly EncryptionRule[];
  /** The file that the rules stand in, when it may change them. */
  readonly file?: ConfigSource<readonly EncryptionRule[]>;
}

export interface AuthenticationOptions {
  readonly anonymous: AnonymousOptions;
  /** PEM certificates; undefined: client certificates are not looked at. */
  readonly clientCa: readonly string[] | undefined;
  readonly staticTokens: readonly StaticToken[] | undefined;
  readonly bootstrapTokens: boolean;
  readonly serviceAccounts: ServiceAccountOptions;
  readonly webhook: TokenWebhookOptions | undefined;
  /** Issuers of ID tokens, each with what its claims mean. */
  readonly jwt: readonly JwtOptions[];
  /** The file that issuers and anonymous access stand in, when it may change them. */
  readonly file?: ConfigSource<Pick<AuthenticationOptions, 'jwt' | 'anonymous'>>;
  /** What tokens for this server must name, where the method knows audiences. */
  readonly audiences: readonly string[];
}
export interface JwtIssuerOptions {
  /** What tokens and the discovery document must say, letter by letter. */
  readonly url: string;
  /** Where the discovery document is, when not at its usual place. */
  readonly discoveryUrl: string | undefined;
  /** PEM; undefined: the authorities that the machine trusts. */
  readonly ca: string | undefined;
  /** A token must name one of these. */
  readonly audiences: readonly string[];
}
export interface JwtOptions {
  readonly issuer: JwtIssuerOptions;
  readonly signingAlgorithms: readonly string[];
  readonly requiredClaims: readonly { readonly claim: string; readonly value: string }[];
  readonly username: ClaimSource | ExpressionSource;
  readonly groups: ClaimSource | ExpressionSource | undefined;
  readonly uid: { readonly claim: string } | ExpressionSource | undefined;
  readonly extra?: readonly ({ readonly key: string } & ExpressionSource)[];
  /** Over the claims; all must be true. */
  readonly claimRules?: readonly ExpressionRule[];
  /** Over the user that the claims make; all must be true. */
  readonly userRules?: readonly ExpressionRule[];
}
/** A claim taken as it is, behind a prefix. */
export interface ClaimSource {
  readonly claim: string;
  readonly prefix: string;
}
export interface ExpressionSource {
  readonly expression: SubjectExpression;
}
export interface ExpressionRule extends ExpressionSource {
  /** Tells the reader of the log why a token was refused; may be empty. */
  readonly message: string;
}
export interface TokenWebhookOptions {
  readonly remote: RemoteService;
  readonly version: 'v1' | 'v1beta1';
  /** Milliseconds. */
  readonly cacheTtl: number;
}
export interface AnonymousOptions {
  readonly enabled: boolean;
  /** Only these paths may be asked anonymously; undefined: every path. */
  readonly paths: readonly string[] | undefined;
}
export interface ServiceAccountOptions {
  /** Public keys that check tokens, in the order given; empty: the signing key, or one made at start. */
  readonly keys: readonly KeyObject[];
  /** Signs; undefined: one made at start. */
  readonly signingKey: KeyObject | undefined;
  /** The first one signs; all are accepted. */
  readonly issuers: readonly string[];
  readonly jwksUri: string | undefined;
  readonly lookup: boolean;
  /** Milliseconds; undefined: no limit. */
  readonly maxExpiration: number | undefined;
  readonly extendExpiration: boolean;
}

export interface AuthorizationOptions {
  /** In the order asked; `system:masters` comes before all of them. */
  readonly authorizers: readonly AuthorizerOptions[];
  /** The file that they stand in, when it may change them. */
  readonly file?: ConfigSource<readonly AuthorizerOptions[]>;
}
export type AuthorizerOptions =
  | { readonly type: 'AlwaysAllow' | 'AlwaysDeny' | 'RBAC' | 'Node'; readonly name: string }
  | { readonly type: 'Webhook'; readonly name: string; readonly webhook: AuthorizationWebhookOptions }
  | { readonly type: 'ABAC'; readonly name: string; readonly policy: readonly AbacPolicy[] };
export interface AuthorizationWebhookOptions {
  readonly remote: RemoteService;
  readonly version: 'v1' | 'v1beta1';
  /** Milliseconds. */
  readonly timeout: number;
  readonly authorizedTtl: number;
  readonly unauthorizedTtl: number;
  /** What a call that fails means (2/authorization-configuration-file/t1.7). */
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** All must hold for the remote service to be asked. */
  readonly conditions: readonly AccessCondition[];
}
/** Whether a remote service is to be asked about an access, told as a v1 SubjectAccessReview; may throw. */
export type AccessCondition = (review: JsonObject) => boolean;
