import { check, match, must } from '../../harness/vocabulary.ts';

check(
  'the file of static tokens has a line of two columns → the server does not start',
  ['TOKENFILE-COLUMNS-02'],
  ['launch'],
  async ({ start }) => {
    const flags = ['--token-auth-file={tokens.csv}'];
    const server = await start({ flags, files: { 'tokens.csv': 'a-token-of-two-columns,ada\n' } });
    must('a user without a uid is refused', server, match.refusesToStart);
  },
);
