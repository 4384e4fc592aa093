import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { Follow } from '../../fixtures/follow.ts';
import type { GroupResource } from '../api/groupVersion.ts';
import type { ObjectNameRule } from '../api/nameRules.ts';
import type { ApiObject } from '../api/object.ts';
import type { Column, Strategy, SubresourceOperation, TypeVersion } from '../contracts/resourceType.ts';
import type { ModuleText } from '../schema/notation.ts';

/** What rules may depend on besides the object. */
export interface RuleContext {
  readonly dialect: Dialect;
  /** Minor of the release. */
  readonly release: number;
  readonly follow: Follow;
  /** Whether a feature gate is on; where nothing is said of gates, none is. */
  readonly gate?: ((name: string) => boolean) | undefined;
  /** What is wrong with a match condition's expression; undefined when it compiles to a boolean. */
  readonly compileMatchCondition?: ((expression: string, params?: boolean) => string | undefined) | undefined;
}

/** What is known of a type beyond its data. Everything is optional. */
export interface TypeRules {
  readonly strategy?: Partial<Strategy>;
  /** Fills what defaults in the schema cannot say, by version. The object belongs to the caller. */
  readonly defaults?: Readonly<Record<string, (object: ApiObject) => void>>;
  /** Between a version and the storage version, by version; see TypeVersion. Identity where there is none. */
  readonly conversions?: Readonly<Record<string, Pick<TypeVersion, 'toStorage' | 'fromStorage'>>>;
  /** See ResourceType. */
  readonly storedAs?: GroupResource;
  readonly computed?: () => readonly ApiObject[];
  /** Fields for field selectors besides name and namespace. */
  readonly selectableFields?: Readonly<Record<string, (object: ApiObject) => string>>;
  /** What is judged otherwise in requests to a version than in others, by version. */
  readonly strategies?: Readonly<Record<string, Partial<Strategy>>>;
  /** Strategies of subresources that write, by name: `status`, `finalize`. */
  readonly subresources?: Readonly<Record<string, Partial<Strategy>>>;
}
export type RuleMaker = (context: RuleContext) => TypeRules;
/** What versions other than the one in which objects are kept add to the rules of a type, which are given. */
export type DeprecatedVersions = (
  rules: TypeRules,
  context: RuleContext,
) => Pick<TypeRules, 'conversions' | 'defaults' | 'strategies'>;

/** Everything that is a built-in type's own, besides its fields; members are left out where there is nothing to say. */
export interface BuiltinType {
  /** Names, kind, scope and verbs, in the notation of typeLines.ts. */
  readonly resource: string;
  /** A line each, in the same notation. */
  readonly subresources?: readonly string[];
  /** Whether objects count the changes of their content in metadata.generation; a number is the first release in which. */
  readonly generation?: boolean | number;
  /** PUT creates objects that are missing (1/verbs/3). */
  readonly createOnUpdate?: boolean;
  /** Whether an update without resourceVersion overwrites what is there; it does unless told otherwise. */
  readonly unconditionalUpdate?: boolean;
  /** Whether deletion answers with the object. */
  readonly deleteReturnsObject?: boolean;
  /** What names look like in a release; subdomains unless told otherwise. */
  readonly validateName?: (release: number) => ObjectNameRule;
  /** Columns of tables, of objects as they are kept; without it the two that every type has. */
  readonly columns?: readonly Column[];
  /** Columns of versions that have their own, by version. */
  readonly columnsIn?: Readonly<Record<string, readonly Column[]>>;
  /** What data cannot say about writing it. */
  readonly rules?: RuleMaker;
  /** What other versions than the stored one do otherwise; one of which nothing is said is that under another name. */
  readonly deprecated?: DeprecatedVersions;
  /** Subresources that reach into what runs, by name. */
  readonly connect?: Readonly<Record<string, SubresourceOperation>>;
}

/** A group of the API and its types. */
export interface ApiGroup {
  /** `{domain}` stands for the domain of the dialect; `core` for the group without a name. */
  readonly name: string;
  /** The version in which objects are kept and judged, whichever versions a release serves. */
  readonly storedVersion: string;
  /** The fields of its types by version, in the notation of schema/notation.ts. */
  readonly fields: Readonly<Record<string, ModuleText>>;
  /** In the order of discovery. */
  readonly types: readonly BuiltinType[];
}

/** Fields of a version that has the types of the first text, and what the others say over again or add. */
export function revised(...texts: readonly string[]): ModuleText {
  return () => texts.map((text, index) => (index === 0 ? text : text.slice(1))).join('');
}
