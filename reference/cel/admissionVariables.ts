import type { DeclaredField, DeclaredType } from './declaredType.ts';
import { DYN } from './declaredType.ts';

const STRING: DeclaredType = { kind: 'string' };
const BOOL: DeclaredType = { kind: 'bool' };
const INT: DeclaredType = { kind: 'int' };
const TIME: DeclaredType = { kind: 'timestamp' };
const STRINGS: DeclaredType = { kind: 'list', items: STRING };
const LABELS: DeclaredType = { kind: 'map', values: STRING };

/** An object type with these fields. */
export function recordType(name: string, fields: Readonly<Record<string, DeclaredType>>): DeclaredType {
  const all = Object.entries(fields).map(([field, type]): [string, DeclaredField] => [field, { type, source: field }]);
  return { kind: 'object', name, fields: new Map(all) };
}

const KIND = recordType('kubernetes.GroupVersionKind', { group: STRING, version: STRING, kind: STRING });
const RESOURCE = recordType('kubernetes.GroupVersionResource', { group: STRING, version: STRING, resource: STRING });
const REQUEST = recordType('kubernetes.AdmissionRequest', {
  kind: KIND,
  resource: RESOURCE,
  subResource: STRING,
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: recordType('kubernetes.UserInfo', {
    username: STRING,
    uid: STRING,
    groups: STRINGS,
    extra: { kind: 'map', values: STRINGS },
  }),
  dryRun: BOOL,
  options: DYN,
});

/** A namespace as far as expressions see it. */
export const NAMESPACE: DeclaredType = recordType('kubernetes.Namespace', {
  metadata: recordType('kubernetes.NamespaceMetadata', {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: LABELS,
    annotations: LABELS,
    UID: STRING,
    creationTimestamp: TIME,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIME,
    generation: INT,
    resourceVersion: STRING,
    finalizers: STRINGS,
  }),
  spec: recordType('kubernetes.NamespaceSpec', { finalizers: STRINGS }),
  status: recordType('kubernetes.NamespaceStatus', {
    conditions: {
      kind: 'list',
      items: recordType('kubernetes.NamespaceCondition', {
        status: STRING,
        type: STRING,
        lastTransitionTime: TIME,
        message: STRING,
        reason: STRING,
      }),
    },
    phase: STRING,
  }),
});

/** What expressions about admission may speak of besides what is always there. */
export interface AdmissionVocabulary {
  /** Type of the variable `params`; undefined: there is none. */
  readonly params?: DeclaredType | undefined;
  readonly authorizer?: boolean;
  /** Type of `object` and `oldObject`; undefined: only evaluation tells. */
  readonly object?: DeclaredType | undefined;
  /** Whether the fields of the namespace are checked; it may be null when an expression runs. */
  readonly strict: boolean;
}

/** The variables of expressions about admission, with their types. */
export function admissionVariables(vocabulary: AdmissionVocabulary): Record<string, DeclaredType> {
  const { params, authorizer, object = DYN, strict } = vocabulary;
  return {
    object,
    oldObject: object,
    namespaceObject: strict ? NAMESPACE : DYN,
    request: REQUEST,
    ...(params ? { params } : {}),
    ...(authorizer ? { authorizer: { kind: 'authorizer' } as const } : {}),
  };
}
