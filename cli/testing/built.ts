import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
// @ts-expect-error: a script without types; what it answers are paths
import { buildIfStale, listingFile } from '../../tools/build.mjs';

let built: Promise<string> | undefined;

/** Address of a module of the bundle, which is built once: what starts again and again must not look for changes. */
export async function builtModule(name: 'main.js' | 'serve.js'): Promise<string> {
  built ??= buildIfStale() as Promise<string>;
  return pathToFileURL(join(await built, name)).href;
}

/** Where it is kept what checks there are: with it a command loads only the files of those that it is asked for. */
export function keptListing(): string {
  listing ??= listingFile() as string;
  return listing;
}
let listing: string | undefined;

/** Program and arguments of an embedded `touchstone serve` with flags. */
export async function builtServe(...flags: readonly string[]): Promise<readonly string[]> {
  const script = `process.exitCode = await (await import('${await builtModule('serve.js')}')).serve(process.argv.slice(1));`;
  return [process.execPath, '--input-type=module', '--eval', script, '--', '--embedded', ...flags];
}
