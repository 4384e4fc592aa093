import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../fixtures/dialects/kubernetes.ts';
import { apiVersionOf, lifecycles, onByDefault } from '../fixtures/releases/lifecycles.ts';
import { Generator } from '../suites/sequences/generate.ts';
import type { Side } from '../suites/sequences/side.ts';
import { causesOf } from './cause.ts';
import { startEmbedded } from './embeddedSide.ts';
import { NoAnswer } from './httpSide.ts';
import { readIgnored, unknownTo } from './ignoring.ts';
import { type Investigated, investigate } from './investigate.ts';

/** Compares two embedded references by a few sequences of some areas. */
async function compared(a: string, b: string, areas: readonly string[], count: number): Promise<Investigated> {
  const sides: Side[] = [];
  try {
    for (const text of [a, b]) sides.push(await startEmbedded(text));
    const [first, second] = sides as [Side, Side];
    const generator = new Generator('test', areas.length > 0 ? areas : undefined);
    return await investigate({ first, second, generator, count, within: 60_000, wording: false });
  } finally {
    for (const side of sides) await side.close();
  }
}

test('two servers that are the same differ in nothing, whatever is asked', async () => {
  const { findings, passing, sequences } = await compared(
    'reference',
    'reference',
    ['objects', 'collections', 'access'],
    8,
  );
  assert.deepEqual([findings, passing, sequences], [[], [], 8]);
});

test('a difference is cut to the requests that matter, and the statement is named', async () => {
  const { findings } = await compared('reference', 'reference:mutant=put-says-created', ['objects'], 6);
  const [cause] = causesOf(findings, ['A', 'B']);
  assert.ok(cause);
  assert.match(cause.name, /^put \w+, status, 200 or 201$/);
  assert.ok(cause.shown.steps.length <= 3, `${cause.shown.steps.length} steps`);
  assert.equal(cause.shown.steps.at(-1)?.method, 'PUT');
});

test('two releases differ in what they serve, and in nothing else', async () => {
  const { findings } = await compared('reference:release=1.24', 'reference:release=1.25', [], 64);
  const changed = lifecycles().filter((row) => onByDefault(row, 24) !== onByDefault(row, 25));
  const versions = new Set(changed.map((row) => apiVersionOf(row, kubernetes)));
  const causes = causesOf(findings, ['A', 'B']);
  assert.ok(causes.length > 0);
  for (const { name, shown } of causes) {
    const { path } = { path: shown.first.sent[shown.difference.step]?.path ?? '' };
    const [, version = ''] = /^\/apis\/([^/]+\/[^/?]+)/.exec(path) ?? [];
    const discovery = /^\/(version|openapi.*|metrics|api|apis|api\/v1|apis\/[^/]+)$/.test(path.split('?')[0] ?? '');
    assert.ok(discovery || versions.has(version), name);
  }
});

test('what was found before a server went away is told, and which one that was', async () => {
  const first = await startEmbedded('reference');
  const second = await startEmbedded('reference:mutant=put-says-created');
  let asked = 0;
  const leaving: Side = {
    name: 'B',
    dialect: second.dialect,
    open: (request) => second.open(request),
    settle: (longer) => second.settle(longer),
    close: () => second.close(),
    ask: async (request) => {
      asked += 1;
      if (asked > 2_000) throw new NoAnswer(`B did not answer ${request.method}`);
      return second.ask(request);
    },
  };
  try {
    const generator = new Generator('test', ['objects']);
    const work = { first, second: leaving, generator, count: 1_000, within: 60_000, wording: false };
    const { findings, silent } = await investigate(work);
    assert.ok(findings.length > 0);
    assert.match(silent ?? '', /^B did not answer /);
    const stopped = await investigate({ ...work, second, signal: AbortSignal.abort() });
    assert.deepEqual([stopped.sequences, stopped.findings], [0, []]);
  } finally {
    await first.close();
    await second.close();
  }
});

test('known differences are left out, and those that are gone are told', async () => {
  const { findings } = await compared('reference', 'reference:mutant=put-says-created', ['objects'], 6);
  const causes = causesOf(findings, ['A', 'B']);
  const known = readIgnored([
    { cause: 'put *, status, 200 or 201', because: 'ours does so' },
    { cause: 'get nothing', because: 'it once did' },
  ]);
  const { unknown, stale } = unknownTo(known, causes);
  assert.deepEqual(unknown, []);
  assert.deepEqual(
    stale.map(({ cause }) => cause),
    ['get nothing'],
  );
  assert.throws(() => readIgnored([{ cause: 'x' }]), /does not say why/);
});
