import type { SubjectName } from '../../fixtures/ledger/index.ts';
import type { Capability } from '../harness/index.ts';
import {
  type Actor,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  defineType,
  groupOf,
  type Kind,
  webhookConfigurations,
} from '../harness/index.ts';

/** Members of an object beside its metadata. */
export type Content = Readonly<Record<string, unknown>>;

/** A type that rules for all types are checked on, with what an object of it holds. */
export interface TestedType {
  readonly name: SubjectName;
  readonly needs: readonly Capability[];
  /** The kind; a custom type is defined first. */
  readonly kind: (author: Actor) => Promise<Kind>;
  /** Content that differs for each word, and is legal. */
  readonly content: (author: Actor, word: string) => Content;
}

const OBJECT = { type: 'object' } as const;
const TEXTS = { ...OBJECT, additionalProperties: { type: 'string' } } as const;

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
        properties: { spec: { ...TEXTS }, count: { type: 'integer' } },
      })),
    content: (_, word) => ({ spec: { word } }),
  },
};

function subject(name: SubjectName, kind: Kind, content: TestedType['content']): TestedType {
  return { name, needs: [], kind: async () => kind, content };
}

/** A webhook for a type that nobody serves, so that it is never called. */
function uncalledWebhook(word: string): Content {
  return {
    name: 'uncalled.touchstone.example',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { url: `https://touchstone.invalid/${word}` },
    rules: [
      { apiGroups: ['none.touchstone.example'], apiVersions: ['v1'], resources: ['nothing'], operations: ['CREATE'] },
    ],
  };
}
