/** What a command that starts a target is filled with. */
export interface Filling {
  readonly flags?: readonly string[];
  /** Folder in which the server keeps its objects. */
  readonly data?: string | undefined;
  /** Folder of the files that the flags name; a command that starts a server elsewhere has to take them there. */
  readonly files?: string | undefined;
  readonly release?: string | undefined;
}

/**
 * A command with its placeholders filled: `{data}`, `{files}` and `{release}` where the filling has them, and `{flags}`,
 * each quoted for a shell. Flags for which there is no placeholder are put at the end.
 */
export function filled(command: string, { flags, ...others }: Filling): string {
  let text = command;
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined) text = text.replaceAll(`{${name}}`, value);
  }
  if (flags === undefined) return text;
  const words = flags.map(quoted).join(' ');
  return text.includes('{flags}') ? text.replaceAll('{flags}', words) : `${text} ${words}`.trimEnd();
}

/** The command without those of its own flags that others take the place of. */
export function withoutReplaced(command: string, flags: readonly string[]): string {
  const replaced = new Set(flags.map(subjectOf));
  return command.replaceAll(/(?<=^|\s)(--[\w-]+)(?:=(?:'[^']*'|"[^"]*"|[^\s'"])*)?(?=\s|$)/g, (whole, name: string) =>
    replaced.has(subjectOf(name)) ? '' : whole,
  );
}

/** `--a` of `--a=b`. The two ways of saying how to authorize exclude each other, so they count as one. */
export function subjectOf(flag: string): string {
  const name = flag.split('=')[0] ?? flag;
  return name === '--authorization-config' ? '--authorization-mode' : name;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
