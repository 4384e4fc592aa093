import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
// @ts-expect-error: a script without types; it answers the folder of the bundles
import { buildIfStale } from '../build.mjs';

let built: Promise<string> | undefined;

/**
 * Program and arguments of an embedded `touchstone serve` with flags, built once: what starts again and again must not
 * look for changed sources each time.
 */
export async function builtServe(...flags: readonly string[]): Promise<readonly string[]> {
  built ??= buildIfStale() as Promise<string>;
  const module = pathToFileURL(join(await built, 'serve.js')).href;
  const script = `process.exitCode = await (await import('${module}')).serve(process.argv.slice(1));`;
  return [process.execPath, '--input-type=module', '--eval', script, '--', '--embedded', ...flags];
}
