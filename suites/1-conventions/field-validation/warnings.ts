import { type Exchange, warningsIn } from '../../harness/index.ts';

/** The entries of the Warning headers of an answer, which a server may put into one or several. */
export function warningsOf(answer: Pick<Exchange, 'header'>): string[] {
  return warningsIn(answer.header('warning')).map(({ written }) => written);
}
