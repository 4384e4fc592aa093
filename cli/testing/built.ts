import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
// @ts-expect-error: a script without types; it answers the folder of the bundles
import { buildIfStale } from '../../tools/build.mjs';

let built: Promise<string> | undefined;

/** Address of a module of the bundle, which is built once: what starts again and again must not look for changes. */
export async function builtModule(name: 'main.js' | 'serve.js'): Promise<string> {
  built ??= buildIfStale() as Promise<string>;
  return pathToFileURL(join(await built, name)).href;
}

/** Program and arguments of an embedded `touchstone serve` with flags. */
export async function builtServe(...flags: readonly string[]): Promise<readonly string[]> {
  const script = `process.exitCode = await (await import('${await builtModule('serve.js')}')).serve(process.argv.slice(1));`;
  return [process.execPath, '--input-type=module', '--eval', script, '--', '--embedded', ...flags];
}
