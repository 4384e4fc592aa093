import { parseArgs } from 'node:util';
import { suggestion } from './nearest.ts';
import { UsageError } from './usageError.ts';

/** One flag of a command. A flag without `value` is a switch. */
export interface CommandFlag {
  /** What stands for its value in help: `URL`. */
  readonly value?: string;
  readonly help: string;
  /** May be given several times; its values may also be joined by commas. */
  readonly many?: boolean;
  /** Its value must never be shown. */
  readonly secret?: boolean;
  /** The letter that also names it: `o` for `-o`. */
  readonly short?: string;
  /** It means something of its own in its command, so that no variable of the environment stands for it. */
  readonly local?: boolean;
  /** Flags of one choice: given one on the command line, the others are not taken from anywhere else. */
  readonly oneOf?: string;
  /** The words that it takes, where there are few. */
  readonly choices?: readonly string[];
  /** A switch that is on unless told, so that `--name=false` says something. */
  readonly on?: boolean;
}
export type FlagTable = Readonly<Record<string, CommandFlag>>;

/** What a command line said: each flag as its type asks for. */
export type Flags<Table extends FlagTable> = {
  readonly [Name in keyof Table]: Table[Name] extends { many: true }
    ? readonly string[]
    : Table[Name] extends { value: string }
      ? string | undefined
      : boolean;
};
export interface CommandLine<Table extends FlagTable> {
  readonly flags: Flags<Table>;
  readonly words: readonly string[];
}

/**
 * Reads a command line by a table of flags.
 * @throws UsageError for a flag that is not in the table, one without its value, and a switch with one.
 */
export function readFlags<Table extends FlagTable>(argv: readonly string[], table: Table): CommandLine<Table> {
  const options = Object.fromEntries(
    Object.entries(table).map(([name, flag]) => [
      name,
      { type: flag.value === undefined ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  );
  const { tokens } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: false, tokens: true });
  const values = new Map<string, string[]>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = Object.hasOwn(table, token.name) ? table[token.name] : undefined;
    if (!flag) throw unknownFlag(token.rawName, table);
    if (flag.value === undefined && token.value !== undefined) throw new UsageError(`--${token.name} takes no value.`);
    if (flag.value !== undefined && (token.value === undefined || token.value === '')) {
      throw new UsageError(`--${token.name} needs a value: --${token.name} ${flag.value}.`);
    }
    // "--token --strict" is a forgotten value far more often than a token that starts with two dashes.
    if (flag.value !== undefined && !token.inlineValue && token.value?.startsWith('--')) {
      throw new UsageError(`--${token.name} needs a value: --${token.name} ${flag.value}.`);
    }
    values.set(token.name, [...(values.get(token.name) ?? []), token.value ?? 'true']);
  }
  const flags = Object.fromEntries(
    Object.entries(table).map(([name, flag]) => [name, settle(name, flag, values.get(name) ?? [])]),
  );
  return { flags: flags as Flags<Table>, words };
}

function settle(name: string, flag: CommandFlag, given: readonly string[]): unknown {
  if (flag.many) return given.flatMap((value) => value.split(',')).filter((value) => value !== '');
  if (flag.value === undefined) return given.length > 0;
  if (given.length > 1) throw new UsageError(`--${name} may be given only once.`);
  return given[0];
}

function unknownFlag(written: string, table: FlagTable): UsageError {
  const known = Object.keys(table).map((name) => `--${name}`);
  return new UsageError(`There is no flag ${written}.${suggestion(written, known)}`);
}

/**
 * A table of flags for help, one a line.
 * @param groups titles, with the first flag below each
 */
export function flagHelp(table: FlagTable, groups: Readonly<Record<string, string>> = {}): string {
  const titles = new Map(Object.entries(groups).map(([title, first]) => [first, title]));
  const rows = Object.entries(table).map(([name, flag]) => ({
    title: titles.get(name),
    left: `  ${flag.short === undefined ? '' : `-${flag.short}, `}--${name}${flag.value === undefined ? '' : ` ${flag.value}`}`,
    help: flag.many ? `${flag.help} (may be repeated)` : flag.help,
  }));
  // A value that lists many words would push every explanation out of sight.
  const width = Math.min(48, Math.max(...rows.map(({ left }) => left.length))) + 2;
  return rows
    .flatMap(({ title, left, help }, index) => [
      ...(title === undefined ? [] : [...(index === 0 ? [] : ['']), `${title}:`]),
      left.length < width - 1 ? `${left.padEnd(width)}${help}` : `${left}\n${' '.repeat(width)}${help}`,
    ])
    .join('\n');
}

/** A whole number in a range, out of a flag's text. Throws UsageError. */
export function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`--${name} takes a whole number from ${least} to ${most}, not ${JSON.stringify(text)}.`);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A length of time such as `30s` or `1h30m`, out of a flag's text. @returns milliseconds. Throws UsageError. */
export function duration(name: string, text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const all = parts.map(([whole]) => whole).join('');
  const value = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ''] ?? 0), 0);
  if (all === text && value >= 1) return Math.round(value);
  const meant = /^\d+$/.test(text) ? ` Did you mean ${text}s?` : '';
  throw new UsageError(`--${name} takes a length of time such as 30s or 5m, not ${JSON.stringify(text)}.${meant}`);
}

/** One of several words, out of a flag's text. Throws UsageError. */
export function choice<Word extends string>(name: string, text: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${name} takes ${words.join(', ')}, not ${JSON.stringify(text)}.${suggestion(text, words)}`);
}

/** A command line with short names of flags written out: `-o` as `--output`. */
export function longNames(argv: readonly string[], names: Readonly<Record<string, string>>): string[] {
  return argv.map((word) => (Object.hasOwn(names, word) ? (names[word] ?? word) : word));
}

/** What a command line says, without what nobody may see. */
export function withoutSecrets(argv: readonly string[], table: FlagTable): readonly string[] {
  const secret = (word: string | undefined) => word?.startsWith('--') === true && table[word.slice(2)]?.secret === true;
  return argv.map((word, at) => {
    const [name = ''] = word.split('=');
    return secret(argv[at - 1]) ? '…' : word.includes('=') && secret(name) ? `${name}=…` : word;
  });
}
