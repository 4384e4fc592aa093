import type { Awaitable } from '../api/awaitable.ts';
import type { FieldError } from '../api/fieldError.ts';
import type { GroupResource, GroupVersionKind } from '../api/groupVersion.ts';
import type { User } from '../api/identity.ts';
import type { JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import type { Exchange, Verb } from '../api/request.ts';
import type { Staged } from '../api/staged.ts';
import type { Random } from '../random.ts';
import type { Decoded } from '../schema/decode.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import type { Store } from './store.ts';

/**
 * What a resource type is. A value: built-in types are made from data at start-up, custom ones from their
 * definitions while the server runs. The verbs serve any of them.
 */
export interface ResourceType {
  readonly group: string;
  /** Plural, as in paths. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** By version name, in order of preference. */
  readonly versions: ReadonlyMap<string, TypeVersion>;
  /** The version in which objects are stored and in which strategies see them. */
  readonly storageVersion: string;
  /** The version that discovery says objects are stored in, where that is another one. */
  readonly toldStorageVersion?: string | undefined;
  /** The type under which objects are stored, where that is another one: both are views of the same objects. */
  readonly storedAs?: GroupResource;
  /** Types whose objects are not stored but made for each reading, in the version served. */
  readonly computed?: () => readonly ApiObject[];
  readonly strategy: Strategy;
  /** True for types made from a definition: no Protobuf, no strategic merge, values kept as given. */
  readonly custom: boolean;
  /**
   * The type as requests to one version see it. For custom types objects, schema and strategy are in that version, which
   * counts as the storage version, and what lies in the store is the business of the version's `store`; for built-in
   * ones only the strategy may be another.
   */
  readonly seenIn?: (version: string) => ResourceType;
}

/** One version of a type, as served. */
export interface TypeVersion {
  readonly version: string;
  readonly served: boolean;
  readonly verbs: readonly Verb[];
  readonly schema: ObjectSchema;
  readonly subresources: readonly Subresource[];
  readonly columns: readonly Column[] | undefined;
  /** Set when calls to this version must warn (3/behavior-when-a-deprecated-endpoint-is-called). */
  readonly deprecation?: { readonly warning: string; readonly removedRelease?: string };
  /**
   * Reads a body of a custom type: prunes, keeps values as given, and names what it left out. Built-in types are
   * decoded by their schema. Throws ApiError. The argument must not be changed; the result belongs to the caller.
   */
  readonly decode?: (json: JsonObject) => Decoded;
  /** The same, with turns for others meanwhile. */
  readonly decodeInParts?: (json: JsonObject) => Staged<Decoded>;
  /** Fills what defaults in the schema cannot say. The object belongs to the caller and is changed in place. */
  readonly applyDefaults?: (object: ApiObject) => void;
  /** Between this version and the storage version; identity when undefined. The argument must not be changed. */
  readonly toStorage?: (object: ApiObject) => ApiObject;
  readonly fromStorage?: (object: ApiObject) => ApiObject;
  /** The same where a webhook has to be asked; what is above only renames then. Throws ApiError 500 where it fails. */
  readonly asked?: {
    toStorage(object: ApiObject): Promise<ApiObject>;
    fromStorage(object: ApiObject): Promise<ApiObject>;
  };
  /** The store as requests to this version see it: objects converted, pruned and defaulted by today's definition. */
  readonly store?: (store: Store) => Store;
  /** Fields usable in a field selector besides metadata.name and metadata.namespace: path to value. */
  readonly selectableFields?: ReadonlyMap<string, (object: ApiObject) => string>;
  /** Types that represent an operation: create computes an answer and stores nothing (1/terminology/t1.6). */
  readonly operation?: (operations: Operations) => VirtualOperation;
}

/**
 * What a server computes: types hold nothing of the server that serves them. A missing one is refused with 405.
 */
export interface Operations {
  /** What types that are an operation do, by group prefix and plural: `authorization/subjectaccessreviews`, `/bindings`. */
  readonly types: Readonly<Record<string, VirtualOperation>>;
  /**
   * What subresources that compute an answer do, by group prefix, plural and name: `/pods/eviction`,
   * `/serviceaccounts/token`.
   */
  readonly subresources: Readonly<Record<string, SubresourceOperation>>;
}

/** Computes the answer of a virtual resource type from the object sent, and changes nothing in a dry run. Throws ApiError. */
export type VirtualOperation = (
  object: ApiObject,
  exchange: Exchange,
  dryRun: boolean,
) => ApiObject | Promise<ApiObject>;

/**
 * `status` writes only `status`; `scale` is a view with a kind of its own; `part` writes named fields only, by a
 * strategy; `operation` computes an answer.
 */
export type Subresource = { readonly name: string; readonly verbs: readonly Verb[] } & (
  | { readonly form: 'status'; readonly strategy?: Strategy }
  | { readonly form: 'scale'; readonly scale: ScaleMapping }
  | { readonly form: 'part'; readonly strategy: Strategy }
  | {
      readonly form: 'operation';
      readonly kind: GroupVersionKind;
      readonly schema: ObjectSchema;
      /** Changes or replaces `parent`, or only answers; run inside the write loop of the parent. */
      readonly run: (operations: Operations) => SubresourceOperation;
      /** Set where it reaches into what runs: every method does the same, with the options of the query as its body. */
      readonly connects?: boolean;
    }
);

export interface SubresourceOperation {
  (call: {
    readonly parent: ApiObject;
    readonly body: ApiObject;
    readonly exchange: Exchange;
    readonly dryRun: boolean;
  }): Promise<{ readonly answer: ApiObject; readonly code: number; readonly parent?: ApiObject }>;
  /** The body with what the operation fills in before admission judges it; the arguments are not changed. */
  readonly complete?: (body: ApiObject, parent: ApiObject) => ApiObject;
}

/** Where a type keeps what the scale subresource shows; paths are dotted. */
export interface ScaleMapping {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly selector?: string;
  /** The view cannot be made while the wanted replicas are not set (custom types). */
  readonly required?: boolean;
  /** Kind of the view; autoscaling/v1 Scale unless told. */
  readonly kind?: GroupVersionKind;
  /** The view tells its selector as labels too, as beta versions of workloads do. */
  readonly labels?: boolean;
}

/** A column of the Table representation. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  /** The cell of an object; `now` in milliseconds serves ages. */
  readonly cell: (object: ApiObject, now: number) => unknown;
}

