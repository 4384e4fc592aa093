// Starts the reference once from its bundle and keeps the code that the engine compiled for that, so that the next start
// need not compile it. The argument is the bundle; the process ends with its standard input.
import { renameSync, writeFileSync } from 'node:fs';
import { codeFile, loadBundle } from './loadBundle.mjs';

const [file] = process.argv.slice(2);
const { exports, script } = loadBundle(file);
process.exitCode = await exports.serve(['--embedded']);
const unfinished = `${codeFile(file)}.${process.pid}`;
writeFileSync(unfinished, script.createCachedData());
renameSync(unfinished, codeFile(file));
