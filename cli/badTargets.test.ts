import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { NoAnswerKind } from '../fixtures/ledger/index.ts';
import type { Outcome } from '../reports/events.ts';
import { verdictOf } from '../reports/verdict.ts';
import { Actor, named } from '../suites/harness/actor.ts';
import { closeEvidence, Evidence, openEvidence } from '../suites/harness/evidence.ts';
import { configMaps, match, must, objectIn } from '../suites/harness/index.ts';
import { confirmed, play, refuseWithoutTarget } from '../suites/harness/running/play.ts';
import { Space } from '../suites/harness/space.ts';
import { detect } from '../suites/harness/target/detect.ts';
import { Site } from '../suites/harness/target/site.ts';
import { TARGET_FILE } from '../suites/harness/target/target.ts';
import { type BadTarget, type Behaviour, badConnections, badTarget, type Fate } from './testing/badTarget.ts';
import { type Served, serveForTests } from './testing/serveForTests.ts';

const PAGE = 'docs/bad-targets.md';

/** Checks as suites have them, of which each has to hold on a server that is sound. */
const CHECKS: Readonly<Record<string, { judges?: readonly NoAnswerKind[]; body: (author: Actor) => Promise<void> }>> = {
  'a name in use is refused': {
    body: async (author) => {
      await author.given(configMaps, named('taken'));
      must('it is refused', await author.create(configMaps, named('taken')), match.nameInUse);
    },
  },
  'what is created can be read': {
    body: async (author) => {
      must('it is created', await author.create(configMaps, named('doc', { data: { a: '1' } })), match.status(201));
      must('it is there', await author.get(configMaps, 'doc'), match.field('data.a', '1'));
    },
  },
  'a version that has passed is refused': {
    body: async (author) => {
      const first = await author.given(configMaps, named('doc'));
      await author.prepare((actor) => actor.patch(configMaps, 'doc', 'merge', { data: { a: '2' } }));
      must('it is refused', await author.update(configMaps, { ...first }), match.status(409));
    },
  },
  'a watch tells of what is created': {
    body: async (author) => {
      const stream = await author.watch(configMaps);
      await author.given(configMaps, named('doc'));
      must('it is told', await stream.until(match.event('ADDED', 'doc')));
    },
  },
  'what is deleted is gone': {
    body: async (author) => {
      await author.given(configMaps, named('doc'));
      must('it is deleted', await author.delete(configMaps, 'doc'), match.success);
      must('it is gone', await author.get(configMaps, 'doc'), match.status(404));
    },
  },
  'an answer is JSON': {
    judges: ['body'],
    body: async (author) => {
      await author.prepare((actor) => actor.create(configMaps, named('doc')));
      const list = must('a list has items', await author.list(configMaps), match.field('items', match.anArray));
      assert.ok(list);
      must('an object has a name', objectIn(await author.get(configMaps, 'doc')).metadata.name, match.equal('doc'));
    },
  },
};
const OF_BODIES = 'an answer is JSON';

interface Bench {
  readonly sound: Served;
  readonly other: Served;
  readonly ahead: Served;
}
interface Case {
  /** As the page has it. */
  readonly what: string;
  readonly promise: string;
  readonly open: (bench: Bench) => Promise<BadTarget>;
  /** What every check must come to; inconclusive or a pass unless told. */
  readonly outcomes?: readonly Outcome[];
  /** Of the check that is about bodies, where that is another. */
  readonly ofBodies?: Outcome;
  /** Reasons that have to be told. */
  readonly because?: RegExp;
  /** Whether the target has to be found gone, so that the run stops. */
  readonly gone?: boolean;
  readonly token?: string;
  readonly patience?: number;
}

const every =
  (nth: number, fate: Fate): Behaviour =>
  (request, count) =>
    count % nth === 0 && !request.url?.includes('watch=') ? fate : 'pass';
const from =
  (start: number, fate: Fate): Behaviour =>
  (_, count) =>
    count > start ? fate : 'pass';
const proxied = (behave: Behaviour) => (bench: Bench) => badTarget(bench.sound, behave);
const portOf = ({ base }: Served) => Number(new URL(base).port);
const isWrite = (method = '', url = '') => method !== 'GET' && !/reviews$/.test(url);
const status = (code: number, message: string) => ({
  status: code,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code }),
});
/** Answers of reads of objects below namespaces, changed. */
const changed = (answer: (body: string) => { body: string; headers: Record<string, string> }): Behaviour => {
  return (request) => (/\/configmaps/.test(request.url ?? '') && request.method === 'GET' ? { answer } : 'pass');
};

