import type { Follow } from '../../fixtures/departures.ts';
import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { GroupResource } from '../api/groupVersion.ts';
import type { ApiObject } from '../api/object.ts';
import type { Strategy, TypeVersion } from '../contracts/resourceType.ts';

/** What rules may depend on besides the object. */
export interface RuleContext {
  readonly dialect: Dialect;
  /** Minor of the release. */
  readonly release: number;
  readonly follow: Follow;
  /** What is wrong with a match condition's expression; undefined when it compiles to a boolean. */
  readonly compileMatchCondition?: (expression: string, params?: boolean) => string | undefined;
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
/** What older versions of a type add to its rules, which are given. */
export type FormerMaker = (
  rules: TypeRules,
  context: RuleContext,
) => Pick<TypeRules, 'conversions' | 'defaults' | 'strategies'>;
/** By plural. */
export type GroupRules = Readonly<Record<string, RuleMaker>>;
