import type { Follow } from '../../fixtures/departures.ts';
import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { groupName } from '../../fixtures/dialects/dialect.ts';
import { methodNotSupported } from '../api/status.ts';
import type { TypeLibrary } from '../schema/notation.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { builtinColumns } from './columns/index.ts';
import { connectOperation } from './connect.ts';
import { connectSchema } from './connectOptions.ts';
import { deprecationOf } from './deprecations.ts';
import { readResourceTable, type TableSubresource, type TableType } from './resourceTable.ts';
import type {
  Operation,
  ResourceType,
  ScaleMapping,
  Strategy,
  Subresource,
  SubresourceOperation,
  TypeVersion,
} from './resourceType.ts';
import { rulesFor } from './rules/index.ts';
import type { RuleContext, TypeRules } from './rules/ruleSet.ts';
import { selectableFieldsOf } from './selectable.ts';
import { builtinLibrary } from './types/library.ts';
import { traitsOf } from './typeTraits.ts';

export interface BuiltinOptions {
  readonly dialect: Dialect;
  /** Minor of the release: types and fields that came later are left out. */
  readonly release: number;
  readonly follow: Follow;
  /**
   * What subresources that compute an answer do, by group prefix, plural and name: `/pods/eviction`,
   * `/serviceaccounts/token`. One that is missing here is refused with 405.
   */
  readonly operations?: Readonly<Record<string, SubresourceOperation>>;
  /** What types that are an operation do, by group prefix and plural: `authorization/subjectaccessreviews`, `/bindings`. */
  readonly virtual?: Readonly<Record<string, Operation>>;
  readonly compileMatchCondition?: RuleContext['compileMatchCondition'];
}

/** The release of the service that was seen, and that is followed where the service is. */
const SEEN_RELEASE = 36;

/** Every built-in type that the release has, in the order of discovery. */
export function builtinTypes(given: BuiltinOptions): ResourceType[] {
  const release = given.follow === 'service' ? Math.max(given.release, SEEN_RELEASE) : given.release;
  const options = { ...given, release };
  const library = builtinLibrary({ release: options.release, vendor: options.dialect.vendor });
  const types = new Map<string, ResourceType & { versions: Map<string, TypeVersion> }>();
  for (const row of readResourceTable(options.dialect)) {
    const schema = library.find(schemaName(row));
    if (!schema) continue;
    const key = `${row.group}/${row.resource}`;
    const rules = rulesFor(options, row.groupPrefix, row.resource);
    let type = types.get(key);
    if (!type) {
      type = typeOf(row, rules, options);
      types.set(key, type);
    }
    type.versions.set(row.version, versionOf(row, schema, rules, options, library));
  }
  return [...types.values()];
}

/** The shape of a built-in type by group prefix, version and kind: `rbac.authorization`, `v1`, `Role`. */
export function schemaNameOf(groupPrefix: string, version: string, kind: string): string {
  return `${groupPrefix === '' ? 'core' : groupPrefix.split('.')[0]}.${version}.${kind}`;
}
const schemaName = (row: TableType): string => schemaNameOf(row.groupPrefix, row.version, row.kind);

function typeOf(row: TableType, rules: TypeRules, { release }: BuiltinOptions) {
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
    versions: new Map<string, TypeVersion>(),
    // The first line of a type is the version that the service prefers, and stores.
    storageVersion: row.version,
    ...(rules.storedAs ? { storedAs: rules.storedAs } : {}),
    ...(rules.computed ? { computed: rules.computed } : {}),
    strategy: { ...traitsOf(row.groupPrefix, row.resource, release, hasStatus), ...rules.strategy },
    custom: false,
  };
}

function versionOf(
  row: TableType,
  schema: ObjectSchema,
  rules: TypeRules,
  options: BuiltinOptions,
  library: TypeLibrary,
): TypeVersion {
  const { groupPrefix, group, version, resource, kind } = row;
  const virtual = options.virtual?.[`${groupPrefix}/${resource}`];
  const deprecation = deprecationOf(options, groupPrefix, version, kind);
  const applyDefaults = rules.defaults?.[version];
  const selectable = rules.selectableFields ?? selectableFieldsOf(groupPrefix, resource);
  const subresources = row.subresources
    .filter(({ since = 0 }) => since <= options.release)
    .map((one) => subresourceOf(one, row, rules, options, library));
  return {
    version,
    served: true,
    verbs: row.verbs,
    schema,
    subresources,
    columns: builtinColumns(groupPrefix, version, kind),
    ...(deprecation ? { deprecation } : {}),
    ...(applyDefaults ? { applyDefaults } : {}),
    ...rules.conversions?.[version],
    ...(selectable ? { selectableFields: new Map(Object.entries(selectable)) } : {}),
    ...(isOperation(row) ? { operation: virtual ?? refuse(group, resource) } : {}),
  };
}

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
  rules: TypeRules,
  options: BuiltinOptions,
  library: TypeLibrary,
): Subresource {
  const own = rules.subresources?.[name];
  const { validateName } = traitsOf(row.groupPrefix, row.resource, options.release, false);
  const strategy: Strategy = { validateName, ...own };
  switch (form) {
    case 'status':
      return { name, verbs, form, ...(own ? { strategy } : {}) };
    case 'scale':
      return { name, verbs, form, scale: SCALE };
    case 'part':
      return { name, verbs, form, strategy };
    case 'operation': {
      const taken = kind ?? schemaName(row);
      const run = options.operations?.[`${row.groupPrefix}/${row.resource}/${name}`];
      return {
        name,
        verbs,
        form,
        kind: gvkOf(taken, options.dialect),
        schema: library.type(taken),
        run: run ?? refuse(row.group, `${row.resource}/${name}`),
      };
    }
    case 'connect':
      return {
        name,
        verbs,
        form: 'operation',
        connects: true,
        kind: { group: '', version: 'v1', kind: kind ?? row.kind },
        schema: connectSchema(kind ?? row.kind) ?? NO_FIELDS,
        run: connectOperation(row.resource, name),
      };
  }
}

const SCALE: ScaleMapping = {
  specReplicas: 'spec.replicas',
  statusReplicas: 'status.replicas',
  selector: 'spec.selector',
};
const NO_FIELDS: ObjectSchema = { kind: 'object', fields: new Map(), mapType: 'granular' };

/** Groups that the messages of built-in operations come from; all others have no domain. */
const DOMAIN_MODULES = ['authentication'];

function gvkOf(name: string, dialect: Dialect) {
  const [module = '', version = '', kind = ''] = name.split('.');
  const group = module === 'core' ? '' : DOMAIN_MODULES.includes(module) ? groupName(dialect, module) : module;
  return { group, version, kind };
}
