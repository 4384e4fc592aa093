import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { statementKeys } from '../fixtures/ledger/statements.ts';
import { readScenarios } from './library.ts';
import { play } from './play.ts';

const SCENARIOS = readScenarios(join(import.meta.dirname, '../fixtures/scenarios'));

describe('each scenario', () => {
  for (const scenario of SCENARIOS) {
    for (const dialect of ['kubernetes', 'cluster']) {
      it(`${scenario.name} happens as it is told, in the dialect ${dialect}`, async () => {
        const { steps } = await play(scenario, { dialect });
        for (const step of steps) {
          assert.equal(step.answer?.code, step.expect, `${step.title}: ${step.answer?.body.slice(0, 300)}`);
          assert.ok(step.request === undefined || step.decisions.length > 0, `${step.title}: no decision is told`);
        }
      });
    }
    it(`${scenario.name} names statements that there are`, () => {
      for (const key of scenario.statements) assert.ok(Object.hasOwn(statementKeys, key), key);
    });
  }
});
