import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Requirement } from '../fixtures/ledger/index.ts';
import { clauseNames, coverage, ledger, requirementIds, requirementOf } from '../fixtures/ledger/index.ts';
import { MUTANTS } from '../mutants/index.ts';
import type { PlannedCheck } from '../reports/events.ts';
import type { ReporterSettings } from '../reports/reporter.ts';

const ROOT = join(import.meta.dirname, '..');

/** Every check there is, as the runner itself finds them. */
async function listChecks(): Promise<readonly PlannedCheck[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-coverage-'));
  try {
    const events = join(folder, 'events.ndjson');
    writeFileSync(events, '');
    const settings: ReporterSettings = { events, root: ROOT, strict: false, quiet: true, terminal: false };
    const env = { ...process.env, TOUCHSTONE_REPORTER: JSON.stringify(settings), NODE_OPTIONS: '' };
    const cli = join(ROOT, 'node_modules/@playwright/test/cli.js');
    // Its standard input stays open: the reporter ends where whoever started it has gone.
    await promisify(execFile)(process.execPath, [cli, 'test', '--list'], { cwd: ROOT, env });
    const planned = readFileSync(events, 'utf8')
      .split('\n')
      .find((line) => line.includes('"type":"checks-planned"'));
    return (JSON.parse(planned ?? '{"checks":[]}') as { checks: readonly PlannedCheck[] }).checks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The requirements that unit tests prove: those given to `proof`, and those that a title ends with in brackets. */
function provenIds(): Set<string> {
  const files = ['cli', 'fixtures', 'lifecycle', 'mutants', 'reference', 'reports', 'suites'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(ROOT, folder, name)),
  );
  const tests = files.filter((file) => file.endsWith('.test.ts')).map((file) => readFileSync(file, 'utf8'));
  const proofs = tests.filter((text) => /^import \{ proof \} from /m.test(text));
  const given = proofs.flatMap((text) => [...text.matchAll(/'([A-Z]+-[A-Z]+-\d\d)'/g)].map(([, id = '']) => id));
  const titled = tests.flatMap((text) =>
    [...text.matchAll(/\((?:[A-Z]+-[A-Z]+-\d\d(?:, )?)+\)'/g)].map(([ids]) => ids),
  );
  return new Set([...given, ...titled.flatMap((ids) => ids.match(/[A-Z]+-[A-Z]+-\d\d/g) ?? [])]);
}

describe('coverage of the ledger by unit tests', () => {
  it('has a test for every requirement, and none for an id that is not in the ledger', () => {
    const { missing, unknown } = coverage(provenIds(), 'unit');
    assert.deepEqual(missing, [], 'without a test');
    assert.deepEqual(unknown, [], 'not in the ledger');
  });
});

describe('coverage of the ledger by the suites', () => {
  let checks: readonly PlannedCheck[] = [];
  let named = new Set<string>();
  before(async () => {
    checks = await listChecks();
    named = new Set(checks.flatMap(({ requirements }) => requirements));
  });

  it('has a check for every requirement, and none for an id that is not in the ledger', () => {
    const { missing, unknown } = coverage(named, 'suite');
    assert.ok(checks.length > 0, 'the runner found no checks');
    assert.deepEqual(missing, [], 'without a check');
    assert.deepEqual(unknown, [], 'not in the ledger');
  });

  it('gives every check an id of its own', () => {
    const ids = checks.map(({ id }) => id);
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
    assert.deepEqual(twice, [], 'two checks of one file have one title');
  });

  it('has a mutant for every MUST with a check', () => {
    const broken = new Set<string>(MUTANTS.flatMap(({ breaks }) => breaks.map(requirementOf)));
    const binding = requirementIds.filter((id) => (ledger[id] as Requirement).level === 'MUST' && named.has(id));
    assert.deepEqual(
      binding.filter((id) => !broken.has(id)),
      [],
      'no mutant breaks it',
    );
  });

  it('has a check for every clause, and none for a clause that is not in the ledger', () => {
    const known = clauseNames();
    const judged = new Set(checks.flatMap(({ clauses = [] }) => clauses));
    assert.deepEqual(
      known.filter((name) => !judged.has(name)),
      [],
      'without a check',
    );
  });

  it('has a mutant for every clause of a MUST', () => {
    const broken = new Set<string>(MUTANTS.flatMap(({ breaks }) => breaks));
    const binding = clauseNames().filter((name) => (ledger[requirementOf(name)] as Requirement).level === 'MUST');
    assert.deepEqual(
      binding.filter((name) => !broken.has(name)),
      [],
      'without a mutant',
    );
  });

  it('names as broken by mutants only requirements and clauses that have a check', () => {
    const judged = new Set<string>([...named, ...checks.flatMap(({ clauses = [] }) => clauses)]);
    const unchecked = MUTANTS.flatMap(({ id, breaks }) =>
      breaks.filter((each) => !judged.has(each)).map((each) => `${id}: ${each}`),
    );
    assert.deepEqual(unchecked, []);
  });
});
