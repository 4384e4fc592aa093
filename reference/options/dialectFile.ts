import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { DialectFault, dialectByName, dialects, parseDialect } from '../../fixtures/dialects/index.ts';
import { nearest } from '../collections/nearest.ts';
import { ContentFault, type Files } from '../ports/files.ts';

/**
 * The dialect of a name, or of a file: what holds a dot or a slash is a file.
 *
 * @throws ContentFault, FileFault
 */
export function readDialect(nameOrPath: string, files: Files): Dialect {
  const built = dialectByName(nameOrPath);
  if (built) return built;
  if (!/[./\\]/.test(nameOrPath)) {
    const close = nearest(nameOrPath, Object.keys(dialects));
    throw new ContentFault(`there is no dialect ${nameOrPath}${close ? `; did you mean ${close}?` : ''}`);
  }
  try {
    return parseDialect(files.read(nameOrPath), nameOrPath);
  } catch (error) {
    if (error instanceof DialectFault) throw new ContentFault(error.message.replace(/\.$/, ''));
    throw error;
  }
}
