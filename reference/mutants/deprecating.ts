import type { IncomingRequest } from '../api/request.ts';
import type { Reply, WholeReply } from '../contracts/reply.ts';
import type { Seams } from '../seams.ts';
import { onReplies, onVerbs } from './alter.ts';
import { coding } from './asking.ts';
import type { Mutant } from './mutant.ts';

/** Alters the headers of every answer, streams among them. */
function onHeaders(change: (headers: Reply['headers']) => Reply['headers']): Seams {
  return { reply: (reply) => ({ ...reply, headers: change(reply.headers) }) as Reply };
}

/** Alters each line of the metrics; a line that becomes empty is left out. */
export function onMetrics(change: (line: string) => string): Seams {
  return onReplies((reply, request) => {
    if (request.path !== '/metrics' || reply.headers['content-encoding'] !== undefined) return reply;
    const lines = Buffer.from(reply.body).toString('utf8').split('\n').map(change);
    return { ...reply, body: Buffer.from(`${lines.filter((line) => line !== '').join('\n')}\n`) };
  });
}

/** Answers below some paths that they are not found. */
export const hiding = (path: RegExp): Seams =>
  coding((reply: WholeReply, request: IncomingRequest) => (path.test(request.path) ? 404 : reply.code));

/** Starts with other values of a flag than the ones that are given; none where the value becomes empty. */
export const reading = (flag: string, change: (value: string) => string): Mutant['start'] => ({
  flags: (argv) =>
    argv.flatMap((word) => {
      if (!word.startsWith(`--${flag}=`)) return [word];
      const value = change(word.slice(flag.length + 3));
      return value === '' ? [] : [`--${flag}=${value}`];
    }),
});

/** Releases that serve other than they should, and calls to deprecated versions that say nothing of it. */
export const DEPRECATING: readonly Mutant[] = [
  {
    id: 'deprecated-calls-do-not-warn',
    breaks: ['DEPRECATED-WARNING-01', 'DEPRECATED-WARNING-03', 'REMOVED-SERVED-02'],
    sentence: 'No answer has a Warning header.',
    seams: onHeaders(({ warning: _, ...headers }) => headers),
  },
  {
    id: 'every-answer-warns',
    breaks: ['DEPRECATED-WARNING-02'],
    sentence: 'Every answer has a Warning header.',
    seams: onHeaders((headers) => ({ ...headers, warning: headers.warning ?? ['299 - "this is old"'] })),
  },
  {
    id: 'deprecated-calls-are-not-annotated',
    breaks: ['DEPRECATED-AUDIT-01'],
    sentence: 'The audit log does not tell which calls were to deprecated versions.',
    // What is not known to be allowed is not annotated.
    seams: onVerbs(['list'], (call, serve) => {
      const { audit } = call.exchange;
      for (const name of audit.keys()) if (name.endsWith('/decision')) audit.delete(name);
      return serve(call);
    }),
  },
  {
    id: 'deprecated-calls-are-not-measured',
    breaks: ['DEPRECATED-METRIC-01'],
    sentence: 'The gauge of requested deprecated APIs is never set.',
    seams: onMetrics((line) => (line.startsWith('apiserver_requested_deprecated_apis') ? '' : line)),
  },
  {
    id: 'requests-are-counted-by-other-labels',
    breaks: ['DEPRECATED-METRIC-02'],
    sentence: 'The counter of requests calls the resource something else than the gauge of deprecated APIs.',
    seams: onMetrics((line) =>
      line.startsWith('apiserver_request_total') ? line.replace('resource="', 'type="') : line,
    ),
  },
  {
    id: 'removed-versions-are-answered',
    breaks: ['REMOVED-SERVED-01'],
    sentence: 'The path of a beta version that is removed is answered 200.',
    seams: coding(({ code }, { path }) =>
      code === 404 && /^\/apis\/[^/]+\/v\d+beta\d+\/[^/]+$/.test(path) ? 200 : code,
    ),
  },
  {
    id: 'disruption-budgets-are-gone-early',
    breaks: ['REMOVED-SERVED-02'],
    sentence: 'The beta version of PodDisruptionBudget is not found in the release before its removal.',
    seams: hiding(/^\/apis\/policy\/v1beta1\/poddisruptionbudgets/),
  },
  {
    id: 'ingresses-are-not-replaced',
    breaks: ['REMOVED-REPLACEMENT-01'],
    sentence: 'The stable version of Ingress is not found.',
    seams: hiding(/^\/apis\/networking\.[^/]+\/v1\/ingresses/),
  },
  {
    id: 'runtime-config-is-not-heeded',
    breaks: ['GROUP-RUNTIME-01', 'GROUP-RUNTIME-03', 'GROUP-RUNTIME-04'],
    sentence: '--runtime-config is not read.',
    seams: {},
    start: reading('runtime-config', () => ''),
  },
  {
    id: 'runtime-config-without-value-is-off',
    breaks: ['GROUP-RUNTIME-02'],
    sentence: 'A key of --runtime-config without a value switches its version off.',
    seams: {},
    start: reading('runtime-config', (value) =>
      value.replace(/([^=,]+)(?=,|$)/g, (key, _, at) => (value[at - 1] === '=' ? key : `${key}=false`)),
    ),
  },
  {
    id: 'feature-gates-are-not-heeded',
    breaks: ['GATE-STAGE-01', 'GATE-STAGE-02', 'GATE-STAGE-03', 'GATE-STAGE-04', 'GATE-VALUE-01'],
    sentence: '--feature-gates is not read.',
    seams: {},
    start: reading('feature-gates', () => ''),
  },
];
