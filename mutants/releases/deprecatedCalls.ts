import type { Reply } from '../../reference/contracts/reply.ts';
import type { Seams } from '../../reference/seams.ts';
import { onVerbs } from '../alter.ts';
import { onMetrics } from '../asking.ts';
import type { Mutant } from '../mutant.ts';

/** Alters the headers of every answer, streams among them. */
function onHeaders(change: (headers: Reply['headers']) => Reply['headers']): Seams {
  return { reply: (reply) => ({ ...reply, headers: change(reply.headers) }) as Reply };
}

/** Releases that serve other than they should, and calls to deprecated versions that say nothing of it. */
export const DEPRECATED_CALLS: readonly Mutant[] = [
  {
    id: 'deprecated-calls-do-not-warn',
    breaks: ['DEPRECATED-WARNING-01', 'DEPRECATED-WARNING-03', 'REMOVED-SERVED-02'],
    sentence: 'No answer has a Warning header.',
    defect: () => onHeaders(({ warning: _, ...headers }) => headers),
  },
  {
    id: 'every-answer-warns',
    breaks: ['DEPRECATED-WARNING-02'],
    sentence: 'Every answer has a Warning header.',
    defect: () => onHeaders((headers) => ({ ...headers, warning: headers.warning ?? ['299 - "this is old"'] })),
  },
  {
    id: 'deprecated-calls-are-not-annotated',
    breaks: ['DEPRECATED-AUDIT-01'],
    sentence: 'The audit log does not tell which calls were to deprecated versions.',
    // What is not known to be allowed is not annotated.
    defect: () =>
      onVerbs(['list'], (call, serve) => {
        const { audit } = call.exchange;
        for (const name of audit.keys()) if (name.endsWith('/decision')) audit.delete(name);
        return serve(call);
      }),
  },
  {
    id: 'deprecated-calls-are-not-measured',
    breaks: ['DEPRECATED-METRIC-01'],
    sentence: 'The gauge of requested deprecated APIs is never set.',
    defect: () => onMetrics((line) => (line.startsWith('apiserver_requested_deprecated_apis') ? '' : line)),
  },
  {
    id: 'requests-are-counted-by-other-labels',
    breaks: ['DEPRECATED-METRIC-02'],
    sentence: 'The counter of requests calls the resource something else than the gauge of deprecated APIs.',
    defect: () =>
      onMetrics((line) => (line.startsWith('apiserver_request_total') ? line.replace('resource="', 'type="') : line)),
  },
];
