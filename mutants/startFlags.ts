import type { Start } from './mutant.ts';

/** Starts with other values of a flag than the ones that are given; none where the value becomes empty. */
export const reading = (flag: string, change: (value: string) => string): Start => ({
  flags: (argv) =>
    argv.flatMap((word) => {
      if (!word.startsWith(`--${flag}=`)) return [word];
      const value = change(word.slice(flag.length + 3));
      return value === '' ? [] : [`--${flag}=${value}`];
    }),
});

/** Starts with one flag more, where it is not given; made of the flags that are. */
export const adding = (flag: string, value: (argv: readonly string[]) => string | undefined): Start => ({
  flags: (argv) => {
    const added = argv.some((word) => word.startsWith(`--${flag}=`)) ? undefined : value(argv);
    return added === undefined ? argv : [...argv, `--${flag}=${added}`];
  },
});
