import { HISTORY_WINDOW } from '../contracts/store.ts';
import { AUDIT_FLAGS } from './auditFlags.ts';
import { bool, choice, duration, type Flag, integer, list, pairs, repeated, singlePairs, text } from './flag.ts';

const MINUTE = 60_000;

/** The flags that this server acts on. Names are the specification's, else those of the real server, else our own. */
export const FLAGS = {
  // Serving
  'bind-address': text('ADDRESS', 'address to listen on; loopback unless told', '127.0.0.1'),
  'secure-port': integer('port for HTTPS, HTTP/1.1 and HTTP/2 alike; 0 takes a free one', 6443, 0, 65535),
  'insecure-port': integer('port for plain HTTP on loopback, besides the other one; 0 for none', 0, 0, 65535),
  'tls-cert-file': text('FILE', 'server certificate chain (PEM); made at start when not given'),
  'tls-private-key-file': text('FILE', 'key of the server certificate (PEM)'),
  'cert-dir': text('DIRECTORY', 'where the two are, as apiserver.crt and apiserver.key, unless they are named'),
  'tls-min-version': choice('lowest TLS version', ['VersionTLS12', 'VersionTLS13'], 'VersionTLS12'),
  'disable-http2-serving': bool('serve HTTP/1.1 only', false),
  'enable-priority-and-fairness': bool('sort requests into priority levels with fair queues', true),
  'max-requests-inflight': integer('reads served at the same time; 0 for no limit', 400, 0, 1_000_000),
  'max-mutating-requests-inflight': integer(
    'writes served at the same time; with the reads, what priority levels share; 0 for no limit',
    200,
    0,
    1_000_000,
  ),
  'request-timeout': duration('time after which a request that is no watch is given up', MINUTE),
  'min-request-timeout': integer('least seconds that a watch without timeoutSeconds stays open', 1800, 0, 86_400),
  'event-ttl': duration('time that events are kept', 60 * MINUTE),
  'shutdown-delay-duration': duration('time between not being ready and the end, on shutdown', 0),
  'identity-lease-duration-seconds': integer(
    "seconds for which a renewal of the server's Lease counts",
    3600,
    1,
    2 ** 31 - 1,
  ),
  'identity-lease-renew-interval-seconds': integer(
    "seconds between renewals of the server's Lease; 0 for no Lease",
    10,
    0,
    86_400,
  ),
  'livez-grace-period': duration('time that start-up hooks have before /livez counts them', 0),

  // Authentication (2/methods)
  'anonymous-auth': bool('requests without credentials are system:anonymous', true),
  'client-ca-file': text('FILE', 'CAs whose client certificates are trusted (PEM)'),
  'token-auth-file': text('FILE', 'static tokens (CSV): token, user, uid, "group1,group2"'),
  'enable-bootstrap-token-auth': bool('accept the tokens of bootstrap token secrets', false),
  'service-account-key-file': repeated('FILE', 'key that checks service account tokens (PEM); repeatable'),
  'service-account-signing-key-file': text('FILE', 'private key that signs service account tokens (PEM)'),
  'service-account-issuer': repeated('URL', 'issuer of service account tokens; the first one signs; repeatable'),
  'service-account-jwks-uri': text('URL', 'where the issuer discovery document says the keys are'),
  'service-account-lookup': bool('tokens die with their account, secret or pod', true),
  'service-account-max-token-expiration': duration('longest life of a token; 0 for no limit', 0),
  'service-account-extend-token-expiration': bool('tokens of pods live a year beyond what was asked', true),
  'api-audiences': list('A,B,…', 'audiences that tokens for this server must name; the issuer unless told'),
  'authentication-config': text('FILE', 'AuthenticationConfiguration'),
  'authentication-token-webhook-config-file': text('FILE', 'client configuration of the token review webhook'),
  'authentication-token-webhook-cache-ttl': duration('time that its answers are kept', 2 * MINUTE),
  'authentication-token-webhook-version': text('VERSION', 'version of the TokenReview sent', 'v1beta1'),
  'oidc-issuer-url': text('URL', 'issuer of OIDC tokens; https only'),
  'oidc-client-id': text('ID', 'the audience that OIDC tokens must name'),
  'oidc-username-claim': text('CLAIM', 'claim that is the user name', 'sub'),
  'oidc-username-prefix': text('PREFIX', 'put before user names; - for none'),
  'oidc-groups-claim': text('CLAIM', 'claim that holds the groups'),
  'oidc-groups-prefix': text('PREFIX', 'put before group names'),
  'oidc-required-claim': singlePairs('KEY=VALUE', 'claim that tokens must hold; repeatable'),
  'oidc-ca-file': text('FILE', "CA of the issuer's server (PEM)"),
  'oidc-signing-algs': list('A,B,…', 'signature algorithms accepted', ['RS256']),

  // Authorization (2/authorization)
  'authorization-mode': list(
    'A,B,…',
    'authorizers in the order asked: AlwaysAllow, AlwaysDeny, ABAC, RBAC, Node, Webhook',
    ['Node', 'RBAC'],
  ),
  'authorization-config': text('FILE', 'AuthorizationConfiguration; not together with --authorization-mode'),
  'authorization-policy-file': text('FILE', 'ABAC policy, one JSON object a line'),
  'authorization-webhook-config-file': text('FILE', 'client configuration of the authorization webhook'),
  'authorization-webhook-version': text('VERSION', 'version of the SubjectAccessReview sent', 'v1beta1'),
  'authorization-webhook-cache-authorized-ttl': duration('time that its allowances are kept', 5 * MINUTE),
  'authorization-webhook-cache-unauthorized-ttl': duration('time that its refusals are kept', 30_000),

  // Admission, features, versions
  'enable-admission-plugins': list('A,B,…', 'admission plugins on besides the default ones'),
  'disable-admission-plugins': list('A,B,…', 'admission plugins off'),
  'webhook-service-resolver': text(
    'FILE',
    'where the services of webhook configurations are: namespace/name to host:port',
  ),
  controllers: list('*,A,-B', 'controllers on (* for all that can be left out), or off (-)', ['*']),
  'feature-gates': pairs('GATE=BOOL', 'features on or off'),
  'runtime-config': pairs(
    'GROUP/VERSION=BOOL',
    'API versions on or off; api/all, api/ga, api/beta, api/alpha for many',
  ),
  'show-hidden-metrics-for-version': text('N.M', 'show metrics hidden since the previous minor release'),

  // Observability
  ...AUDIT_FLAGS,
  explain: bool('keep of each request why it was answered as it was, and tell it to those who may ask', false),

  // Storage
  'etcd-servers': list('URL,…', 'use these etcd servers instead of memory'),
  'etcd-prefix': text('PREFIX', 'what all keys in etcd begin with', '/registry'),
  'etcd-cafile': text('FILE', 'CAs of the etcd servers (PEM)'),
  'etcd-certfile': text('FILE', 'client certificate for etcd (PEM)'),
  'etcd-keyfile': text('FILE', 'key of the client certificate for etcd (PEM)'),
  'etcd-healthcheck-timeout': duration('time that the store has to answer health checks', 2_000),
  'etcd-readycheck-timeout': duration('time that the store has to answer readiness checks', 2_000),
  'encryption-provider-config': text('FILE', 'EncryptionConfiguration: which resources are kept encrypted, and how'),
  'encryption-provider-config-automatic-reload': bool('read that file again when it changes', false),
  'data-dir': text('DIRECTORY', 'keep objects here across restarts; memory unless told'),
  'etcd-compaction-interval': duration(
    'time that replaced states can still be read; 0 for as many as fit',
    HISTORY_WINDOW,
  ),

  // Our own
  release: text('N.M', 'release to be: 1.32, or 1.36 where the service is followed, unless it is told'),
  dialect: text('NAME|FILE', 'names to use: kubernetes, cluster, or a file', 'kubernetes'),
  follow: choice('where the real service departs from the text, follow', ['spec', 'service'], 'spec'),
  seed: text('NUMBER', 'make ids, names and keys from this number; by chance unless told'),
  clock: choice(
    'time: of the machine, standing still until advanced, or running from a start that can jump',
    ['system', 'virtual', 'running'],
    'system',
  ),
} satisfies Record<string, Flag<unknown>>;

export type FlagName = keyof typeof FLAGS;

/** What the flags are about, with the first of each group. */
export const GROUPS = {
  Serving: 'bind-address',
  'Who asks': 'anonymous-auth',
  'Who may do what': 'authorization-mode',
  'Admission, features and versions': 'enable-admission-plugins',
  'What is told of it': 'audit-policy-file',
  'Where objects are kept': 'etcd-servers',
  'What no other server has': 'release',
} as const satisfies Readonly<Record<string, FlagName>>;

type ValueOf<F> = F extends Flag<infer T> ? T : never;

/** What the command line says; the initial value where it is silent. */
export type FlagValues = { readonly [N in FlagName]: ValueOf<(typeof FLAGS)[N]> };
