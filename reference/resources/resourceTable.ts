import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import type { Verb } from '../api/request.ts';
import { resourceTable } from './types/resourceTable.ts';

/** A line of the table of built-in types: one version of one type. */
export interface TableType {
  /** Group name without the domain of the dialect; empty for the core group. */
  readonly groupPrefix: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly TableSubresource[];
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
}

const ALL_VERBS: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** The built-in types of a dialect, in the order of discovery. */
export function readResourceTable(dialect: Dialect): TableType[] {
  const types: TableType[] = [];
  let group = { groupPrefix: '', group: '', version: '' };
  let subresources: TableSubresource[] = [];
  for (const line of resourceTable.trim().split('\n')) {
    const depth = line.search(/\S/);
    const words = line.trim().split(' ');
    if (depth === 0) group = readGroup(words, dialect);
    else if (depth === 2) {
      subresources = [];
      types.push({ ...group, ...readType(words), subresources });
    } else subresources.push(readSubresource(words));
  }
  return types;
}

function readGroup([name = '', version = '']: readonly string[], dialect: Dialect) {
  if (name === 'core') return { groupPrefix: '', group: '', version };
  const groupPrefix = name.replace('.{domain}', '');
  return { groupPrefix, group: groupPrefix === name ? name : groupName(dialect, groupPrefix), version };
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
  return {
    name,
    form: form as TableSubresource['form'],
    verbs: readVerbs(verbs),
    kind: rest.find((word) => !word.includes('=')),
    since: since === undefined ? undefined : Number(since),
  };
}

function readVerbs(text: string): readonly Verb[] {
  return text === '*' ? ALL_VERBS : (text.split(',') as Verb[]);
}

function valuesOf(words: readonly string[], marker: string): readonly string[] {
  const word = words.find((one) => one.startsWith(marker));
  return word === undefined ? [] : word.slice(marker.length).split(',');
}
