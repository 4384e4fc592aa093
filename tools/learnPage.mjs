// Makes the files of the page on which to watch the server think, all but its stories and the design of all pages: scripts that
// are no modules, since a page on a disk may load those alone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { besideBundle, engineBundle, PARTS, pageBundle, partBundle } from './browserBundle.mjs';
import { root } from './build.mjs';

const FOLDER = join(root, 'learn/page');

/** A script that a worker will run: kept as a function, of which the page reads the text. */
const forWorker = (name, script) => `(self.touchstoneScripts??={})[${JSON.stringify(name)}]=function(){${script}\n};\n`;

let made;

/** @returns the texts of the files by their names, and the paths of all that went into the engine; once for a process */
export function learnPage() {
  made ??= bundled();
  return made;
}

async function bundled() {
  const beside = await Promise.all([
    ...['mutants', 'policy'].map(async (name) => [name, await besideBundle(`learn/${name}.ts`)]),
    ...Object.keys(PARTS).map(async (part) => [part, await partBundle(part)]),
  ]);
  const shares = [...new Set(beside.flatMap(([, bundle]) => bundle.shares))].sort();
  const [engine, page] = await Promise.all([
    engineBundle('learn/engine/worker.ts', shares),
    pageBundle('learn/page/page.mjs'),
  ]);
  const files = {
    'index.html': readFileSync(join(FOLDER, 'page.html'), 'utf8'),
    'page.css': readFileSync(join(FOLDER, 'page.css'), 'utf8'),
    'page.js': page,
    'engine.js': forWorker('engine', engine.script),
    ...Object.fromEntries(beside.map(([name, { script }]) => [`${name}.js`, forWorker(name, script)])),
  };
  return { files, inputs: Object.keys(engine.inputs) };
}
