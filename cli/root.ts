import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));

/** The package, or the checkout, that this code runs from, wherever a bundle of it was put. */
export const ROOT = packageOf(HERE);

/** Whether it runs from what was built for the package, where the checks are compiled, and not from a checkout. */
export const PACKAGED = `${HERE}${sep}`.startsWith(join(ROOT, 'lib') + sep);

/** The folder that the checks stand in `suites/` of, and what runs them. */
export const CHECKS_ROOT = PACKAGED ? join(ROOT, 'lib') : ROOT;

function packageOf(from: string): string {
  for (let at = from; ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at;
    if (dirname(at) === at) throw new Error(`${from} is in no package`);
  }
}

export function suiteVersion(): string {
  return (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
}
