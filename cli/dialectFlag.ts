import type { Dialect } from '../fixtures/dialects/dialect.ts';
import { dialectByName, dialects } from '../fixtures/dialects/index.ts';
import { kubernetes } from '../fixtures/dialects/kubernetes.ts';
import { loadDialect } from '../fixtures/dialects/loadDialect.ts';
import { suggestion } from './nearest.ts';
import { UsageError } from './usageError.ts';

/** The dialect that `--dialect` names: one of the built-in ones, or that of a YAML file. Throws UsageError. */
export function namedDialect(name: string | undefined): Dialect {
  if (name === undefined) return kubernetes;
  const builtIn = dialectByName(name);
  if (builtIn) return builtIn;
  if (/\.(ya?ml|json)$/.test(name)) return fromFile(name);
  const names = Object.keys(dialects);
  throw new UsageError(`There is no dialect ${name}; there are ${names.join(' and ')}.${suggestion(name, names)}`);
}

function fromFile(file: string): Dialect {
  try {
    return loadDialect(file);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
