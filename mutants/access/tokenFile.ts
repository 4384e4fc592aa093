import { clausesOf } from '../../fixtures/ledger/index.ts';
import { readStaticTokens } from '../../reference/options/staticTokens.ts';
import { diskFiles } from '../../reference/ports/disk.ts';
import type { Files } from '../../reference/ports/files.ts';
import type { Seams } from '../../reference/seams.ts';
import type { Clock } from '../../reference/time.ts';
import type { Defect, Mutant } from '../mutant.ts';
import { onIdentity, onOptions, onRefusal, tokenOf } from '../onAuthentication.ts';

const DAY = 24 * 3_600_000;

/** Reads the file of static tokens anew for each request that would be refused. */
function watchedTokenFile(): Defect {
  let path = '';
  return {
    start: {
      flags: (argv) => {
        path = argv.find((each) => each.startsWith('--token-auth-file='))?.split('=')[1] ?? '';
        return argv;
      },
    },
    ...onRefusal((request) => {
      const { tokens } = readStaticTokens(path === '' ? '' : diskFiles.read(path), 'spec');
      return tokens.map((row) => ({ ...row, extra: {} })).find(({ token }) => token === tokenOf(request));
    }),
  };
}

/** Refuses static tokens when the server has run for a day. */
function endingTokens(): Seams {
  let clock: Clock | undefined;
  let end = 0;
  return {
    clock: (inner) => {
      clock = inner;
      end = inner.now() + DAY;
      return inner;
    },
    ...onIdentity((answer, request) => {
      const opaque = tokenOf(request) !== '' && !tokenOf(request).includes('.');
      return opaque && (clock?.now() ?? 0) > end ? { rejected: 'the token has ended' } : answer;
    }),
  };
}

/** The text of every file, read through `reading`. */
const readingThrough =
  (reading: (text: string, path: string) => string) =>
  (files: Files): Files => ({ read: (path) => reading(files.read(path), path) });

/** Whom the file of static tokens makes (2/methods). */
export const TOKEN_FILE: readonly Mutant[] = [
  {
    id: 'token-file-parted-at-every-comma',
    breaks: clausesOf('TOKENFILE-COLUMNS-04', 'commas'),
    sentence: 'A comma in a quoted name or uid of the file of static tokens parts it.',
    defect: () => ({
      start: {
        files: readingThrough((text, path) =>
          path.endsWith('.csv')
            ? text.replace(/^([^,\n]*),"([^,"\n]*),[^\n]*first",/gm, '$1,"$2 ""the"" first",')
            : text,
        ),
      },
    }),
  },
  {
    id: 'token-file-loses-quotes',
    breaks: clausesOf('TOKENFILE-COLUMNS-04', 'quotes'),
    sentence: 'Doubled quotes in the file of static tokens are lost.',
    defect: () => ({
      start: {
        files: readingThrough((text, path) =>
          path.endsWith('.csv') ? text.replace(/(?<=[\w ,])""(?=\w)|(?<=\w)""/g, '') : text,
        ),
      },
    }),
  },
  {
    id: 'token-file-loses-its-last-line',
    breaks: clausesOf('TOKENFILE-COLUMNS-04', 'last-line'),
    sentence: 'A last line of the file of static tokens without an end is passed over.',
    defect: () => ({
      start: {
        files: readingThrough((text, path) =>
          path.endsWith('.csv') && !text.endsWith('\n') ? text.slice(0, text.lastIndexOf('\n') + 1) : text,
        ),
      },
    }),
  },
  {
    id: 'carriage-returns-belong-to-columns',
    breaks: clausesOf('TOKENFILE-COLUMNS-04', 'line-ends'),
    sentence: 'A carriage return before the end of a line of the file of static tokens is part of its last column.',
    defect: () => ({
      start: {
        files: readingThrough((text, path) =>
          path.endsWith('.csv') ? text.replace(/,([^",\r\n]*)\r$/gm, (_, last) => `,"${last} "`) : text,
        ),
      },
    }),
  },
  {
    id: 'one-group-in-the-file-is-none',
    breaks: clausesOf('TOKENFILE-COLUMNS-04', 'one-group'),
    sentence: 'A column of groups without quotes is not read.',
    defect: () => ({
      start: {
        files: readingThrough((text, path) => (path.endsWith('.csv') ? text.replace(/,staff$/gm, '') : text)),
      },
    }),
  },
  {
    id: 'groups-column-not-split',
    breaks: ['TOKENFILE-COLUMNS-01'],
    sentence: 'The quoted groups of the token file are taken for one group.',
    defect: () => ({
      start: onOptions((options) => ({
        ...options,
        staticTokens: options.staticTokens?.map((row) => ({ ...row, groups: [row.groups.join(',')] })),
      })),
    }),
  },
  {
    id: 'token-file-is-watched',
    breaks: ['TOKENFILE-RESTART-01'],
    sentence: 'Tokens that are added to the token file are taken at once.',
    defect: watchedTokenFile,
  },
  {
    id: 'static-tokens-end',
    breaks: ['TOKENFILE-EXPIRY-01'],
    sentence: 'Static tokens are refused when the server has run for a day.',
    defect: () => endingTokens(),
  },
  {
    id: 'token-file-names-the-nameless',
    breaks: ['TOKENFILE-COLUMNS-03'],
    sentence: 'A line without a user name in the file of static tokens is for its uid.',
    defect: () => ({
      start: {
        files: readingThrough((text, path) =>
          path.endsWith('.csv') ? text.replace(/^([^,\n]*),,([^,\n]*)/gm, '$1,$2,$2') : text,
        ),
      },
    }),
  },
  {
    id: 'token-file-skips-short-lines',
    breaks: ['TOKENFILE-COLUMNS-02'],
    sentence: 'A line of two columns in the file of static tokens is passed over.',
    defect: () => ({
      start: {
        files: readingThrough((text, path) =>
          path.endsWith('.csv') ? text.replace(/^[^,\n]*,[^,\n]*$/gm, '').trim() : text,
        ),
      },
    }),
  },
];
