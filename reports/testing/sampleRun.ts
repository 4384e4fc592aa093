import {
  type AssertionRecorded,
  type CheckFinished,
  type ClauseJudged,
  type ExchangeRecorded,
  type Outcome,
  type RunEvent,
  type RunFinished,
  type RunStarted,
  STREAM_VERSION,
} from '../events.ts';

/** A run made up for tests: what every report has to cope with, in as few words as possible. */
export interface SampleCheck {
  readonly id?: string;
  readonly requirement?: string;
  readonly title?: string;
  readonly outcome: Outcome;
  readonly reason?: string;
  readonly variant?: string;
  /** Its clauses, with the verdict on each that was judged apart. */
  readonly clauses?: Readonly<Record<string, ClauseJudged['outcome'] | undefined>>;
  /** Sentences of assertions that do not hold. */
  readonly broken?: readonly string[];
  /** Statuses of the answers; `undefined` for none. */
  readonly statuses?: readonly (number | undefined)[];
  readonly body?: string;
  /** The fewest requests that show what is broken, and where they are kept. */
  readonly shortest?: { readonly requests: readonly string[]; readonly file?: string };
  /** A status that an assertion asked the first answer to have, and that it had. */
  readonly asked?: number;
}

export function sampleRun(
  checks: readonly SampleCheck[],
  { header = {}, finished = {} }: { header?: Partial<RunStarted>; finished?: Partial<RunFinished> | null } = {},
): RunEvent[] {
  const named = checks.map((check, index) => ({
    id: `1-conventions/sample:check-${index}`,
    requirement: 'NAME-UNIQUE-01',
    title: `the author does ${index} → it is seen`,
    variant: '',
    ...check,
  }));
  return [
    { ...HEADER, ...header },
    {
      type: 'checks-planned',
      time: TIME,
      checks: named.map(({ id, title, requirement, variant, clauses }) => ({
        id,
        title,
        file: 'suites/1-conventions/sample.spec.ts',
        line: 3,
        requirements: [requirement],
        ...(clauses ? { clauses: Object.keys(clauses) } : {}),
        variant,
      })),
    },
    ...named.flatMap(eventsOf),
    ...(finished === null ? [] : [{ ...FINISHED, ...finished }]),
  ];
}

const TIME = '2026-01-31T12:00:00.000Z';
const HEADER: RunStarted = {
  type: 'run-started',
  stream: STREAM_VERSION,
  time: TIME,
  run: 'sample',
  suite: { name: 'touchstone', version: '0.1.0', node: '20.19.0' },
  ledger: {
    digest: 'sha256:0',
    requirements: [
      {
        id: 'NAME-UNIQUE-01',
        level: 'MUST',
        sentence: 'A name is given once.',
        statements: ['1/object-naming/1'],
        profile: 'core',
      },
    ],
    statements: [{ key: '1/object-naming/1', section: 'Object naming', line: 'No name is taken twice.' }],
  },
  seed: 'seed',
  strict: false,
  target: {
    base: 'https://target.example',
    mode: 'url',
    dialect: 'kubernetes',
    release: '1.32',
    version: { major: '1', minor: '32' },
    identities: ['admin'],
    capabilities: [{ name: 'rbac', present: true, because: 'it is served' }],
  },
  configuration: { token: '<redacted>' },
  reproduce: 'npx touchstone run --target https://target.example --token "$TOKEN" --seed seed',
  again: 'npx touchstone run --target https://target.example --token "$TOKEN" --seed seed',
  narrowed: [],
};
const FINISHED: RunFinished = { type: 'run-finished', time: TIME, duration: 1234, interrupted: false, problems: [] };

type Named = SampleCheck & Required<Pick<SampleCheck, 'id' | 'requirement' | 'variant'>>;

function eventsOf(check: Named): RunEvent[] {
  const about = { check: check.id, variant: check.variant };
  const end: CheckFinished = {
    type: 'check-finished',
    ...about,
    time: TIME,
    attempt: 1,
    outcome: check.outcome,
    duration: 10,
    ...(check.reason === undefined ? {} : { reason: check.reason }),
  };
  const exchanges = (check.statuses ?? [200]).map((status, index) => exchange(check, status, index + 1));
  const broken = (check.broken ?? []).map((sentence) => assertion(check, sentence, false));
  const good = check.outcome === 'pass' ? [assertion(check, 'it is as it should be', true)] : [];
  const start: RunEvent = { type: 'check-started', ...about, time: TIME, attempt: 1 };
  const asked: AssertionRecorded[] =
    check.asked === undefined
      ? []
      : [{ ...assertion(check, 'it is answered so', true), allowed: [`status ${check.asked}`], exchange: 1 }];
  const judged = Object.entries(check.clauses ?? {}).flatMap(([clause, outcome]): RunEvent[] =>
    outcome === undefined ? [] : [{ type: 'clause-judged', ...about, clause, outcome }],
  );
  const failing = Object.entries(check.clauses ?? {}).filter(([, outcome]) => outcome === 'fail');
  const sentences = failing.map(([clause]) => ({ ...assertion(check, `${clause} holds`, false), clauses: [clause] }));
  const shortened: RunEvent[] = check.shortest
    ? [{ type: 'sequence-shortened', ...about, at: 5, ...check.shortest }]
    : [];
  return [start, ...exchanges, ...shortened, ...broken, ...sentences, ...judged, ...good, ...asked, end];
}

function exchange(check: Named, status: number | undefined, number: number): ExchangeRecorded {
  return {
    type: 'exchange',
    check: check.id,
    variant: check.variant,
    number,
    actor: 'author',
    words: 'author creates configmaps "a"',
    phase: 'check',
    at: number,
    took: 2,
    request: {
      method: 'POST',
      path: '/api/v1/namespaces/n/configmaps',
      headers: { authorization: 'Bearer <redacted>', 'content-type': 'application/json' },
      body: '{"a":"it\'s"}',
    },
    response:
      status === undefined
        ? undefined
        : { status, headers: { 'content-type': 'application/json' }, body: check.body ?? '{}', size: 2 },
    ...(status === undefined ? { failure: 'nobody listens there (ECONNREFUSED)' } : {}),
  };
}
function assertion(check: Named, sentence: string, holds: boolean): AssertionRecorded {
  return {
    type: 'assertion',
    check: check.id,
    variant: check.variant,
    at: 5,
    sentence,
    level: 'MUST',
    requirements: [check.requirement],
    holds,
    allowed: ['status 409'],
    differences: holds ? [] : [{ path: 'status', want: 'status 409', got: '201', gotType: 'integer' }],
    exchange: 1,
  };
}