const CASES: readonly Case[] = [
  {
    what: 'closes every third connection',
    promise: 'reads are asked again; a write of which nobody knows what became of it ends its check as inconclusive',
    open: proxied(every(3, 'close')),
  },
  {
    what: 'is killed in mid-run',
    promise: 'the run stops at once: the target stopped answering',
    open: proxied(from(4, 'close')),
    gone: true,
    outcomes: ['inconclusive', 'pass'],
    because: /the target is gone: the connection broke/,
  },
  {
    what: 'hangs in mid-run',
    promise: 'the run stops after two times the request timeout: the target stopped answering',
    open: proxied(from(4, 'hang')),
    patience: 400,
    gone: true,
    because: /the target is gone: no whole answer came in time/,
  },
  {
    what: 'is away for a second and a half, as a server that restarts',
    promise: 'requests wait for it; all checks come to their verdict',
    open: async (bench) => {
      let left = false;
      const target: BadTarget = await badTarget(bench.sound, (_, count) => {
        if (count === 2 && !left) {
          left = true;
          setTimeout(() => void target.leave().then(() => setTimeout(() => void target.comeBack(), 1_500)), 1);
        }
        return 'pass';
      });
      return target;
    },
  },
  {
    what: 'is behind a gateway that answers every fourth request with a page in HTML',
    promise: 'reads are asked again, writes end their check as inconclusive',
    open: proxied(
      every(4, {
        status: 200,
        headers: { 'content-type': 'text/html', server: 'nginx' },
        body: '<html>welcome</html>',
      }),
    ),
  },
  {
    what: 'is behind a gateway that answers every fourth request with 502, 503 or 504',
    promise: 'reads are asked again, writes end their check as inconclusive',
    open: proxied((_, count) =>
      count % 4 === 0 ? { status: 502 + ((count / 4) % 3), body: 'no healthy upstream' } : 'pass',
    ),
  },
  {
    what: 'answers every third request with 429 and Retry-After',
    promise: 'requests are sent again when it says so; all checks come to their verdict',
    open: proxied(every(3, { status: 429, headers: { 'retry-after': '0.05' } })),
    outcomes: ['pass'],
  },
  {
    what: 'refuses the credentials of the run from some moment on',
    promise: 'the run stops at once: the target refuses the credentials',
    open: proxied(from(4, status(401, 'Unauthorized'))),
    gone: true,
    because: /refuses the credentials that the run was given \(401\)/,
  },
  {
    what: 'gives the identity of the run too few rights',
    promise:
      '`doctor` and `run` say which rights are missing and that a run is pointless; with --only a 403 for want of a right ends its check as inconclusive',
    open: proxied(() => 'pass'),
    token: 'jane-token',
    outcomes: ['inconclusive'],
    because: /may not create namespaces/,
  },
  {
    what: 'is slow: a tenth of a second for each answer',
    promise: 'all checks come to their verdict',
    open: proxied(() => ({ delay: 100 })),
    outcomes: ['pass'],
  },
  {
    what: 'trickles its answers, a byte at a time',
    promise: 'an answer that is not whole within the request timeout is none; the run stops',
    open: proxied(from(4, { trickle: 20 })),
    patience: 400,
    gone: true,
    because: /no whole answer came in time/,
  },
  {
    what: 'resets every third TLS connection before its handshake is done',
    promise: 'requests are sent again, as they were never sent; all checks come to their verdict',
    open: ({ sound }) => badConnections((count) => (count > 0 && count % 3 === 0 ? undefined : portOf(sound))),
    outcomes: ['pass'],
  },
  {
    what: 'shows another certificate in mid-run',
    promise: 'the run stops: the certificate is not trusted',
    open: ({ sound, other }) => badConnections((count) => portOf(count > 0 ? other : sound)),
    gone: true,
    because: /certificate/,
  },
  {
    what: 'has a clock that is years off',
    promise: 'all checks come to their verdict',
    open: ({ ahead }) => badTarget(ahead, () => 'pass'),
    outcomes: ['pass'],
  },
  {
    what: 'is read-only',
    promise: 'what was seen is taken back, as the target cannot even take a config map: inconclusive',
    open: proxied((request) =>
      isWrite(request.method, request.url) ? status(405, 'the server is read-only') : 'pass',
    ),
    outcomes: ['inconclusive'],
  },
  {
    what: 'is out of disk',
    promise: 'what was seen is taken back, as the target cannot even take a config map: inconclusive',
    open: proxied((request, count) =>
      count > 12 && isWrite(request.method, request.url) ? status(500, 'no space left on device') : 'pass',
    ),
    because: /no space left on device|preparation failed|namespace could not be made/,
  },
  {
    what: 'says gzip and sends something else',
    promise: 'the requirements about bodies are broken, all else is inconclusive',
    open: proxied(changed((body) => ({ body: `\u001f\ufffd${body}`, headers: { 'content-encoding': 'gzip' } }))),
    ofBodies: 'fail',
    because: /the body is in gzip, which nobody asked for/,
  },
  {
    what: 'answers YAML where JSON was asked for',
    promise: 'the requirements about bodies are broken, all else is inconclusive',
    open: proxied(
      changed(() => ({
        body: 'kind: ConfigMap\nmetadata:\n  name: doc\n',
        headers: { 'content-type': 'application/yaml' },
      })),
    ),
    ofBodies: 'fail',
    because: /the body is no JSON \(application\/yaml/,
  },
  {
    what: 'answers lists without items',
    promise: 'the requirements about bodies are broken, all else is inconclusive',
    open: proxied(changed((body) => ({ body: body.replace('"items"', '"members"'), headers: {} }))),
    ofBodies: 'fail',
  },
];

describe('a bad target', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bad-'));
  let bench: Bench;

  before(async () => {
    const tokens = join(folder, 'tokens.csv');
    writeFileSync(tokens, 'admin-token,admin,1,"system:masters"\njane-token,jane,2\n');
    const flags = [`--token-auth-file=${tokens}`, '--authorization-mode=RBAC'];
    const [sound, other, ahead] = await Promise.all([
      serveForTests({ flags }),
      serveForTests({ flags }),
      serveForTests({ flags: [...flags, '--clock=virtual'] }),
    ]);
    bench = { sound, other, ahead };
  });
  after(async () => {
    await Promise.all(Object.values(bench).map((each: Served) => each.stop()));
    rmSync(folder, { recursive: true, force: true });
    delete process.env[TARGET_FILE];
  });

  for (const [at, each] of CASES.entries()) {
    it(`that ${each.what}: ${each.promise}`, { timeout: 60_000 }, async () => {
      process.env[TARGET_FILE] = join(mkdtempSync(join(folder, `case-${at}-`)), 'target.json');
      const target = await each.open(bench);
      const ca = target.base.startsWith('https:') ? bench.sound.ca : undefined;
      const { outcomes, reasons, gone } = await runOf(target, ca, each).finally(() => target.close());
      const told = JSON.stringify({ ...outcomes, reasons, gone }, null, 1);
      for (const [name, outcome] of Object.entries(outcomes)) {
        const allowed =
          name === OF_BODIES && each.ofBodies ? [each.ofBodies] : (each.outcomes ?? ['pass', 'inconclusive']);
        assert.ok(allowed.includes(outcome), `${name}: ${outcome}\n${told}`);
      }
      if (each.because) assert.match(reasons.join('\n'), each.because, told);
      assert.equal(gone !== undefined, each.gone ?? gone !== undefined, told);
    });
  }

  it('has its row in the page', () => {
    const page = readFileSync(PAGE, 'utf8');
    const rows = CASES.map(({ what, promise }) => `| ${what} | ${promise} |`).join('\n');
    const wanted = page.replace(/(\|---\|---\|\n)(\|.*\n)*/, `$1${rows}\n`);
    if (process.env.UPDATE_DOCS) writeFileSync(PAGE, wanted);
    else assert.equal(page, wanted, `write it anew with UPDATE_DOCS=1`);
  });
});

