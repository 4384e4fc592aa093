/**
 * `1-conventions/object-naming/uniqueness:the-author-creates-…`: readable, and the same on every machine.
 *
 * @param file path from the folder that has `suites/`; a compiled check is called as its source is.
 */
export function checkId(file: string, title: string): string {
  const path = file
    .replaceAll('\\', '/')
    .replace(/^suites\//, '')
    .replace(/\.spec\.[jt]s$/, '');
  const slug = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return `${path}:${slug.replace(/^-|-$/g, '')}`;
}

/** The runner tells the runs of one check apart by their titles, so that on a mutant has the mutant's name behind it. */
export function titleOn(title: string, mutant: string): string {
  return `${title} [on ${mutant}]`;
}
/** The title of the check, without what {@link titleOn} added. */
export function titleWithout(title: string, mutant: string): string {
  return mutant === '' ? title : title.slice(0, -titleOn('', mutant).length);
}
