import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { statementKeys } from '../fixtures/ledger/statements.ts';
import { readScenarios } from './library.ts';
import { mutantNamed } from './mutants.ts';
import { play } from './play.ts';
import { judged as policy } from './policy.ts';

const SCENARIOS = readScenarios(join(import.meta.dirname, '../fixtures/scenarios'));

describe('each scenario', () => {
  for (const scenario of SCENARIOS) {
    for (const dialect of ['kubernetes', 'cluster']) {
      it(`${scenario.name} happens as it is told, in the dialect ${dialect}`, async () => {
        const { steps, failed } = await play(scenario, { dialect, policy });
        assert.deepEqual(failed, []);
        for (const { title, request, decisions } of steps)
          assert.ok(request === undefined || decisions.length > 0, `${title}: no decision is told`);
      });
    }
    const { broken, question, steps } = scenario;
    it(`${scenario.name} asks a question, says what to notice in each step, and tells of a broken server`, () => {
      assert.ok(question);
      assert.deepEqual(
        steps.filter(({ look }) => look === ''),
        [],
      );
      assert.ok(broken);
    });
    if (broken) {
      it(`${scenario.name} goes otherwise on the server that it tells of, ${broken.mutant}`, async () => {
        const mutant = mutantNamed(broken.mutant);
        assert.ok(mutant, `there is no mutant ${broken.mutant}`);
        for (const dialect of ['kubernetes', 'cluster']) {
          const { failed } = await play(scenario, { dialect, mutant, policy });
          assert.equal(failed[0]?.step, broken.step, `${dialect}: ${JSON.stringify(failed)}`);
        }
      });
    }
    it(`${scenario.name} names statements that there are`, () => {
      for (const key of scenario.statements) assert.ok(Object.hasOwn(statementKeys, key), key);
    });
  }
});

/** Chapters that have no behaviour to show in requests to one server, each with its reason. */
const SHOWN_ELSEWHERE: Readonly<Record<string, string>> = {
  '1/intro': 'it tells of the document',
  '2/intro': 'it tells of the document',
  '2/exec-credential-object': 'it is between a client and a program of its own',
  '3/intro': 'it tells of the document',
};
const FEWEST = 3;

describe('the stories', () => {
  const chapterOf = (key: string) => key.split('/').slice(0, 2).join('/');
  const chapters = [...new Set(Object.keys(statementKeys).map(chapterOf))];
  for (const chapter of chapters.filter((one) => !Object.hasOwn(SHOWN_ELSEWHERE, one))) {
    it(`show ${chapter} at least ${FEWEST} times`, () => {
      const names = SCENARIOS.filter(({ statements }) => statements.some((key) => chapterOf(key) === chapter));
      assert.ok(names.length >= FEWEST, names.map(({ name }) => name).join(', '));
    });
  }
  it('leave out only chapters that there are', () => {
    for (const chapter of Object.keys(SHOWN_ELSEWHERE)) assert.ok(chapters.includes(chapter), chapter);
  });
});
