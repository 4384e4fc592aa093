import { existsSync } from 'node:fs';
import type { Settable, Setting } from './configFile.ts';
import type { CommandFlag, FlagTable } from './flags.ts';
import { UsageError } from './usageError.ts';

/** Names a configuration file; without it, `touchstone.yaml` is read where the command is called. */
const CONFIG = 'config';
export const CONFIG_FILE = 'touchstone.yaml';

/** The variable of the environment that stands for a flag: `TOUCHSTONE_PLAIN_TOKEN` for `--plain-token`. */
export function variableOf(flag: string): string {
  return `TOUCHSTONE_${flag.toUpperCase().replaceAll('-', '_')}`;
}

/**
 * A command line with all that is said elsewhere of the flags that it does not give: by variables of the environment
 * first, then by the configuration file.
 *
 * @param argv what stands behind the words of the command
 * @throws UsageError where a variable or the file is not as it should be
 */
export async function withSettings(
  settable: Settable,
  argv: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string[]> {
  const { flags } = settable;
  const { file, rest } = namedFile(argv, environment);
  const given = givenIn(rest, flags);
  const taken = new Set([...given].flatMap((name) => flags[name]?.oneOf ?? []));
  const added: string[] = [];
  const take = (name: string, flag: CommandFlag, words: readonly string[]) => {
    given.add(name);
    added.push(...words);
    if (flag.oneOf !== undefined) taken.add(flag.oneOf);
  };
  const isOpen = (name: string, flag: CommandFlag) =>
    !given.has(name) && !(flag.oneOf !== undefined && taken.has(flag.oneOf));
  for (const [name, flag] of Object.entries(flags)) {
    const text = flag.local ? undefined : environment[variableOf(name)];
    if (text !== undefined && text !== '' && isOpen(name, flag)) take(name, flag, wordsOfVariable(name, flag, text));
  }
  const settings = await settingsIn(file, settable);
  for (const [name, setting] of Object.entries(settings)) {
    const flag = flags[name];
    if (flag && isOpen(name, flag)) take(name, flag, wordsOf(name, flag, setting));
  }
  return [...added, ...rest];
}

/** Takes `--config FILE` out of a command line. */
function namedFile(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
): { file: string | undefined; rest: string[] } {
  const at = argv.findIndex((word) => word === `--${CONFIG}` || word.startsWith(`--${CONFIG}=`));
  if (at < 0) return { file: environment[variableOf(CONFIG)] || undefined, rest: [...argv] };
  const joined = argv[at]?.slice(`--${CONFIG}=`.length);
  const file = joined || argv[at + 1];
  if (file === undefined || file === '' || (!joined && file.startsWith('--'))) {
    throw new UsageError(`--${CONFIG} needs a value: --${CONFIG} FILE.`);
  }
  return { file, rest: [...argv.slice(0, at), ...argv.slice(at + (joined ? 1 : 2))] };
}

function givenIn(argv: readonly string[], flags: FlagTable): Set<string> {
  const byShort = new Map(Object.entries(flags).flatMap(([name, { short }]) => (short ? [[`-${short}`, name]] : [])));
  return new Set(
    argv.flatMap((word) => {
      if (word.startsWith('--')) return [word.slice(2).split('=', 1)[0] ?? ''];
      return byShort.get(word) ?? [];
    }),
  );
}

const TRUTH: Readonly<Record<string, boolean>> = { 1: true, true: true, yes: true, 0: false, false: false, no: false };

function wordsOfVariable(name: string, flag: CommandFlag, text: string): string[] {
  if (flag.value !== undefined) return [`--${name}=${text}`];
  const truth = Object.hasOwn(TRUTH, text.toLowerCase()) ? TRUTH[text.toLowerCase()] : undefined;
  if (truth === undefined) throw new UsageError(`${variableOf(name)} is true or false, not ${JSON.stringify(text)}.`);
  return wordsOf(name, flag, truth);
}

function wordsOf(name: string, flag: CommandFlag, setting: Setting): string[] {
  if (setting === true) return [`--${name}`];
  if (setting === false) return flag.on ? [`--${name}=false`] : [];
  return [setting].flat().map((each) => `--${name}=${each}`);
}

async function settingsIn(file: string | undefined, settable: Settable) {
  if (file === undefined && !existsSync(CONFIG_FILE)) return {};
  // Few have such a file, and what reads it takes a while to load.
  const { readConfigFile } = await import('./configFile.ts');
  return readConfigFile(file ?? CONFIG_FILE, settable);
}
