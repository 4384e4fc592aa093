import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';

// Runs several test files in one process: most of what a small one costs is loading what all of them use. The
// arguments are the files. What properties are tried on is the same each time; a file run by itself draws anew.
fc.configureGlobal({ seed: 20 });
for (const file of process.argv.slice(2)) await import(pathToFileURL(resolve(file)).href);
