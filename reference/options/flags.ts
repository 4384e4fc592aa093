import { BadFlagValue, type Flag } from './flag.ts';
import { FLAGS, type FlagName, type FlagValues } from './flagTable.ts';
import { DEPRECATED_FLAGS, INERT_FLAGS } from './inertFlags.ts';
import { nearest } from './nearest.ts';

export interface ParsedFlags {
  readonly flags: FlagValues;
  /** Names that the command line gave, whatever their values. */
  readonly given: ReadonlySet<FlagName>;
  /** What the person at the terminal should know; one line each. */
  readonly notes: readonly string[];
}

/**
 * Reads a command line: `--flag value`, `--flag=value`, and the bare `--flag` for truth values.
 *
 * @param argv the words behind the command
 * @returns the values, or every error found, one sentence each
 */
export function parseFlags(argv: readonly string[]): ParsedFlags | { readonly errors: readonly string[] } {
  const values: Record<string, unknown> = {};
  for (const [name, flag] of Object.entries(FLAGS)) values[name] = flag.initial;
  const given = new Set<FlagName>();
  const inert = new Set<string>();
  const errors: string[] = [];

  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string;
    if (!word.startsWith('-') || word === '-' || word === '--') {
      errors.push(`unexpected word ${JSON.stringify(word)}: every option begins with --`);
      continue;
    }
    const body = word.replace(/^--?/, '');
    const equals = body.indexOf('=');
    const name = (equals < 0 ? body : body.slice(0, equals)).replaceAll('_', '-');
    const flag = Object.hasOwn(FLAGS, name) ? (FLAGS[name as FlagName] as unknown as Flag<unknown>) : undefined;
    const ignored = INERT_FLAGS.get(name);
    if (!flag && !ignored) {
      errors.push(unknownFlag(name));
      continue;
    }
    let value: string | undefined = equals < 0 ? undefined : body.slice(equals + 1);
    if (value === undefined) {
      if (flag?.bare || ignored?.bare) value = 'true';
      else if (i + 1 < argv.length) value = argv[++i] as string;
      else {
        errors.push(`--${name} needs a value`);
        continue;
      }
    }
    if (!flag) {
      inert.add(name);
      continue;
    }
    try {
      values[name] = flag.read(value, values[name], given.has(name as FlagName));
      given.add(name as FlagName);
    } catch (error) {
      if (!(error instanceof BadFlagValue)) throw error;
      errors.push(`invalid value ${JSON.stringify(value)} for --${name}: ${error.message}`);
    }
  }
  if (errors.length > 0) return { errors };
  const notes = [...inert]
    .filter((name) => DEPRECATED_FLAGS.has(name))
    .map((name) => `--${name} is deprecated and will be removed in a later release`);
  if (inert.size > 0) notes.push(`accepted without effect here: ${[...inert].map((name) => `--${name}`).join(' ')}`);
  return { flags: values as unknown as FlagValues, given, notes };
}

function unknownFlag(name: string): string {
  const close = nearest(name, [...Object.keys(FLAGS), ...INERT_FLAGS.keys()]);
  return `unknown flag --${name}${close === undefined ? '' : `; did you mean --${close}?`}`;
}
