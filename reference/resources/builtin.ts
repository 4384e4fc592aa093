import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { groupName } from '../../fixtures/dialects/dialect.ts';
import type { Follow } from '../../fixtures/follow.ts';
import {
  deprecationText,
  isDeprecated,
  type Lifecycle,
  storedVersionIn,
  versionsOf,
} from '../../fixtures/releases/lifecycles.ts';
import { levelOf } from '../../fixtures/releases/versionNames.ts';
import { dns1123Subdomain, objectName } from '../api/nameRules.ts';
import type { ApiObject } from '../api/object.ts';
import { methodNotSupported } from '../api/status.ts';
import type {
  Column,
  ResourceType,
  ScaleMapping,
  Strategy,
  Subresource,
  TypeVersion,
  VirtualOperation,
} from '../contracts/resourceType.ts';
import type { Serving } from '../contracts/servedVersions.ts';
import { isServed } from '../contracts/servedVersions.ts';
import { connectSchema } from '../objects/connectOptions.ts';
import { metaV1 } from '../schema/metaV1.ts';
import { type ModuleText, TypeLibrary } from '../schema/notation.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import type { BuiltinType, RuleContext, TypeRules } from './builtinType.ts';
import { groups } from './groups.ts';
import { readBuiltinTypes, type TableSubresource, type TableType } from './typeLines.ts';

export interface BuiltinOptions {
  readonly dialect: Dialect;
  /** Minor of the release: types, versions and fields that it does not have are left out. */
  readonly release: number;
  readonly follow: Follow;
  /** What is served beyond or short of what the release serves by itself. */
  readonly asked?: Serving['asked'] | undefined;
  readonly gate?: RuleContext['gate'];
  readonly compileMatchCondition?: RuleContext['compileMatchCondition'] | undefined;
}

/** Every built-in type of which something is served, in the order of discovery. */
export function builtinTypes(given: BuiltinOptions): ResourceType[] {
  return new BuiltinMaker(given).types();
}

/** Makes types for one release; what is not served is made when somebody asks for it. */
export class BuiltinMaker {
  readonly #options: BuiltinOptions;
  readonly #library: TypeLibrary;
  readonly #rows: readonly TableType[];
  readonly #unserved = new Map<string, ResourceType | undefined>();

  constructor(given: BuiltinOptions) {
    this.#options = given;
    this.#rows = readBuiltinTypes(given.dialect);
    this.#library = new TypeLibrary(fieldModules(), { release: given.release, vendor: given.dialect.vendor });
  }

  /** Every type of which something is served, in the order of discovery. */
  types(): ResourceType[] {
    return this.#rows.flatMap((row) => this.#type(row) ?? []);
  }

  /** The type of a line with the versions that are served, and the one it is kept in; undefined where nothing is served. */
  #type(row: TableType): ResourceType | undefined {
    const lives = versionsOf(row.groupPrefix, row.kind);
    const served = lives.filter((life) => isServed(life, row.group, row.resource, this.#options));
    return served.length > 0 ? this.#make(row, served, lives) : undefined;
  }

  /** A type with every version that ever was, none of them served; undefined where there never was such a type. */
  unserved(group: string, resource: string): ResourceType | undefined {
    const key = `${group}/${resource}`;
    if (!this.#unserved.has(key)) {
      const row = this.#rows.find((one) => one.group === group && one.resource === resource);
      this.#unserved.set(key, row && this.#make(row, [], versionsOf(row.groupPrefix, row.kind)));
    }
    return this.#unserved.get(key);
  }

  #make(row: TableType, served: readonly Lifecycle[], lives: readonly Lifecycle[]): ResourceType {
    const options = this.#options;
    const names = (served.length > 0 ? served : lives).map((life) => life.version);
    const keptAs = this.#keptAs(row);
    const rules = rulesOf(
      row.declared,
      keptAs,
      options,
      names.some((name) => name !== row.version),
    );
    const version = (name: string, life: Lifecycle | undefined) =>
      versionOf(row, name, life, served.includes(life as Lifecycle), keptAs, rules, options, this.#library);
    const versions = new Map<string, TypeVersion>();
    for (const life of served.length > 0 ? served : lives) versions.set(life.version, version(life.version, life));
    if (!versions.has(row.version)) {
      versions.set(
        row.version,
        version(
          row.version,
          lives.find((life) => life.version === row.version),
        ),
      );
    }
    const type = typeOf(row, keptAs, rules, options, versions);
    const views = viewsOf(type, rules);
    return views ? { ...type, seenIn: views } : type;
  }

  /** The declaration by which objects are judged: where they are those of another group, of the type there. */
  #keptAs({ kept, resource, declared }: TableType): BuiltinType {
    if (!kept) return declared;
    const found = this.#rows.find((row) => row.group === kept.group && row.resource === resource);
    return found ? found.declared : declared;
  }
}

