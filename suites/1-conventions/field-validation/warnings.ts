import type { Exchange } from '../../harness/index.ts';

/** The entries of the Warning headers of an answer, which a server may put into one or several. */
export function warningsOf(answer: Exchange): string[] {
  return answer
    .header('warning')
    .join('\n')
    .split(/(?=\b299 )/)
    .filter(Boolean);
}
