/**
 * `1-conventions/object-naming/uniqueness:the-author-creates-…`: readable, and the same on every machine.
 *
 * @param file path from the root of the checkout.
 */
export function checkId(file: string, title: string): string {
  const path = file
    .replaceAll('\\', '/')
    .replace(/^suites\//, '')
    .replace(/\.spec\.ts$/, '');
  const slug = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return `${path}:${slug.replace(/^-|-$/g, '')}`;
}
