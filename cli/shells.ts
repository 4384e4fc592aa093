import type { FlagTable } from './flags.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A command as a shell completes it. */
export interface Completed {
  /** Its words: `lifecycle`, `upgrade`. */
  readonly words: readonly string[];
  readonly about: string;
  readonly flags: FlagTable;
}

/** The script that teaches a shell to complete commands, their flags, and the words and files that flags take. */
export function completionScript(shell: Shell, commands: readonly Completed[]): string {
  return `${{ bash, zsh, fish }[shell](commands)}\n`;
}

const FILES = /FILE|MANIFESTS/;
const FOLDERS = /^DIR/;

/** Commands below a prefix of words, each once. */
function below(commands: readonly Completed[], prefix: readonly string[]): { word: string; about: string }[] {
  const found = new Map<string, string>();
  for (const { words, about } of commands) {
    const word = words[prefix.length];
    if (word === undefined || prefix.some((each, index) => each !== words[index])) continue;
    if (!found.has(word) || words.length === prefix.length + 1) found.set(word, about);
  }
  return [...found].map(([word, about]) => ({ word, about }));
}

/** Every list of words behind which commands stand, the empty one first. */
function prefixes(commands: readonly Completed[]): (readonly string[])[] {
  const all = new Map(
    commands.flatMap(({ words }) => words.map((_, at) => [words.slice(0, at).join(' '), words.slice(0, at)])),
  );
  return [...all.values()].sort((a, b) => a.length - b.length);
}

function bash(commands: readonly Completed[]): string {
  const kinds = (test: (value: string) => boolean) =>
    [
      ...new Set(
        commands.flatMap(({ flags }) =>
          Object.entries(flags).flatMap(([name, { value }]) =>
            value !== undefined && test(value) ? [`--${name}`] : [],
          ),
        ),
      ),
    ].sort();
  const choices = new Map(
    commands.flatMap(({ flags }) =>
      Object.entries(flags).flatMap(([name, flag]) =>
        flag.choices ? [[`--${name}`, flag.choices.join(' ')] as const] : [],
      ),
    ),
  );
  const cases = [
    ...prefixes(commands).map(
      (prefix) =>
        `    ${quoted(prefix.join(' '))}) words=${quoted(
          below(commands, prefix)
            .map(({ word }) => word)
            .join(' '),
        )} ;;`,
    ),
    ...commands.map(
      ({ words, flags }) =>
        `    ${quoted(words.join(' '))}) words=${quoted(
          Object.keys(flags)
            .map((name) => `--${name}`)
            .join(' '),
        )} ;;`,
    ),
  ];
  const valued = [...choices].map(
    ([flag, words]) => `    ${flag}) COMPREPLY=($(compgen -W ${quoted(words)} -- "$current")); return ;;`,
  );
  return `_touchstone() {
  local current previous command word words
  current=\${COMP_WORDS[COMP_CWORD]}
  previous=\${COMP_WORDS[COMP_CWORD-1]}
  [[ $previous == = ]] && previous=\${COMP_WORDS[COMP_CWORD-2]}
  [[ $current == = ]] && current=
  case $previous in
${valued.join('\n')}
    ${kinds((value) => FOLDERS.test(value)).join('|') || '--'}) COMPREPLY=($(compgen -d -- "$current")); return ;;
    ${kinds((value) => FILES.test(value)).join('|') || '--'}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && break
    command="\${command:+$command }$word"
  done
  case $command in
${cases.join('\n')}
    *) words= ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ \${#COMPREPLY[@]} -eq 0 && $current != -* && -n $command ]] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _touchstone touchstone`;
}

function zsh(commands: readonly Completed[]): string {
  const flag = (name: string, { value, help, many, choices }: FlagTable[string]) => {
    const about = help.replaceAll(/[[\]\\]/g, '\\$&').replaceAll(':', '\\:');
    const action =
      value === undefined
        ? ''
        : `:${(value.split(/[|,]/)[0] ?? '').replaceAll(':', '')}:${choices ? `(${choices.join(' ')})` : FOLDERS.test(value) ? '_files -/' : FILES.test(value) ? '_files' : ' '}`;
    return quoted(`${many ? '*' : ''}--${name}${value === undefined ? '' : '='}[${about}]${action}`);
  };
  const cases = commands.map(
    ({ words, flags }) =>
      `    ${quoted(words.join(' '))}) _arguments ${[...Object.entries(flags).map(([name, each]) => flag(name, each)), quoted('*:file:_files')].join(' ')} ;;`,
  );
  const lists = prefixes(commands).map(
    (prefix) =>
      `    ${quoted(prefix.join(' '))}) choices=(${below(commands, prefix)
        .map(({ word, about }) => quoted(`${word}:${about}`))
        .join(' ')}); _describe command choices ;;`,
  );
  return `#compdef touchstone
_touchstone() {
  local command word
  local -a choices
  for word in "\${words[@]:1:$((CURRENT-2))}"; do
    [[ $word == -* ]] && break
    command="\${command:+$command }$word"
  done
  case $command in
${lists.join('\n')}
${cases.join('\n')}
  esac
}
compdef _touchstone touchstone`;
}

function fish(commands: readonly Completed[]): string {
  const lines: string[] = ['complete -c touchstone -f'];
  for (const prefix of prefixes(commands)) {
    const within = prefix.length === 0 ? '__fish_use_subcommand' : seen(prefix);
    for (const { word, about } of below(commands, prefix)) {
      lines.push(`complete -c touchstone -n ${quoted(within)} -a ${quoted(word)} -d ${quoted(about)}`);
    }
  }
  for (const { words, flags } of commands) {
    for (const [name, { value, help, choices, short }] of Object.entries(flags)) {
      const files = value !== undefined && (FILES.test(value) || FOLDERS.test(value)) ? ' -F' : '';
      const takes = value === undefined ? '' : choices ? ` -x -a ${quoted(choices.join(' '))}` : ` -r${files}`;
      const letter = short === undefined ? '' : ` -s ${short}`;
      lines.push(`complete -c touchstone -n ${quoted(seen(words))} -l ${name}${letter}${takes} -d ${quoted(help)}`);
    }
  }
  return lines.join('\n');
}
const seen = (words: readonly string[]) => words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');

/** A word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