/** What a strategy may know of the request it serves. */
export interface WriteContext {
  readonly user: User;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly uuid: () => string;
  readonly warn: (text: string) => void;
  readonly version: string;
}

/** What a strategy may take from that the service gives out, such as addresses. */
export interface AllocationDependencies {
  readonly store: Store;
  readonly random: Random;
  /** Nothing is taken in a dry run; what would be taken is shown. */
  readonly dryRun: boolean;
}
/** What was taken by a write; called once, when it is known whether the object was stored. */
export type Settle = (stored: boolean) => void;

/**
 * What data cannot say about writing a type. Objects are in the storage version; `object` belongs to the write
 * and may be changed in place by the prepare steps, `old` is shared and must not be.
 */
export interface Strategy {
  /** Checks metadata.name; an empty list means valid. `prefix` is true for a generateName. */
  readonly validateName: (name: string, prefix: boolean) => readonly string[];
  /** Whether metadata.generation exists, and counts changes outside metadata and status. */
  readonly generation?: boolean | undefined;
  /** PUT on a missing object creates it (1/verbs/3). */
  readonly createOnUpdate?: boolean | undefined;
  /** PUT without resourceVersion overwrites whatever is there. */
  readonly unconditionalUpdate?: boolean | undefined;
  /**
   * Takes what the service gives out and fills it in, before preparation and validation; `old` is undefined for a
   * new object. Throws ApiError, having taken nothing then.
   */
  readonly allocate?: (
    object: ApiObject,
    old: ApiObject | undefined,
    dependencies: AllocationDependencies,
  ) => Awaitable<Settle | undefined>;
  readonly prepareForCreate?: ((object: ApiObject, context: WriteContext) => void) | undefined;
  readonly prepareForUpdate?: ((object: ApiObject, old: ApiObject, context: WriteContext) => void) | undefined;
  readonly validate?: ((object: ApiObject, context: WriteContext) => FieldError[]) | undefined;
  readonly validateUpdate?: ((object: ApiObject, old: ApiObject, context: WriteContext) => FieldError[]) | undefined;
  /**
   * What `validate` finds, or with an old state `validateUpdate`, with turns for others meanwhile: for types whose large
   * objects take long to judge.
   */
  readonly validateInParts?:
    | ((object: ApiObject, old: ApiObject | undefined, context: WriteContext) => Staged<FieldError[]>)
    | undefined;
  /** Texts for Warning headers about a valid object; `old` is undefined for a new one. */
  readonly warnings?: (object: ApiObject, old: ApiObject | undefined) => readonly string[];
  /** Deletes answer the object as it was instead of a Status (delete/shapes). */
  readonly deleteReturnsObject?: boolean | undefined;
  /** Seconds of grace on deletion, or undefined where the type has none. */
  readonly graceSeconds?: (object: ApiObject, asked: number | undefined) => number;
  /** Top-level fields that writes to the object (not to the subresource) leave alone, for ownership too. */
  readonly resetFields?: readonly (readonly string[])[] | undefined;
  /** Fields that nobody comes to own by writing through this endpoint, where these are others than the reset fields. */
  readonly unownedFields?: readonly (readonly string[])[] | undefined;
  /** New objects keep what they bring in the reset fields, though it is not counted as owned. */
  readonly keepsStatusOnCreate?: boolean | undefined;
}

const NAME_DESCRIPTION =
  'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names';

const CREATED_DESCRIPTION =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';

/** Columns of types that bring none of their own. */
export const DEFAULT_COLUMNS: readonly Column[] = [
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    description: NAME_DESCRIPTION,
    priority: 0,
    cell: (object) => object.metadata.name ?? '',
  },
  {
    name: 'Created At',
    type: 'date',
    format: '',
    description: CREATED_DESCRIPTION,
    priority: 0,
    cell: (object) => object.metadata.creationTimestamp ?? null,
  },
];
