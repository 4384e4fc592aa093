import type { Files } from '../ports/files.ts';
import type { Mutant } from './mutant.ts';

/** The text of every file, read through `reading`. */
const readingThrough =
  (reading: (text: string, path: string) => string) =>
  (files: Files): Files => ({ read: (path) => reading(files.read(path), path) });

/** Mutants that start where they should refuse, or read less than they were given. */
export const STARTING_UP: readonly Mutant[] = [
  {
    id: 'token-file-skips-short-lines',
    breaks: ['TOKENFILE-COLUMNS-02'],
    sentence: 'A line of two columns in the file of static tokens is passed over.',
    seams: {},
    start: {
      files: readingThrough((text, path) =>
        path.endsWith('.csv') ? text.replace(/^[^,\n]*,[^,\n]*$/gm, '').trim() : text,
      ),
    },
  },
  {
    id: 'first-client-ca-only',
    breaks: ['CERT-TRUST-02'],
    sentence: 'Of the client CA file only the first certificate is trusted.',
    seams: {},
    start: {
      options: (options) => {
        const { clientCa } = options.authentication;
        return { ...options, authentication: { ...options.authentication, clientCa: clientCa?.slice(0, 1) } };
      },
    },
  },
];