/** The modules of the notation by name: `core.v1`, `rbac.v1`. */
function fieldModules(): ReadonlyMap<string, ModuleText> {
  const modules = groups.flatMap(({ name, fields }) =>
    Object.entries(fields).map(([version, text]) => [`${name.split('.')[0]}.${version}`, text] as const),
  );
  return new Map([['meta.v1', metaV1], ...modules]);
}

/** What is known of a type beyond its data, with what its other versions do otherwise where they are wanted. */
function rulesOf(declared: BuiltinType, keptAs: BuiltinType, context: RuleContext, deprecated: boolean): TypeRules {
  const own = keptAs.rules?.(context) ?? {};
  const more = deprecated ? declared.deprecated?.(own, context) : undefined;
  if (!more) return own;
  return {
    ...own,
    conversions: { ...own.conversions, ...more.conversions },
    defaults: { ...own.defaults, ...more.defaults },
    strategies: { ...own.strategies, ...more.strategies },
  };
}

/** The strategy of a type as its declaration has it; rules come on top. */
function declaredStrategy(type: BuiltinType, release: number, hasStatus: boolean): Strategy {
  const { generation = false, createOnUpdate = false, unconditionalUpdate = true, deleteReturnsObject = false } = type;
  return {
    validateName: type.validateName?.(release) ?? objectName(dns1123Subdomain),
    generation: typeof generation === 'number' ? generation <= release : generation,
    createOnUpdate,
    unconditionalUpdate,
    deleteReturnsObject,
    ...(hasStatus ? { resetFields: [['status']] } : {}),
  };
}

/** The type as versions see it that judge objects in a way of their own; undefined where none does. */
function viewsOf(type: ResourceType, { strategies }: TypeRules): ((version: string) => ResourceType) | undefined {
  if (!strategies) return undefined;
  const views = new Map<string, ResourceType>();
  return (version) => {
    const own = strategies[version];
    if (!own) return type;
    let view = views.get(version);
    if (!view) {
      view = { ...type, strategy: { ...type.strategy, ...own } };
      views.set(version, view);
    }
    return view;
  };
}

/** The shape of a built-in type by group prefix, version and kind: `rbac.authorization`, `v1`, `Role`. */
function schemaNameOf(groupPrefix: string, version: string, kind: string): string {
  return `${groupPrefix === '' ? 'core' : groupPrefix.split('.')[0]}.${version}.${kind}`;
}

function typeOf(
  row: TableType,
  keptAs: BuiltinType,
  rules: TypeRules,
  { release }: BuiltinOptions,
  versions: ReadonlyMap<string, TypeVersion>,
): ResourceType {
  const kept = row.kept ?? row;
  const storedAs = rules.storedAs ?? (row.kept && { group: row.kept.group, resource: row.resource });
  const hasStatus = row.subresources.some((one) => one.form === 'status');
  return {
    group: row.group,
    resource: row.resource,
    singular: row.kind.toLowerCase(),
    kind: row.kind,
    listKind: `${row.kind}List`,
    namespaced: row.namespaced,
    shortNames: row.shortNames,
    categories: row.categories,
    versions,
    storageVersion: row.version,
    toldStorageVersion: storedVersionIn(rules.storedAs ? rules.storedAs.group : kept.groupPrefix, row.kind, release)
      ?.version,
    ...(storedAs ? { storedAs } : {}),
    ...(rules.computed ? { computed: rules.computed } : {}),
    strategy: { ...declaredStrategy(keptAs, release, hasStatus), ...rules.strategy },
    custom: false,
  };
}

function versionOf(
  row: TableType,
  version: string,
  life: Lifecycle | undefined,
  served: boolean,
  keptAs: BuiltinType,
  rules: TypeRules,
  options: BuiltinOptions,
  library: TypeLibrary,
): TypeVersion {
  const { groupPrefix, group, resource, kind } = row;
  const computed = `${groupPrefix}/${resource}`;
  const schemaGroup = life ? groupPrefix : (row.kept?.groupPrefix ?? groupPrefix);
  const deprecation = life && deprecationOf(life, options);
  const applyDefaults = rules.defaults?.[version] ?? rules.defaults?.[row.version];
  const conversion = rules.conversions?.[version];
  const selectable = rules.selectableFields;
  const subresources = row.subresources
    .filter(({ since = 0, until = Number.POSITIVE_INFINITY }) => since <= options.release && options.release < until)
    .filter(({ versions }) => versions?.includes(version) ?? true)
    .map((one) => subresourceOf(one, row, keptAs, version, rules, options, library));
  return {
    version,
    served,
    verbs: row.verbs,
    schema: library.type(schemaNameOf(schemaGroup, version, kind)),
    subresources,
    columns: columnsOf(keptAs, version, row.version, rules),
    ...(deprecation ? { deprecation } : {}),
    ...(applyDefaults ? { applyDefaults } : {}),
    ...conversion,
    ...(selectable ? { selectableFields: new Map(Object.entries(selectable)) } : {}),
    ...(isOperation(row)
      ? { operation: ({ types }) => converted(types[computed] ?? refuse(group, resource), conversion) }
      : {}),
  };
}

