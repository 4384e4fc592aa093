import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout this code runs from, wherever a bundle of it was put. */
export const ROOT = checkout(dirname(fileURLToPath(import.meta.url)));

function checkout(from: string): string {
  for (let at = from; ; at = dirname(at)) {
    if (existsSync(join(at, 'playwright.config.ts')) && existsSync(join(at, 'package.json'))) return at;
    if (dirname(at) === at) throw new Error(`${from} is in no checkout of Touchstone`);
  }
}

export function suiteVersion(): string {
  return (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
}
