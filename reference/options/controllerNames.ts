import { nearest } from './nearest.ts';

/** Controllers that a flag can turn on and off, and whether they are on when nothing is said of them. */
const OPTIONAL = {
  'resourcequota-controller': false,
  'validatingadmissionpolicy-status-controller': true,
} as const;
export type ControllerName = keyof typeof OPTIONAL;

/**
 * Which of the controllers run that can be chosen: `*` stands for those that usually do, `A` turns one on, `-A` off.
 * @returns the names that run, or one sentence for each name that there is not
 */
export function readControllers(
  words: readonly string[],
): { readonly controllers: ReadonlySet<ControllerName> } | { readonly errors: string[] } {
  const names = Object.keys(OPTIONAL) as ControllerName[];
  const unknown = words.filter((word) => word !== '*' && !names.includes(word.replace(/^-/, '') as ControllerName));
  if (unknown.length > 0) {
    return {
      errors: unknown.map((word) => {
        const close = nearest(word.replace(/^-/, ''), new Set(names));
        return `--controllers: there is no controller ${word} to choose${close === undefined ? '' : `; did you mean ${close}?`}`;
      }),
    };
  }
  const usually = (name: ControllerName): boolean => words.includes('*') && OPTIONAL[name];
  return {
    controllers: new Set(
      names.filter((name) => !words.includes(`-${name}`) && (words.includes(name) || usually(name))),
    ),
  };
}
