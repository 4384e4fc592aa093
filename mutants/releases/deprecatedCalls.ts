import { clausesOf, DEPRECATED_CALL_WORDS, EVERY_VERB } from '../../fixtures/ledger/index.ts';
import type { Reply } from '../../reference/contracts/reply.ts';
import type { Seams } from '../../reference/seams.ts';
import { onVerbs } from '../alter.ts';
import { onMetrics } from '../asking.ts';
import type { Mutant } from '../mutant.ts';

/** Alters the headers of every answer, streams among them. */
function onHeaders(change: (headers: Reply['headers']) => Reply['headers']): Seams {
  return { reply: (reply) => ({ ...reply, headers: change(reply.headers) }) as Reply };
}

const VERBS = ['create', 'get', 'list', 'update', 'patch', 'watch', 'delete', 'deletecollection'] as const;

/** Releases that serve other than they should, and calls to deprecated versions that say nothing of it. */
export const DEPRECATED_CALLS: readonly Mutant[] = [
  {
    id: 'deprecated-calls-do-not-warn',
    breaks: [
      ...clausesOf('DEPRECATED-WARNING-01'),
      ...clausesOf('DEPRECATED-WARNING-04'),
      ...clausesOf('DEPRECATED-WARNING-06'),
      ...clausesOf('DEPRECATED-WARNING-05', DEPRECATED_CALL_WORDS),
      'DEPRECATED-WARNING-03',
      'REMOVED-SERVED-02',
    ],
    sentence: 'No answer has a Warning header.',
    defect: () => onHeaders(({ warning: _, ...headers }) => headers),
  },
  ...(
    [
      [
        'resourceVersion=0',
        ['get', 'list', 'watch'],
        ['get-cached', 'list-cached', 'list-cached-chunk', 'watch-bookmarked'],
      ],
      ['resourceVersionMatch=Exact', [], ['list-exact']],
      ['pretty=true', ['get', 'list', 'watch', 'write', 'delete'], ['get-pretty', 'list-pretty']],
      ['fieldSelector=metadata.name%3Da', ['list', 'watch'], ['list-by-field', 'watch-selected']],
    ] as const
  ).map(
    ([parameter, verbs, words]): Mutant => ({
      id: `calls-with-${parameter.replaceAll(/[^A-Za-z0-9]+/g, '-').toLowerCase()}-do-not-warn`,
      breaks: [
        ...(verbs.length === 0 ? [] : clausesOf('DEPRECATED-WARNING-04', 'parameters', verbs)),
        ...clausesOf('DEPRECATED-WARNING-05', words),
      ],
      sentence: `No answer to a call with ${parameter} has a Warning header.`,
      defect: () => ({
        reply: (reply, request) => {
          if (!request.target.split(/[?&]/).includes(parameter)) return reply;
          const { warning: _, ...headers } = reply.headers;
          return { ...reply, headers } as Reply;
        },
      }),
    }),
  ),
  ...(
    [
      ['quotes', '"'],
      ['backslashes', '\\'],
    ] as const
  ).map(
    ([what, sign]): Mutant => ({
      id: `${what}-in-warnings-are-not-escaped`,
      breaks: clausesOf('DEPRECATED-WARNING-01', 'quoted'),
      sentence: `In the quoted text of a warning ${what} stand as they are.`,
      defect: () =>
        onHeaders((headers) => {
          const plain = (text: string) => text.replaceAll(`\\${sign}`, sign);
          const { warning } = headers;
          if (warning === undefined) return headers;
          return { ...headers, warning: Array.isArray(warning) ? warning.map(plain) : plain(String(warning)) };
        }),
    }),
  ),
  {
    id: 'every-answer-warns',
    breaks: ['DEPRECATED-WARNING-02', 'DEPRECATED-WARNING-05/another-call'],
    sentence: 'Every answer has a Warning header.',
    defect: () => onHeaders((headers) => ({ ...headers, warning: headers.warning ?? ['299 - "this is old"'] })),
  },
  {
    id: 'what-a-deprecated-version-wrote-warns',
    breaks: ['DEPRECATED-WARNING-02', 'DEPRECATED-WARNING-05/another-call'],
    sentence: 'Whoever reads an object that a beta version has written is warned.',
    defect: () => ({
      reply: (reply) => {
        const isOld = 'body' in reply && /"apiVersion":"[^"]*beta\d","time"/.test(Buffer.from(reply.body).toString());
        return isOld
          ? { ...reply, headers: { ...reply.headers, warning: ['299 - "it was written in an old version"'] } }
          : reply;
      },
    }),
  },
  {
    id: 'deprecated-calls-are-not-annotated',
    breaks: [
      ...clausesOf('DEPRECATED-AUDIT-01', EVERY_VERB),
      ...clausesOf(
        'DEPRECATED-AUDIT-02',
        DEPRECATED_CALL_WORDS.filter((word) => word !== 'get-unacceptable'),
      ),
    ],
    sentence: 'The audit log does not tell which calls were to deprecated versions.',
    // What is not known to be allowed is not annotated.
    defect: () =>
      onVerbs(VERBS, async (call, serve) => {
        const { audit } = call.exchange;
        const forget = () => {
          for (const name of audit.keys()) if (name.endsWith('/decision')) audit.delete(name);
        };
        forget();
        const answer = await serve(call);
        forget();
        return answer;
      }),
  },
  {
    id: 'calls-for-forms-that-there-are-not-are-not-written',
    breaks: ['DEPRECATED-AUDIT-02/get-unacceptable'],
    sentence: 'The audit log does not tell of calls that ask for an answer in a form that there is not.',
    defect: () => ({
      handler: (handler) => async (request) =>
        request.headers.accept === 'text/plain' && request.path.startsWith('/apis/')
          ? { kind: 'whole', code: 406, headers: {}, body: new Uint8Array() }
          : handler(request),
    }),
  },
  {
    id: 'every-call-is-annotated-as-deprecated',
    breaks: ['DEPRECATED-AUDIT-01/another-call', 'DEPRECATED-AUDIT-02/another-call'],
    sentence: 'The audit log calls each call one to a deprecated version.',
    defect: () =>
      onVerbs(VERBS, (call, serve) => {
        call.exchange.audit.set(`${call.services.dialect.apiDomain}/deprecated`, 'true');
        return serve(call);
      }),
  },
  {
    id: 'deprecated-versions-are-measured-from-the-start',
    breaks: clausesOf('DEPRECATED-METRIC-01', 'not-before'),
    sentence: 'The gauge of requested deprecated APIs tells of those that nobody has called.',
    defect: () =>
      onMetrics((line) =>
        /^# HELP \w+_feature_enabled /.test(line)
          ? `apiserver_requested_deprecated_apis{group="",removed_release="",resource="componentstatuses",subresource="",version="v1"} 1\n${line}`
          : line,
      ),
  },
  {
    id: 'all-deprecated-versions-go-in-one-release',
    breaks: clausesOf('DEPRECATED-METRIC-01', 'every-type'),
    sentence: 'The gauge of requested deprecated APIs names the same release for all but those of batch.',
    defect: () =>
      onMetrics((line) =>
        line.startsWith('apiserver_requested_deprecated_apis{group="batch"')
          ? line
          : line.replace(/removed_release="[^"]*"/, 'removed_release="1.40"'),
      ),
  },
  {
    id: 'deprecated-subresources-are-not-measured',
    breaks: clausesOf('DEPRECATED-METRIC-01', 'subresource'),
    sentence: 'The gauge of requested deprecated APIs knows no subresources.',
    defect: () =>
      onMetrics((line) =>
        line.startsWith('apiserver_requested_deprecated_apis')
          ? line.replace(/subresource="[^"]*"/, 'subresource=""')
          : line,
      ),
  },
  {
    id: 'deprecated-calls-are-measured-by-a-counter',
    breaks: ['DEPRECATED-METRIC-01/as-a-gauge'],
    sentence: 'The gauge of requested deprecated APIs says that it is a counter.',
    defect: () =>
      onMetrics((line) =>
        line.startsWith('# TYPE apiserver_requested_deprecated_apis ') ? line.replace('gauge', 'counter') : line,
      ),
  },
  {
    id: 'deprecated-calls-are-not-measured',
    breaks: [
      ...clausesOf('DEPRECATED-METRIC-01', ['after', 'every-type', 'subresource']),
      ...clausesOf('DEPRECATED-METRIC-03'),
    ],
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
