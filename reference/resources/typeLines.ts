import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import type { Verb } from '../api/request.ts';
import type { BuiltinType } from './builtinType.ts';
import { groups } from './groups.ts';

/*
 * The notation of a built-in type's names: plural, kind, scope, verbs (`*` for all eight), short names, categories,
 * `as=VERSION` where it is kept in another version than the rest of the group, `of=GROUP/VERSION` where its objects are
 * those of another group. A subresource is a name, a form, verbs, the kind it takes where that is not the kind of the
 * type, `since=N` and `until=N` for releases with and without it, `in=VERSION,…` where only those versions have it.
 */

/** A built-in type as its line has it. */
export interface TableType {
  /** Group name without the domain of the dialect; empty for the core group. */
  readonly groupPrefix: string;
  readonly group: string;
  /** The version in which its objects are kept and judged, whichever versions a release serves. */
  readonly version: string;
  /** The group prefix and group under which they are kept, where that is another one. */
  readonly kept: { readonly groupPrefix: string; readonly group: string } | undefined;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly TableSubresource[];
  /** Where the line stands. */
  readonly declared: BuiltinType;
}

export interface TableSubresource {
  readonly name: string;
  /** `connect` reaches what runs on nodes, which this service has not. */
  readonly form: 'status' | 'scale' | 'part' | 'operation' | 'connect';
  readonly verbs: readonly Verb[];
  /** What it takes where that is not the type itself: a type by its full name, or a bare kind for `connect`. */
  readonly kind: string | undefined;
  /** First release with it; undefined: all. */
  readonly since: number | undefined;
  /** First release without it; undefined: none. */
  readonly until: number | undefined;
  /** The versions that have it; undefined: all. */
  readonly versions: readonly string[] | undefined;
}

const ALL_VERBS: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** The built-in types of a dialect, in the order of discovery. */
export function readBuiltinTypes(dialect: Dialect): TableType[] {
  return groups.flatMap(({ name, storedVersion, types }) => {
    const group = readName(name, dialect);
    return types.map((declared) => {
      const words = declared.resource.split(' ');
      return {
        ...group,
        ...readType(words),
        ...readKept(words, storedVersion, dialect),
        subresources: (declared.subresources ?? []).map((line) => readSubresource(line.split(' '))),
        declared,
      };
    });
  });
}

function readName(name: string, dialect: Dialect) {
  if (name === 'core') return { groupPrefix: '', group: '' };
  const groupPrefix = name.replace('.{domain}', '');
  return { groupPrefix, group: groupPrefix === name ? name : groupName(dialect, groupPrefix) };
}

/** Where objects are kept, if not as the line of the group says. */
function readKept(words: readonly string[], version: string, dialect: Dialect) {
  const [as = version] = valuesOf(words, 'as=');
  const [of] = valuesOf(words, 'of=');
  if (of === undefined) return { version: as, kept: undefined };
  const [name = '', kept = ''] = of.split('/');
  return { version: kept, kept: readName(name, dialect) };
}

function readType([resource = '', kind = '', scope, verbs = '', ...rest]: readonly string[]) {
  return {
    resource,
    kind,
    namespaced: scope === 'namespaced',
    verbs: readVerbs(verbs),
    shortNames: valuesOf(rest, 'short='),
    categories: valuesOf(rest, 'in='),
  };
}

function readSubresource([name = '', form = '', verbs = '', ...rest]: readonly string[]): TableSubresource {
  const [since] = valuesOf(rest, 'since=');
  const [until] = valuesOf(rest, 'until=');
  const versions = valuesOf(rest, 'in=');
  return {
    name,
    form: form as TableSubresource['form'],
    verbs: readVerbs(verbs),
    kind: rest.find((word) => !word.includes('=')),
    since: since === undefined ? undefined : Number(since),
    until: until === undefined ? undefined : Number(until),
    versions: versions.length > 0 ? versions : undefined,
  };
}

function readVerbs(text: string): readonly Verb[] {
  return text === '*' ? ALL_VERBS : (text.split(',') as Verb[]);
}

function valuesOf(words: readonly string[], marker: string): readonly string[] {
  const word = words.find((one) => one.startsWith(marker));
  return word === undefined ? [] : word.slice(marker.length).split(',');
}
