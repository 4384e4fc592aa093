import { currentCheckId } from '../fixtures/formerCheckIds.ts';
import { type Annotation, CHECK, VARIANT } from './annotations.ts';

/** An id as it stands in a spec file: a requirement, a number, and for a row of a table what tells it from others. */
export const IN_SPEC = /^[A-Z]+-[A-Z]+-\d\d\.\d+(\/|'|`|$)/;

const BETWEEN_WORDS = /[^a-z0-9.]+/g;

/** `OP-LIST-03.1/Limit=Much` → `OP-LIST-03.1/limit-much`: words of a row as they can stand in a command and a link. */
export function checkId(written: string): string {
  const [number = '', ...row] = written.split('/');
  const words = row.map((each) => slug(each, BETWEEN_WORDS)).filter((each) => each !== '');
  return [number, ...words].join('/');
}

/** The part of an id that stands in a spec file as it is: `OP-LIST-03.1`. */
export function numberOf(id: string): string {
  return id.split('/', 1)[0] ?? id;
}

/**
 * The id of a check that has none of its own, by its title: `1-conventions/object-naming/uniqueness:the-author-…`.
 * All had such ids once, so that it is understood wherever an id is.
 *
 * @param file path from the folder that has `suites/`; a compiled check is called as its source is.
 */
export function idByTitle(file: string, title: string): string {
  return `${pathOf(file)}:${slug(title)}`;
}

/** Whether a name means this check: its id, one that it had, the one by its title, or that of its whole table. */
export function goesBy(
  { id, file, title }: { readonly id: string; readonly file: string; readonly title: string },
  name: string,
): boolean {
  const current = currentCheckId(name);
  return id === current || id.startsWith(`${current}/`) || idByTitle(file, title) === name;
}

/** A file of checks as a choice names it: `1-conventions/object-naming/uniqueness`. */
export function pathOf(file: string): string {
  return file
    .replaceAll('\\', '/')
    .replace(/^suites\//, '')
    .replace(/\.spec\.[jt]s$/, '');
}

function slug(words: string, between = /[^a-z0-9]+/g): string {
  return words.toLowerCase().replace(between, '-').replace(/^-|-$/g, '');
}

/** What tells the runs of checks apart: the id of the check, and the mutant that it is put to. */
export function keyOf(annotations: readonly Annotation[]): string {
  const told = (wanted: string) => annotations.find(({ type }) => type === wanted)?.description;
  return [told(CHECK) ?? '', told(VARIANT) ?? []].flat().join(' ');
}

/** The runner tells what it runs apart by titles, which checks of two files may share: so each has its key behind it. */
export function titleWith(title: string, key: string): string {
  return `${title} [${key}]`;
}
/** The title of the check, without what {@link titleWith} added. */
export function titleWithout(title: string, key: string): string {
  return title.slice(0, -titleWith('', key).length);
}