/** The columns of a version: cells are made of the version that objects are kept in, where the type has no own for this one. */
function columnsOf(
  { columns, columnsIn }: BuiltinType,
  version: string,
  stored: string,
  { conversions }: TypeRules,
): readonly Column[] | undefined {
  const own = columnsIn?.[version];
  if (own) return own;
  const toStorage = conversions?.[version]?.toStorage;
  if (version === stored || !toStorage || conversions?.[stored]) return columns;
  return columns?.map((column) => ({ ...column, cell: (object, now) => column.cell(toStorage(object), now) }));
}

/** First release that warns of calls to deprecated versions (3/behavior-when-a-deprecated-endpoint-is-called). */
const WARNS_SINCE = 19;

function deprecationOf(life: Lifecycle, { release, dialect }: BuiltinOptions): TypeVersion['deprecation'] {
  const warning = release >= WARNS_SINCE ? deprecationText(life, release, dialect) : undefined;
  if (warning === undefined || !isDeprecated(life, release)) return undefined;
  return { warning, ...(life.removed === undefined ? {} : { removedRelease: `1.${life.removed}` }) };
}

/** An operation knows one version of what it is asked; others are brought into it, and its answer back. */
function converted(
  operation: VirtualOperation,
  conversion: Pick<TypeVersion, 'toStorage' | 'fromStorage'> | undefined,
): VirtualOperation {
  if (!conversion) return operation;
  const { toStorage = unchanged, fromStorage = unchanged } = conversion;
  return async (object, exchange, dryRun) => ({
    ...fromStorage(await operation(toStorage(object), exchange, dryRun)),
    apiVersion: object.apiVersion,
  });
}
const unchanged = (object: ApiObject): ApiObject => object;

/** Types that can only be created are operations: they are answered and not stored (1/terminology/t1.6). */
function isOperation({ verbs }: TableType): boolean {
  return verbs.length === 1 && verbs[0] === 'create';
}

function refuse(group: string, resource: string): () => never {
  return () => {
    throw methodNotSupported({ group, resource }, 'create');
  };
}

function subresourceOf(
  { name, form, verbs, kind }: TableSubresource,
  row: TableType,
  keptAs: BuiltinType,
  version: string,
  rules: TypeRules,
  options: BuiltinOptions,
  library: TypeLibrary,
): Subresource {
  const own = rules.subresources?.[name];
  const { validateName } = declaredStrategy(keptAs, options.release, false);
  const strategy: Strategy = { validateName, ...own };
  switch (form) {
    case 'status':
      return { name, verbs, form, ...(own ? { strategy } : {}) };
    case 'scale':
      return { name, verbs, form, scale: scaleIn(row, version) };
    case 'part':
      return { name, verbs, form, strategy };
    case 'operation': {
      const taken = kind ?? schemaNameOf(row.groupPrefix, version, row.kind);
      const computed = `${row.groupPrefix}/${row.resource}/${name}`;
      const refused = refuse(row.group, `${row.resource}/${name}`);
      return {
        name,
        verbs,
        form,
        kind: gvkOf(taken, options.dialect),
        schema: library.type(taken),
        run: ({ subresources }) => subresources[computed] ?? refused,
      };
    }
    case 'connect': {
      const run = keptAs.connect?.[name] ?? refuse(row.group, `${row.resource}/${name}`);
      return {
        name,
        verbs,
        form: 'operation',
        connects: true,
        kind: { group: '', version: 'v1', kind: kind ?? row.kind },
        schema: connectSchema(kind ?? row.kind) ?? NO_FIELDS,
        run: () => run,
      };
    }
  }
}

const SCALE: ScaleMapping = {
  specReplicas: 'spec.replicas',
  statusReplicas: 'status.replicas',
  selector: 'spec.selector',
};
/** Beta versions of workloads have a scale of their own group, which tells the selector as labels. */
function scaleIn({ groupPrefix, group }: TableType, version: string): ScaleMapping {
  if (levelOf(version) === 'stable' || !['apps', 'extensions'].includes(groupPrefix)) return SCALE;
  return { ...SCALE, kind: { group, version, kind: 'Scale' }, labels: true };
}
const NO_FIELDS: ObjectSchema = { kind: 'object', fields: new Map(), mapType: 'granular' };

/** Groups that the messages of built-in operations come from; all others have no domain. */
const DOMAIN_MODULES = ['authentication'];

function gvkOf(name: string, dialect: Dialect) {
  const [module = '', version = '', kind = ''] = name.split('.');
  const group = module === 'core' ? '' : DOMAIN_MODULES.includes(module) ? groupName(dialect, module) : module;
  return { group, version, kind };
}