interface Seen {
  readonly outcomes: Readonly<Record<string, Outcome>>;
  readonly reasons: readonly string[];
  readonly gone: string | undefined;
}

/** All checks at a target, judged as a run judges them. */
async function runOf({ base, arm }: BadTarget, ca: string | undefined, each: Case): Promise<Seen> {
  const identities = { admin: { token: each.token ?? 'admin-token' } };
  const patience = each.patience ?? 5_000;
  const target = await detect({ base, mode: 'url', identities, patience, ...(ca === undefined ? {} : { ca }) });
  const id = Math.floor(performance.now()).toString(36);
  const site = new Site({ target, run: { id, seed: '', strict: false } }, 0, { main: true });
  const outcomes: Record<string, Outcome> = {};
  const reasons: string[] = [];
  arm();
  for (const [title, { judges = [], body }] of Object.entries(CHECKS)) {
    const redactor = site.redactor.copy();
    const evidence = new Evidence({
      title,
      requirements: [],
      level: 'MUST',
      strict: false,
      judges,
      foreign: true,
      redactor,
    });
    openEvidence(evidence);
    const admin = site.client('admin', target.identities.admin);
    const space = new Space({ run: id, check: title, attempt: 0, admin, target, evidence });
    const author = new Actor({ client: site.client('author', target.identities.admin), space, target, evidence });
    const errors: { message: string; stack: string }[] = [];
    try {
      await play(async () => {
        refuseWithoutTarget(site, evidence);
        await body(author);
      });
    } catch (error) {
      errors.push({ message: String(error), stack: '' });
    }
    author.closeStreams();
    await space.cleanUp();
    await confirmed(evidence, site);
    closeEvidence();
    const verdict = verdictOf({ status: 'passed', evidence: evidence.record(), errors }, false);
    outcomes[title] = verdict.outcome;
    if (verdict.reason !== undefined) reasons.push(verdict.reason);
  }
  const { gone } = site;
  await site.close();
  return { outcomes, reasons, gone };
}
