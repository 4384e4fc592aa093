import { ledger } from '../fixtures/ledger/index.ts';
import { curlScript, HOLDER } from '../reports/curl.ts';
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
    ...exchangesOf(shown.first, shown.steps).map((each) => putTo(first, each)),
    ...exchangesOf(shown.second, shown.steps).map((each) => putTo(second, each)),
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

/** What was sent to one of two servers. */
function putTo(server: string, exchange: Exchanged): Exchanged {
  return { ...exchange, actor: `${server} ${exchange.actor}`, words: `${server}: ${exchange.words}` };
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

/** What does to a server what was done to it before, by curl. */
export function scriptOf(base: string, played: Played, { name, shown }: Cause): string {
  const exchanges = exchangesOf(played, shown.steps).map((exchange) => ({ ...exchange, check: name, variant: '' }));
  // The first namespace is called like all that the sequence made, and `-a`.
  const id = /"name":"([^"]*)-a"/.exec(String(played.prepared[0]?.body))?.[1];
  return curlScript(base, exchanges, id);
}

/** What was sent to a server and what it answered, without what differs from one play to the next. */
function exchangesOf({ prepared, sent, cleaned, seen }: Played, steps: readonly Step[]): Exchanged[] {
  return [...prepared, ...sent, ...cleaned].map((request, number): Exchanged => {
    const at = number - prepared.length;
    const step = steps[at];
    const answer = step && seen.find(({ step, what }) => step === at && what === 'answer');
    const own = request.headers.authorization === undefined ? 'nobody' : HOLDER;
    const who = request.admin ? 'admin' : own;
    const body =
      answer === undefined ? '' : typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body, null, 2);
    const headers = Object.entries(request.headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value.join('\n'),
    ]);
    return {
      type: 'exchange',
      number: number + 1,
      actor: who,
      words: at < 0 ? 'a namespace of its own' : step ? wordsOf(step) : 'cleaning up',
      phase: at < 0 ? 'preparation' : step ? 'check' : 'cleanup',
      at: number,
      took: 0,
      request: {
        method: request.method,
        path: request.path,
        headers: {
          ...Object.fromEntries(headers),
          ...(who === 'nobody' ? {} : { authorization: '<redacted>' }),
        },
        ...(request.body === undefined
          ? {}
          : { body: typeof request.body === 'string' ? request.body : Buffer.from(request.body).toString('base64') }),
      },
      response: answer && { status: answer.status, headers: answer.headers, body, size: body.length },
    };
  });
}
