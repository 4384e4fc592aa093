// Starts the reference once from its bundle and keeps the code that the engine compiled for that, so that the next start
// need not compile it. The argument is the bundle; the process ends with its standard input.
import { writeFileSync } from 'node:fs';
import { codeFile, loadBundle } from './loadBundle.mjs';

const [file] = process.argv.slice(2);
const { exports, script } = loadBundle(file);
process.exitCode = await exports.serve(['--embedded']);
writeFileSync(codeFile(file), script.createCachedData());
