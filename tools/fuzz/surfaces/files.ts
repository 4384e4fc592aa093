import type { Json, JsonObject } from '../../../reference/api/json.ts';
import { yamlText } from '../../../reference/codecs/yamlText.ts';
import { readOptions } from '../../../reference/options/loadOptions.ts';
import { diskFiles } from '../../../reference/ports/disk.ts';
import { FileFault } from '../../../reference/ports/files.ts';
import { createReference } from '../../../reference/reference.ts';
import { Finding, FuzzServer, textOf } from '../server.ts';
import { bent, bentBytes, pick, rarely, upTo } from '../values.ts';
import type { Surface } from './surface.ts';

const KUBECONFIG: JsonObject = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1/hook', 'insecure-skip-tls-verify': true } }],
  users: [{ name: 'u', user: { token: 'a' } }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  'current-context': 'x',
};

/** What each flag that names a file takes; text, or an object that is written as YAML. */
const FILES: Readonly<Record<string, JsonObject | string>> = {
  'authentication-config': {
    apiVersion: 'apiserver.config.k8s.io/v1beta1',
    kind: 'AuthenticationConfiguration',
    anonymous: { enabled: true, conditions: [{ path: '/livez' }] },
    jwt: [
      {
        issuer: { url: 'https://issuer.example', audiences: ['a', 'b'], audienceMatchPolicy: 'MatchAny' },
        claimValidationRules: [
          { claim: 'hd', requiredValue: 'x' },
          { expression: 'claims.a == 1', message: 'm' },
        ],
        claimMappings: {
          username: { expression: 'claims.sub' },
          groups: { claim: 'groups', prefix: 'g:' },
          uid: { claim: 'uid' },
          extra: [{ key: 'example.com/a', valueExpression: 'claims.a' }],
        },
        userValidationRules: [{ expression: "!user.username.startsWith('system:')", message: 'm' }],
      },
    ],
  },
  'authorization-config': {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: [
      {
        type: 'Webhook',
        name: 'w',
        webhook: {
          authorizedTTL: '30s',
          unauthorizedTTL: '30s',
          timeout: '3s',
          subjectAccessReviewVersion: 'v1',
          matchConditionSubjectAccessReviewVersion: 'v1',
          failurePolicy: 'NoOpinion',
          connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'kubeconfig' },
          matchConditions: [{ expression: "request.user != 'a'" }],
        },
      },
      { type: 'RBAC', name: 'r' },
    ],
  },
  'authorization-policy-file': `${JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec: { user: 'a', resource: '*', namespace: 'b', readonly: true } })}\n`,
  'authorization-webhook-config-file': KUBECONFIG,
  'authentication-token-webhook-config-file': KUBECONFIG,
  'token-auth-file': 'token,user,uid,"a,b"\nother,user2,uid2\n',
  'encryption-provider-config': {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [
      {
        resources: ['secrets', '*.apps', '*.*'],
        providers: [
          { aesgcm: { keys: [{ name: 'k', secret: Buffer.alloc(32, 7).toString('base64') }] } },
          { secretbox: { keys: [{ name: 's', secret: Buffer.alloc(32, 8).toString('base64') }] } },
          { identity: {} },
        ],
      },
    ],
  },
  'audit-policy-file': {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [
      { level: 'Request', users: ['a'], verbs: ['get'], resources: [{ group: '', resources: ['pods/*'] }] },
      { level: 'None', nonResourceURLs: ['/healthz*'], namespaces: ['a'], userGroups: ['g'] },
      { level: 'RequestResponse', omitManagedFields: true },
    ],
  },
  'webhook-service-resolver': { 'default/a': '127.0.0.1:1' },
  'oidc-ca-file': 'none',
  'service-account-key-file': 'none',
};
/** What other flags a flag needs. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  'authorization-policy-file': ['--authorization-mode=ABAC,RBAC'],
  'authorization-webhook-config-file': ['--authorization-mode=Webhook,RBAC'],
  'oidc-ca-file': ['--oidc-issuer-url=https://issuer.example', '--oidc-client-id=a'],
};
/** What no operator should have to read. */
const UNREADABLE = /TypeError|RangeError|is not a function|Cannot read|undefined \(|\[object Object\]|\bat .*\.ts:/;

/** The files that flags name. */
export const files: Surface = {
  name: 'files',
  about:
    'configuration files with values, fields and bytes changed: the server starts with them, or a sentence says why not',
  start: () => FuzzServer.start(),
  async run(draw, base) {
    const flag = pick(draw, Object.keys(FILES));
    const good = FILES[flag] as JsonObject | string;
    let value: Json = good;
    if (typeof good !== 'string') for (let left = 1 + upTo(draw, 2); left > 0; left--) value = bent(draw, value);
    const whole = Buffer.from(typeof value === 'string' ? value : yamlText(value));
    const text = textOf(rarely(draw, 3) || typeof good === 'string' ? bentBytes(draw, whole) : whole);
    const sent = [`--${flag}`, text];
    let loaded: ReturnType<typeof readOptions>;
    try {
      loaded = readOptions(['--clock=virtual', '--seed=1', `--${flag}=file`, ...(BESIDE[flag] ?? [])], {
        read(path) {
          if (path === 'file') return text;
          if (path === 'kubeconfig') return yamlText(KUBECONFIG);
          if (path.startsWith('/')) return diskFiles.read(path);
          throw new FileFault(`${path}: no such file`);
        },
      });
    } catch (error) {
      throw new Finding(`reading threw ${error instanceof Error ? error.stack : String(error)}`, sent);
    }
    if ('errors' in loaded) {
      const bad = loaded.errors.find((sentence) => UNREADABLE.test(sentence) || sentence.trim() === '');
      if (bad !== undefined) throw new Finding(`an operator is told ${JSON.stringify(bad)}`, sent);
      return;
    }
    if (!rarely(draw, 4)) return;
    const server = await createReference(loaded.options);
    await server.close();
    await base.send({ method: 'GET', target: '/livez' });
  },
};
