// Keeps the code that the engine compiles of the bundle of the reference, so that the next start need not compile it. The
// first argument is the bundle. By itself it starts the reference and keeps what was called for that, ending with its
// standard input; with `--all` it keeps all that there is.
import { keepAllCode, keepCode, loadBundle } from './loadBundle.mjs';

const [file, all] = process.argv.slice(2);
if (all === undefined) {
  const { exports, script } = loadBundle(file);
  process.exitCode = await exports.serve(['--embedded']);
  keepCode(file, script);
} else {
  keepAllCode(file);
}
