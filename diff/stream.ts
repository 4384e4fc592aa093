import { ledger } from '../fixtures/ledger/index.ts';
import type { ExchangeRecorded, RunEvent } from '../reports/events.ts';
import type { Played } from '../suites/sequences/play.ts';
import { type Step, wordsOf } from '../suites/sequences/step.ts';
import { brief, type Cause } from './cause.ts';

/** A cause as the events of a check that failed, or warns where the text leaves open what differs. */
export function eventsOf(cause: Cause, names: readonly [string, string], time: string): RunEvent[] {
  const { name, sentence, requirement, shown } = cause;
  const check = `diff/${shown.area}:${name}`;
  const about = { check, variant: '' };
  const [first, second] = names;
  const exchanges = [
    ...exchangesOf(shown.first, shown.steps, first),
    ...exchangesOf(shown.second, shown.steps, second),
  ];
  const { difference } = shown;
  const failed = exchanges.findLast(({ actor }) => actor.startsWith(second));
  return [
    { type: 'check-started', time, ...about, attempt: 0 },
    ...exchanges.map((exchange, at) => ({ ...exchange, ...about, number: at + 1 })),
    {
      type: 'assertion',
      ...about,
      at: 0,
      sentence,
      level: requirement ? ledger[requirement].level : 'MAY',
      requirements: requirement ? [requirement] : [],
      holds: false,
      allowed: [`as ${first}: ${brief(difference.first)}`],
      differences: [
        {
          path: difference.path,
          want: brief(difference.first),
          got: brief(difference.second),
          gotType: typeof difference.second,
        },
      ],
      ...(failed ? { exchange: exchanges.length } : {}),
    },
    {
      type: 'check-finished',
      time,
      ...about,
      attempt: 0,
      outcome: requirement ? 'fail' : 'warn',
      ...(requirement ? {} : { reason: 'the text leaves it open' }),
      duration: 0,
    },
  ];
}

/** A plan of the causes, as of checks. */
export function plannedOf(causes: readonly Cause[], time: string): RunEvent {
  return {
    type: 'checks-planned',
    time,
    checks: causes.map(({ name, sentence, requirement, shown }) => ({
      id: `diff/${shown.area}:${name}`,
      title: sentence,
      file: `diff/${shown.area}`,
      line: 1,
      requirements: requirement ? [requirement] : [],
      variant: '',
    })),
  };
}

type Exchanged = Omit<ExchangeRecorded, 'check' | 'variant'>;

/** What was sent to one server and what it answered, without what differs from one play to the next. */
export function exchangesOf({ prepared, sent, seen }: Played, steps: readonly Step[], server: string): Exchanged[] {
  return [...prepared, ...sent].map((request, number): Exchanged => {
    const at = number - prepared.length;
    const answer = seen.find(({ step, what }) => step === at && what === 'answer');
    const who = request.admin ? 'admin' : 'somebody';
    const body =
      answer === undefined ? '' : typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body, null, 2);
    const headers = Object.entries(request.headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value.join('\n'),
    ]);
    return {
      type: 'exchange',
      number: number + 1,
      actor: `${server} ${who}`,
      words: `${server}: ${at < 0 ? 'a namespace of its own' : wordsOf(steps[at] as Step)}`,
      phase: at < 0 ? 'preparation' : 'check',
      at: number,
      took: 0,
      request: {
        method: request.method,
        path: request.path,
        headers: { ...(request.admin ? { authorization: '<redacted>' } : {}), ...Object.fromEntries(headers) },
        ...(request.body === undefined
          ? {}
          : { body: typeof request.body === 'string' ? request.body : Buffer.from(request.body).toString('base64') }),
      },
      response: answer && { status: answer.status, headers: answer.headers, body, size: body.length },
    };
  });
}
