import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// Runs several test files in one process: most of what a small one costs is loading what all of them use. The
// arguments are the files.
for (const file of process.argv.slice(2)) await import(pathToFileURL(resolve(file)).href);
