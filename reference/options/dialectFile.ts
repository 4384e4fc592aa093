import { load } from 'js-yaml';
import { cluster } from '../../fixtures/dialects/cluster.ts';
import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { isObject } from '../api/json.ts';
import { ContentFault, type Files } from './files.ts';
import { nearest } from './nearest.ts';

const BUILT_IN: readonly Dialect[] = [kubernetes, cluster];

/**
 * The dialect of a name, or of a YAML or JSON file whose members replace those of the dialect `cluster`.
 *
 * @throws ContentFault, FileFault
 */
export function readDialect(nameOrPath: string, files: Files): Dialect {
  const built = BUILT_IN.find((dialect) => dialect.name === nameOrPath);
  if (built) return built;
  if (!/[./\\]/.test(nameOrPath)) {
    const close = nearest(
      nameOrPath,
      BUILT_IN.map((dialect) => dialect.name),
    );
    throw new ContentFault(`there is no dialect ${nameOrPath}${close ? `; did you mean ${close}?` : ''}`);
  }
  let value: unknown;
  try {
    value = load(files.read(nameOrPath));
  } catch (error) {
    if (error instanceof Error && error.name === 'YAMLException') throw new ContentFault(`${nameOrPath} is not YAML`);
    throw error;
  }
  if (!isObject(value)) throw new ContentFault(`${nameOrPath} does not hold an object`);
  const dialect: Record<string, string> = { ...cluster, name: 'custom' };
  for (const [name, text] of Object.entries(value)) {
    if (!Object.hasOwn(cluster, name)) throw new ContentFault(`${nameOrPath}: a dialect has no ${name}`);
    if (typeof text !== 'string' || text === '') throw new ContentFault(`${nameOrPath}: ${name} must be a text`);
    dialect[name] = text;
  }
  return dialect as unknown as Dialect;
}
