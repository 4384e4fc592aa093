import type { HistoryEntry } from '../../history/format.ts';
import { conformanceReport } from '../conformanceReport.ts';
import { historyPage, pictureOf } from '../historyPage.ts';
import { html } from '../html.ts';
import { matrixHtml } from '../mutantMatrix.ts';
import { resultOf } from '../results.ts';
import { targetMatrix } from '../targetMatrix.ts';
import { sampleRun } from './sampleRun.ts';

/** Of one word, and longer than a narrow screen is wide. */
const LONG = `/apis/example.com/v1/namespaces/${'touchstone-0123456789-'.repeat(6)}/widgets`;

const RUN = resultOf(
  sampleRun([
    { outcome: 'pass', statuses: [201, 200] },
    {
      outcome: 'fail',
      broken: ['a taken name is refused', `what stands at ${LONG} stays as it is`],
      statuses: [201, 201],
      asked: 201,
      body: `{"kind":"Status","message":"${LONG}"}`,
    },
    { outcome: 'warn', broken: ['a warning is sent'] },
    { outcome: 'inconclusive', reason: `the target is gone: no whole answer came in time from ${LONG}` },
    { outcome: 'harness-error', reason: 'an error of ours' },
    { outcome: 'unsupported', reason: 'the target has no clock that can be moved' },
    { outcome: 'fail', requirement: 'WATCH-RV-01', clauses: { 'WATCH-RV-01/get': 'fail', 'WATCH-RV-01/list': 'pass' } },
  ]),
);

const HISTORY: readonly HistoryEntry[] = Array.from({ length: 24 }, (_, number) => ({
  type: 'operation' as const,
  client: ['author', 'rival', 'a client with a long name'][number % 3] ?? '',
  number,
  start: number * 3,
  end: number * 3 + 4 + (number % 5),
  status: number % 7 === 3 ? 409 : 200,
  method: number % 4 === 0 ? 'GET' : 'PUT',
  path: number === 5 ? LONG : '/api/v1/namespaces/n/configmaps/a',
  ...(number % 7 === 3 ? { denied: true as const } : {}),
  seen: { object: { name: 'a', uid: 'u', version: String(number) } },
}));
const BROKEN = [{ guarantee: 'linearizable', sentence: 'what was answered is not there', operations: [5, 8] }];

const mutant = (id: string, sentence: string, caught: boolean) => ({
  mutant: id,
  sentence,
  verdict: caught ? ('killed' as const) : ('survived' as const),
  requirements: [
    {
      mutant: id,
      sentence,
      requirement: 'UPDATE-VERSION-02',
      checks: 1,
      killedBy: caught ? [{ check: `1-conventions/updating-and-patching/${LONG}`, assertion: 'it is refused' }] : [],
      ...(caught ? {} : { missed: 'pass' }),
    },
  ],
});

/** Every page that is written for people but that of `learn`, by what it is, of what was made up. */
export const SAMPLE_PAGES: Readonly<Record<string, () => string>> = {
  'a report': () => html(RUN),
  'a history': () => historyPage('A history', pictureOf(HISTORY, BROKEN)),
  'a matrix of targets': () =>
    targetMatrix([
      ['mine', conformanceReport(RUN)],
      ['a target with a name of many words', conformanceReport(RUN)],
    ]),
  'a matrix of mutants': () =>
    matrixHtml({
      rows: [
        mutant('conflict-becomes-last-write-wins', 'A write with an old version is taken.', true),
        mutant('watches-are-told-nothing-of-deletions', 'Whoever watches is not told that an object is gone.', false),
      ],
      problems: [],
    }),
};
