import type { OtherType, SubjectName } from '../../fixtures/ledger/index.ts';
import type { Capability } from '../harness/index.ts';
import {
  type Actor,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  defineType,
  groupOf,
  type Kind,
  leases,
  namespaces,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
  webhookConfigurations,
} from '../harness/index.ts';
import { services } from './server-side-apply-rules/services.ts';

/** Members of an object beside its metadata. */
export type Content = Readonly<Record<string, unknown>>;

/** A type that rules for all types are checked on, with what an object of it holds. */
export interface TestedType {
  readonly name: SubjectName | OtherType;
  readonly needs: readonly Capability[];
  /** The kind; a custom type is defined first. */
  readonly kind: (author: Actor) => Promise<Kind>;
  /** Content that differs for each word, and is legal. */
  readonly content: (author: Actor, word: string) => Content;
  /**
   * As what whole objects are sent unless a check says it, so that every rule meets both: of each scope, of the core, of
   * a named group and custom there is one that is sent as YAML, which any JSON is.
   */
  readonly sentAs: 'application/json' | 'application/yaml';
}

const IN_YAML: readonly TestedType['name'][] = ['secrets', 'leases', 'clusterroles', 'rolebindings', 'custom-cluster'];
const sentAs = (name: TestedType['name']) => (IN_YAML.includes(name) ? 'application/yaml' : 'application/json');

const OBJECT = { type: 'object' } as const;
const TEXTS = { ...OBJECT, additionalProperties: { type: 'string' } } as const;
const NAMED = { ...OBJECT, properties: { name: { type: 'string' } } } as const;
/** An item of a list of a custom type, with objects in an object, a list and a map. */
const PART = {
  ...OBJECT,
  properties: {
    ...NAMED.properties,
    inner: NAMED,
    items: { type: 'array', items: NAMED },
    byName: { ...OBJECT, additionalProperties: NAMED },
  },
} as const;

export const SUBJECT: Readonly<Record<SubjectName, TestedType>> = {
  configmaps: subject('configmaps', configMaps, (_, word) => ({ data: { word } })),
  clusterroles: subject('clusterroles', clusterRoles, (_, word) => ({
    rules: [{ apiGroups: [''], resources: ['configmaps'], resourceNames: [word], verbs: ['get'] }],
  })),
  clusterrolebindings: subject('clusterrolebindings', clusterRoleBindings, ({ dialect }, word) => ({
    ...clusterRoleBindings.least(dialect),
    subjects: [{ kind: 'User', apiGroup: groupOf(clusterRoleBindings, dialect), name: `touchstone-${word}` }],
  })),
  validatingwebhookconfigurations: subject('validatingwebhookconfigurations', webhookConfigurations, (_, word) => ({
    webhooks: [uncalledWebhook(word)],
  })),
  custom: {
    name: 'custom',
    needs: ['custom-types'],
    kind: (author) =>
      defineType(author, author.dialect, () => ({
        ...OBJECT,
        properties: { spec: { ...TEXTS }, count: { type: 'integer' }, parts: { type: 'array', items: PART } },
      })),
    content: (_, word) => ({ spec: { word } }),
    sentAs: sentAs('custom'),
  },
};

/** Types that rules for all types are checked on once. Their content differs for each word but that of namespaces. */
export const OTHER: Readonly<Record<OtherType, TestedType>> = {
  secrets: subject('secrets', secrets, (_, word) => ({ data: { word: Buffer.from(word).toString('base64') } })),
  serviceaccounts: subject('serviceaccounts', serviceAccounts, (_, word) => ({ imagePullSecrets: [{ name: word }] })),
  services: subject('services', services, (_, word) => ({
    // Applied ports are told apart by their protocols too, which some releases have no default for.
    spec: { clusterIP: 'None', ports: [{ name: 'a', port: 80, protocol: 'TCP' }], selector: { word } },
  })),
  leases: subject('leases', leases, (_, word) => ({ spec: { holderIdentity: word } })),
  roles: subject('roles', roles, (_, word) => ({
    rules: [{ apiGroups: [''], resources: ['configmaps'], resourceNames: [word], verbs: ['get'] }],
  })),
  rolebindings: subject('rolebindings', roleBindings, ({ dialect }, word) => ({
    ...roleBindings.least(dialect),
    subjects: [{ kind: 'User', apiGroup: groupOf(roleBindings, dialect), name: `touchstone-${word}` }],
  })),
  namespaces: subject('namespaces', namespaces, () => ({})),
  'custom-cluster': {
    name: 'custom-cluster',
    needs: ['custom-types'],
    kind: (author) =>
      defineType(author, author.dialect, () => ({ ...OBJECT, properties: { spec: { ...TEXTS } } }), false),
    content: (_, word) => ({ spec: { word } }),
    sentAs: sentAs('custom-cluster'),
  },
};

/** Any of them by its name. */
export function tested(name: SubjectName | OtherType): TestedType {
  return { ...SUBJECT, ...OTHER }[name];
}

function subject(name: TestedType['name'], kind: Kind, content: TestedType['content']): TestedType {
  return { name, needs: [], kind: async () => kind, content, sentAs: sentAs(name) };
}

/** A webhook for a type that nobody serves, so that it is never called. */
function uncalledWebhook(word: string): Content {
  return {
    name: 'uncalled.touchstone.example',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { url: `https://touchstone.invalid/${word}` },
    rules: [
      {
        apiGroups: ['none.touchstone.example'],
        apiVersions: ['v1'],
        resources: ['nothing'],
        operations: ['CREATE'],
        // As it is read: in a list that is atomic a default that is left out makes another value.
        scope: '*',
      },
    ],
  };
}
