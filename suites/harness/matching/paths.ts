/** `metadata.labels["a.b/c"].0`; segments that are not plain words are written in brackets. */
export type Path = string | readonly (string | number)[];

/** Splits `metadata.finalizers.0`. A key with a dot or slash in it needs the array form. */
export function segments(path: Path): readonly (string | number)[] {
  if (typeof path !== 'string') return path;
  return path === '' ? [] : path.split('.');
}

export function joinPath(base: string, parts: readonly (string | number)[]): string {
  let text = base;
  for (const part of parts) {
    if (typeof part === 'number' || /^\d+$/.test(part)) text += `[${part}]`;
    else if (/^[\w$-]+$/.test(part)) text += text === '' ? part : `.${part}`;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}

/** What lies at a path; `undefined` where nothing does. Looks at own members only. */
export function valueAt(value: unknown, parts: readonly (string | number)[]): unknown {
  let at = value;
  for (const part of parts) {
    if (typeof at !== 'object' || at === null) return undefined;
    if (!Object.hasOwn(at, part)) return undefined;
    at = (at as Record<string | number, unknown>)[part];
  }
  return at;
}
