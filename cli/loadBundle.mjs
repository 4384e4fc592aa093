// Runs a bundle with what the engine made of its text before: compiling it anew would be a good part of a start.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { constants, Script } from 'node:vm';

/** Opens and closes the text of a bundle in the CommonJS format, which makes it the function that is called here. */
export const WRAPPER = ['(function (exports, require, module, bundleUrl) {', '})'];

/** Flags of the command line by which code is compiled otherwise: what was compiled without them is of no use. */
const FLAGS = process.execArgv.filter((flag) => flag.startsWith('--interrupt-budget=')).join('');

/** Where the compiled code of a bundle lies, for processes that are started as this one is. */
export const codeFile = (file) => `${file}${FLAGS}.code`;

/**
 * The script of a bundle. Compiled code that is missing, or of another release of Node, costs time and nothing else.
 * @param called its name in stacks
 */
function scriptOf(file, called = file) {
  // A bundle is plain ASCII; as such it takes no decoding, and half the memory.
  return new Script(readFileSync(file, 'latin1'), {
    filename: called,
    cachedData: readIfThere(codeFile(file)),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

/** Keeps the compiled code of a script, in a file that is whole as soon as it is there. */
export function keepCode(file, script) {
  const unfinished = `${codeFile(file)}.${process.pid}`;
  writeFileSync(unfinished, script.createCachedData());
  renameSync(unfinished, codeFile(file));
}

/** Keeps the compiled code of all that a bundle has, whether it would be called or not. */
export function keepAllCode(file, called = file) {
  setFlagsFromString('--no-lazy');
  const script = scriptOf(file, called);
  // Compiled code is of use only to an engine with the same flags.
  setFlagsFromString('--lazy');
  keepCode(file, script);
}

/**
 * Runs the bundle of a file.
 * @returns what the bundle exports, and the script, whose compiled code can be kept
 */
export function loadBundle(file, called = file) {
  const script = scriptOf(file, called);
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
