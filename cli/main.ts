import { ViolationsUnreadable } from '../proxy/violationsFile.ts';
import { EXIT } from '../reports/outcome.ts';
import { Unanswerable } from '../suites/accessQuestions/ask.ts';
import { LaunchFailed } from '../suites/harness/starting/launch.ts';
import { CannotTest } from '../suites/harness/target/detect.ts';
import { doctor } from './commands/doctor.ts';
import { judge } from './commands/judge.ts';
import { mutants } from './commands/mutants.ts';
import { recheck } from './commands/recheck.ts';
import { report } from './commands/report.ts';
import { run } from './commands/run.ts';
import { refusalOf } from './files.ts';
import { COMMANDS, help } from './help.ts';
import { suggestion } from './nearest.ts';
import { suiteVersion } from './root.ts';
import { withSettings } from './settings.ts';
import { UsageError } from './usageError.ts';

type Command = (argv: readonly string[]) => number | Promise<number>;

const TABLE: Readonly<Record<string, Command>> = {
  run,
  report,
  recheck,
  judge,
  storm: async (argv) => (await import('./commands/storm.ts')).storm(argv),
  record: async (argv) => (await import('./commands/record.ts')).record(argv),
  doctor,
  mutants,
  twins: async (argv) => (await import('./commands/twins.ts')).twins(argv),
  violations: async (argv) => (await import('./commands/violations.ts')).violations(argv),
  proxy: async (argv) => (await import('./commands/proxy.ts')).proxy(argv),
  diff: async (argv) => (await import('./commands/diff.ts')).diff(argv),
  shorten: async (argv) => (await import('./commands/shorten.ts')).shorten(argv),
  replay: async (argv) => (await import('./commands/replay.ts')).replay(argv),
  merge: async (argv) => (await import('./commands/gate.ts')).merge(argv),
  compare: async (argv) => (await import('./commands/gate.ts')).compare(argv),
  matrix: async (argv) => (await import('./commands/gate.ts')).matrix(argv),
  learn: async (argv) => (await import('./commands/learn.ts')).learn(argv),
  snapshot: async (argv) => (await import('./commands/snapshot.ts')).snapshot(argv),
  convert: async (argv) => (await import('./commands/convert.ts')).convert(argv),
  lifecycle: async (argv) => (await import('./commands/lifecycle.ts')).lifecycle(argv),
  envtest: async (argv) => (await import('./commands/envtest.ts')).envtest(argv),
  completion: async (argv) => (await import('./commands/completion.ts')).completion(argv),
  // The reference is loaded only by the commands that need it.
  'stand-in': async (argv) => (await import('./commands/standIn.ts')).standIn(argv),
  serve: async (argv) => (await import('./serve.ts')).serve(argv, () => import('./serve/mutantServers.ts')),
};

/**
 * The `touchstone` command.
 * @param argv what stands behind the command's name.
 * @returns the exit code. Everything a user can put right is told in one sentence and ends with 64.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(help(name === 'help' ? rest[0] : undefined));
    return name === undefined ? EXIT.usage : EXIT.conformant;
  }
  if (name === '--version') {
    console.log(suiteVersion());
    return EXIT.conformant;
  }
  try {
    const command = Object.hasOwn(TABLE, name) ? TABLE[name] : undefined;
    if (!command) throw new UsageError(`There is no command ${name}.${suggestion(name, Object.keys(COMMANDS))}`);
    if (name !== 'serve' && name !== 'stand-in' && rest.some((word) => word === '--help' || word === '-h')) {
      console.log(help(name));
      return EXIT.conformant;
    }
    return await command(await settled(name, rest));
  } catch (error) {
    return explain(error);
  }
}

/** A command line with what is set elsewhere; `serve` looks there by itself. */
async function settled(name: string, argv: readonly string[]): Promise<readonly string[]> {
  const { flags, parts } = COMMANDS[name] ?? {};
  if (name === 'serve') return argv;
  const commands = Object.keys(COMMANDS);
  if (flags) return withSettings({ command: [name], flags, commands }, argv);
  const [part = '', ...rest] = argv;
  const below = parts && Object.hasOwn(parts, part) ? parts[part] : undefined;
  if (!below) return argv;
  return [part, ...(await withSettings({ command: [name, part], flags: below.flags, commands }, rest))];
}

/** What the user can put right is one sentence and 64; anything else is ours, and 70. */
function explain(error: unknown): number {
  if (
    error instanceof UsageError ||
    error instanceof CannotTest ||
    error instanceof LaunchFailed ||
    error instanceof ViolationsUnreadable ||
    error instanceof Unanswerable
  ) {
    console.error(error.message);
    return EXIT.usage;
  }
  const refusal = refusalOf(error);
  if (refusal !== undefined) {
    console.error(refusal);
    return EXIT.usage;
  }
  console.error(`Touchstone failed: ${error instanceof Error ? error.message : String(error)}`);
  console.error('This is a fault of ours. TOUCHSTONE_DEBUG=1 shows where.');
  if (process.env.TOUCHSTONE_DEBUG && error instanceof Error) console.error(error.stack);
  return EXIT.ourBug;
}
