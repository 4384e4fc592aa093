import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { Redactor } from '../../history/redact.ts';
import { inconclusive } from './endings.ts';
import { closeEvidence, Evidence, openEvidence } from './evidence.ts';
import { valueMatcher } from './matching/matcher.ts';
import { must } from './must.ts';
import { holds } from './property.ts';

const small = valueMatcher('below 5', (value) => typeof value === 'number' && value < 5);
const numbers = (max: number) => fc.integer({ min: 0, max });

describe('a law held against samples', () => {
  let evidence: Evidence;
  beforeEach(() => {
    evidence = new Evidence({ title: 't', requirements: [], level: 'MUST', strict: false, redactor: new Redactor([]) });
    openEvidence(evidence);
  });
  afterEach(closeEvidence);
  const law = async (sample: number) => void must('it is small', sample, small);

  it('tells one sample where it holds for all', async () => {
    const names = new Set<string>();
    await holds(1, numbers(4), async (sample, name) => {
      names.add(name);
      await law(sample);
    });
    assert.deepEqual(
      evidence.record().assertions.map(({ holds }) => holds),
      [true],
    );
    assert.ok(names.size > 2, 'each sample has a name of its own');
  });

  it('tells the smallest sample that breaks it, and fails', async () => {
    await assert.rejects(holds(1, numbers(1000), law), { name: 'AssertionFailed' });
    const [broken, ...more] = evidence.record().assertions;
    assert.equal(broken?.differences[0]?.got, '5');
    assert.deepEqual(more, []);
  });

  it('ends as the check where a sample could not be prepared', async () => {
    await assert.rejects(
      holds(1, numbers(4), async () => inconclusive('nothing to look at')),
      { name: 'Ending' },
    );
    assert.equal(evidence.record().ending?.outcome, 'inconclusive');
  });
});
