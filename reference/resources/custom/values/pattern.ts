import { RE2JS } from 're2js';

const compiled = new Map<string, RE2JS>();
const MOST_KEPT = 500;

/** A pattern of a definition as a machine that answers in linear time. Throws Error with the reason for bad ones. */
function patternOf(text: string): RE2JS {
  let pattern = compiled.get(text);
  if (!pattern) {
    pattern = RE2JS.compile(text);
    if (compiled.size >= MOST_KEPT) compiled.clear();
    compiled.set(text, pattern);
  }
  return pattern;
}

/** Whether a text contains a match. */
export function contains(pattern: string, text: string): boolean {
  return patternOf(pattern).matcher(text).find();
}

/** What is wrong with a pattern, in the service's words; undefined when nothing is. */
export function patternFault(pattern: string): string | undefined {
  try {
    patternOf(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
