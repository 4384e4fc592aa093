import { type ControllerName, OPTIONAL_CONTROLLERS } from '../contracts/serverOptions.ts';
import { nearest } from './nearest.ts';

/**
 * Which of the controllers run that can be chosen: `*` stands for those that usually do, `A` turns one on, `-A` off.
 * @returns the names that run, or one sentence for each name that there is not
 */
export function readControllers(
  words: readonly string[],
): { readonly controllers: ReadonlySet<ControllerName> } | { readonly errors: string[] } {
  const names = Object.keys(OPTIONAL_CONTROLLERS) as ControllerName[];
  const unknown = words.filter((word) => word !== '*' && !names.includes(word.replace(/^-/, '') as ControllerName));
  if (unknown.length > 0) {
    return {
      errors: unknown.map((word) => {
        const close = nearest(word.replace(/^-/, ''), new Set(names));
        return `--controllers: there is no controller ${word} to choose${close === undefined ? '' : `; did you mean ${close}?`}`;
      }),
    };
  }
  const usually = (name: ControllerName): boolean => words.includes('*') && OPTIONAL_CONTROLLERS[name];
  return {
    controllers: new Set(
      names.filter((name) => !words.includes(`-${name}`) && (words.includes(name) || usually(name))),
    ),
  };
}
