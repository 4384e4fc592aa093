import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { matrixMarkdown, matrixOf, tellMatrix } from './mutantMatrix.ts';
import { resultOf } from './results.ts';
import { sampleRun } from './testing/sampleRun.ts';

const mutant = (id: string) => ({ id, breaks: ['NAME-UNIQUE-01'], sentence: `It does ${id}.` });

describe('the matrix of mutants', () => {
  const result = resultOf(
    sampleRun([
      { outcome: 'fail', broken: ['a taken name is refused'], variant: 'caught' },
      { outcome: 'pass', variant: 'missed' },
      { outcome: 'harness-error', reason: 'TypeError', variant: 'crashed' },
    ]),
  );
  const matrix = matrixOf(['caught', 'missed', 'crashed', 'untested'].map(mutant), result);
  const verdicts = Object.fromEntries(matrix.rows.map(({ mutant: id, verdict }) => [id, verdict]));

  it('counts only a failed assertion as a kill', () => {
    assert.deepEqual(verdicts, { caught: 'killed', missed: 'survived', crashed: 'survived', untested: 'survived' });
    assert.deepEqual(matrix.problems, ['crashed: 1-conventions/sample:check-2: TypeError']);
  });
  it('asks of a mutant of clauses that each of them fails', () => {
    const [PUT, POST] = ['NAME-UNIQUE-01/put', 'NAME-UNIQUE-01/post'];
    const run = resultOf(
      sampleRun([
        { outcome: 'fail', clauses: { [PUT]: 'fail', [POST]: 'pass' }, variant: 'half' },
        { outcome: 'fail', clauses: { [PUT]: 'fail', [POST]: 'fail' }, variant: 'whole' },
        { outcome: 'fail', clauses: { [PUT]: undefined, [POST]: undefined }, broken: ['all'], variant: 'at-once' },
      ]),
    );
    const broken = ['half', 'whole', 'at-once'].map((id) => ({ ...mutant(id), breaks: [PUT, POST] }));
    const { rows } = matrixOf(broken, run);
    assert.deepEqual(
      rows.map(({ verdict, because }) => [verdict, because]),
      [
        ['survived', `nothing failed for ${POST}`],
        ['killed', undefined],
        ['killed', undefined],
      ],
    );
  });
  it('names the check that caught it, and why a survivor survived', () => {
    assert.match(matrixMarkdown(matrix), /\| caught \|.*\| killed \| 1-conventions\/sample:check-0 \|/);
    assert.match(tellMatrix(matrix), /✗ untested survived: .*no check of these requirements ran/);
    assert.match(tellMatrix(matrix), /1 of 4 mutants killed$/);
  });
});
