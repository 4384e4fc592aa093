import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { Follow } from '../../fixtures/follow.ts';
import type { GroupResource } from '../api/groupVersion.ts';
import type { JsonObject } from '../api/json.ts';
import type { SubjectExpression } from '../cel/claimExpressions.ts';
import type { KeyObject } from '../ports/keys.ts';
import type { AuditOptions } from './auditOptions.ts';
import type { ConfigSource } from './configSource.ts';
import type { Release } from './release.ts';
import type { RemoteService } from './remoteService.ts';

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
  /** How often the server renews its identity Lease, 0 for none, and how long that counts; milliseconds. */
  readonly identityLease: { readonly renewInterval: number; readonly duration: number };
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
  /** Plain HTTP, on loopback; undefined: none. */
  readonly insecurePort: number | undefined;
  /** PEM; undefined: make one at start. */
  readonly tls: { readonly certificate: string; readonly key: string } | undefined;
  readonly minimumTlsVersion: 'TLSv1.2' | 'TLSv1.3';
  /** Whether HTTP/2 is served beside HTTP/1.1. */
  readonly http2: boolean;
  /** 0: no limit. */
  readonly maxReadsInFlight: number;
  readonly maxWritesInFlight: number;
  /** Whether requests are sorted into priority levels with fair queues; else the two numbers above are all. */
  readonly priorityAndFairness: boolean;
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
  readonly claimRules?: readonly TokenValidationRule[];
  /** Over the user that the claims make; all must be true. */
  readonly userRules?: readonly TokenValidationRule[];
}
/** A claim taken as it is, behind a prefix. */
export interface ClaimSource {
  readonly claim: string;
  readonly prefix: string;
}
export interface ExpressionSource {
  readonly expression: SubjectExpression;
}
export interface TokenValidationRule extends ExpressionSource {
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

/** One line of an ABAC policy file. Empty fields match nothing; `*` matches all. */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

/** One row of the static token file (2/methods/t1.2). */
export interface StaticToken {
  readonly token: string;
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
}

/** Which API versions and resources are served, as far as `--runtime-config` tells. */
export interface RuntimeConfig {
  /** `undefined` where the flag is silent, so that the version's own default counts. */
  version(group: string, version: string): boolean | undefined;
  /** `undefined` where the flag is silent; otherwise it overrules what holds for the version. */
  resource(group: string, version: string, resource: string): boolean | undefined;
  /** Versions named, for the check that they exist; the core group is the empty one. */
  readonly named: readonly NamedVersion[];
}

/** A version of a group as a key of the flag names it. */
export interface NamedVersion {
  readonly group: string;
  readonly version: string;
}

/** The gates of a release, each on or off. */
export interface FeatureGates {
  /** Whether a gate is on; a gate that this release does not know is off. */
  enabled(name: string): boolean;
  /** Every gate of the release in order of name, for metrics and help. */
  list(): readonly { readonly name: string; readonly stage: GateSpan['stage']; readonly on: boolean }[];
}

/** How a gate stands from one minor release on. */
export interface GateSpan {
  /** Minor release, of major 1, from which this holds. */
  readonly since: number;
  /** `Removed`: the release knows the gate no more. */
  readonly stage: 'Alpha' | 'Beta' | 'GA' | 'Deprecated' | 'Removed';
  readonly on: boolean;
  /** The value can no longer be chosen. */
  readonly locked?: boolean;
}

export type ControllerName = keyof typeof OPTIONAL_CONTROLLERS;

/** A key of a provider, by the name that what it encrypts is marked with. */
export interface EncryptionKey {
  readonly name: string;
  readonly secret: Uint8Array;
}

/** How objects are kept: as they are, or encrypted by one of several keys. */
export type EncryptionProvider =
  | { readonly kind: 'identity' }
  | { readonly kind: CipherName; readonly keys: readonly EncryptionKey[] };

/** What some resources are kept with. `*` stands for every resource of a group, `*` in both for every resource at all. */
export interface EncryptionRule {
  readonly resources: readonly GroupResource[];
  /** The first one writes, all read. */
  readonly providers: readonly EncryptionProvider[];
}

/** Controllers that a flag can turn off, by their names, each with a former one where it has been called otherwise. */
export const OPTIONAL_CONTROLLERS = {
  'persistentvolume-protection-controller': 'pv-protection',
  'persistentvolumeclaim-protection-controller': 'pvc-protection',
  'resourcequota-controller': 'resourcequota',
  'validatingadmissionpolicy-status-controller': undefined,
} as const;

/** How a provider encrypts. */
export type CipherName = 'aesgcm' | 'aescbc' | 'secretbox';
