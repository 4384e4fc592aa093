import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { currentCheckId, formerCheckIds } from '../fixtures/formerCheckIds.ts';
import type { Requirement } from '../fixtures/ledger/index.ts';
import { clauseNames, coverage, ledger, requirementIds, requirementOf } from '../fixtures/ledger/index.ts';
import { MUTANTS } from '../mutants/index.ts';
import { IN_SPEC } from '../reports/checkId.ts';
import type { PlannedCheck } from '../reports/events.ts';
import { knownIds } from './checkIds.ts';
import { listedChecks } from './listedChecks.ts';

const ROOT = join(import.meta.dirname, '..');

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
    checks = await listedChecks();
    named = new Set(checks.flatMap(({ requirements }) => requirements));
  });

  it('has a check for every requirement, and none for an id that is not in the ledger', () => {
    const { missing, unknown } = coverage(named, 'suite');
    assert.ok(checks.length > 0, 'the runner found no checks');
    assert.deepEqual(missing, [], 'without a check');
    assert.deepEqual(unknown, [], 'not in the ledger');
  });

  it('has an id for every check that stands in its file, and no id twice', () => {
    const ids = checks.map(({ id }) => id);
    const told = (check: PlannedCheck) => `${check.file}:${check.line} ${check.id}`;
    assert.deepEqual(
      checks.filter(({ id }) => !IN_SPEC.test(id)).map(told),
      [],
      'without an id in front of their title: npm run ids writes one',
    );
    assert.deepEqual(
      checks.filter(({ id }, index) => ids.indexOf(id) !== index).map(told),
      [],
      'with the id of another check',
    );
  });

  it('has noted every id, and under which one a check goes that has another now', () => {
    const now = new Set(checks.map(({ id }) => id));
    const noted = knownIds();
    assert.deepEqual(
      [...now].filter((id) => !noted.includes(id)),
      [],
      'not in fixtures/checkIds.txt: npm run ids notes them',
    );
    assert.deepEqual(
      noted.filter((id) => !now.has(id) && !(id in formerCheckIds)),
      [],
      'no check has these any more: fixtures/formerCheckIds.ts has to say which id took their place',
    );
    const back = Object.keys(formerCheckIds).filter((id) => now.has(id));
    assert.deepEqual(back, [], 'given out again');
    const lost = Object.keys(formerCheckIds).filter((id) => {
      const current = currentCheckId(id);
      return !now.has(current) && formerCheckIds[current] !== null;
    });
    assert.deepEqual(lost, [], 'lead to no check');
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
