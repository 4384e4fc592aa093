// Runs a bundle with what the engine made of its text before: compiling it anew would be a good part of a start.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { constants, Script } from 'node:vm';

/** Opens and closes the text of a bundle in the CommonJS format, which makes it the function that is called here. */
export const WRAPPER = ['(function (exports, require, module, bundleUrl) {', '})'];

/** Where the compiled code of a bundle lies. */
export const codeFile = (file) => `${file}.code`;

/**
 * Runs the bundle of a file. Compiled code that is missing, or of another release of Node, costs time and nothing else.
 * @returns what the bundle exports, and the script, whose compiled code can be kept
 */
export function loadBundle(file) {
  // A bundle is plain ASCII; as such it takes no decoding, and half the memory.
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    cachedData: readIfThere(codeFile(file)),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, pathToFileURL(file).href);
  return { exports: module.exports, script };
}

function readIfThere(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
