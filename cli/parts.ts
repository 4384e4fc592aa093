import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What parts are called: the runner reads them as scripts of one or the other kind. */
const ENDINGS = { scripts: '.spec.cjs', modules: '.spec.mjs' } as const;

/** Where the checks stand that compare whole sequences with the reference, from `suites/`: none take longer. */
const LONGEST = /^suites\/oracle\//;
/** Neighbours among the files are much alike, so they are strewn: each next one lies this part of all of them further. */
const STRIDE = 0.618_033_988_749_895;

/** No part is smaller than one of so many of what a process does: at the end of each it waits for the last check of it. */
const PARTS_OF_A_PROCESS = 12;

/**
 * Parts of a run that a process is handed one after another: each loads some files of checks, which then run side by
 * side. The first are large and the last small, so that all processes end at about the same time; what takes longest
 * comes first, and files that wait or work much are mixed with others.
 *
 * @param folder where to write them; it is made
 * @param checks the folder that has `suites/`
 * @param files of checks, from there; at least one
 * @param processes how many will take parts
 */
export function writeParts(
  folder: string,
  checks: string,
  files: readonly string[],
  processes: number,
  kind: keyof typeof ENDINGS,
): void {
  mkdirSync(folder, { recursive: true });
  const load = (file: string) => {
    const path = join(checks, file);
    return kind === 'scripts' ? `require(${JSON.stringify(path)});` : `import ${JSON.stringify(pathToFileURL(path))};`;
  };
  for (const [at, part] of partsOf(files, processes).entries()) {
    const name = `part-${String(at + 1).padStart(3, '0')}${ENDINGS[kind]}`;
    writeFileSync(join(folder, name), `${part.map(load).join('\n')}\n`);
  }
}

/** Each part is half of what is left for a process; the files that take longest are dealt out to the first of each. */
function partsOf(files: readonly string[], processes: number): readonly (readonly string[])[] {
  const longest = files.filter((file) => LONGEST.test(file));
  const others = strewn(files.filter((file) => !LONGEST.test(file)));
  const parts = longest.slice(0, processes).map((_, first) => longest.filter((__, at) => at % processes === first));
  const smallest = Math.ceil(others.length / (PARTS_OF_A_PROCESS * processes));
  for (let at = 0, part = 0; at < others.length; part++) {
    const size = Math.max(Math.ceil((others.length - at) / (2 * processes)), smallest);
    parts[part] = [...(parts[part] ?? []), ...others.slice(at, at + size)];
    at += size;
  }
  return parts;
}

/** In an order in which neighbours stand apart. */
function strewn(files: readonly string[]): readonly string[] {
  const places = files.map((file, at) => ({ file, place: (at * STRIDE) % 1 }));
  return places.sort((a, b) => a.place - b.place).map(({ file }) => file);
}
