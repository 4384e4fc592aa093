import { nearest } from '../collections/nearest.ts';
import { type ControllerName, OPTIONAL_CONTROLLERS } from '../contracts/serverOptions.ts';

const NAMES = Object.keys(OPTIONAL_CONTROLLERS) as ControllerName[];

/**
 * Which of the controllers run that can be left out: `*` stands for all of them, `A` turns one on, `-A` off.
 * @returns the names that run, or one sentence for each name that there is not
 */
export function readControllers(
  words: readonly string[],
): { readonly controllers: ReadonlySet<ControllerName> } | { readonly errors: string[] } {
  const on = new Set<ControllerName>();
  const off = new Set<ControllerName>();
  const errors: string[] = [];
  for (const word of words) {
    const bare = word.replace(/^-/, '');
    const name = NAMES.find((one) => one === bare || OPTIONAL_CONTROLLERS[one] === bare);
    if (word === '*') for (const one of NAMES) on.add(one);
    else if (name) (word === bare ? on : off).add(name);
    else {
      const close = nearest(bare, new Set<string>(NAMES));
      const hint = close === undefined ? '' : `; did you mean ${close}?`;
      errors.push(`--controllers: there is no controller ${word} to choose${hint}`);
    }
  }
  return errors.length > 0 ? { errors } : { controllers: new Set([...on].filter((name) => !off.has(name))) };
}
