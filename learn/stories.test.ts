import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { statementKeys } from '../fixtures/ledger/statements.ts';
import { readScenarios } from './library.ts';
import { memberAt } from './placeholders.ts';
import { play } from './play.ts';

const SCENARIOS = readScenarios(join(import.meta.dirname, '../fixtures/scenarios'));

describe('each scenario', () => {
  for (const scenario of SCENARIOS) {
    for (const dialect of ['kubernetes', 'cluster']) {
      it(`${scenario.name} happens as it is told, in the dialect ${dialect}`, async () => {
        const { steps } = await play(scenario, { dialect });
        for (const [index, step] of steps.entries()) {
          const { holds = {}, told } = scenario.steps[index] ?? {};
          const where = `${step.title}: ${step.answer?.body.slice(0, 600)}`;
          assert.equal(step.answer?.code, step.expect, where);
          assert.ok(step.request === undefined || step.decisions.length > 0, `${step.title}: no decision is told`);
          for (const [path, expected] of Object.entries(holds)) {
            const found = memberAt(JSON.parse(step.answer?.body ?? 'null'), path);
            assert.deepEqual(found ?? null, expected, `${path}: ${where}`);
          }
          if (told)
            assert.deepEqual(
              step.delivered.map(({ type }) => type),
              told,
              where,
            );
        }
      });
    }
    it(`${scenario.name} names statements that there are`, () => {
      for (const key of scenario.statements) assert.ok(Object.hasOwn(statementKeys, key), key);
    });
  }
});
