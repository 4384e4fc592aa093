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
        ['survived', `nothing failed for ${POST} (fail)`],
        ['killed', undefined],
        ['killed', undefined],
      ],
    );
  });
  it('names the check that caught it, and why a survivor survived', () => {
    assert.match(matrixMarkdown(matrix), /\| caught \|.*\| killed \| 1-conventions\/sample:check-0 \|/);
    assert.match(tellMatrix(matrix), /✗ untested survived: .*NAME-UNIQUE-01 \(no check of it ran\)/);
    assert.match(tellMatrix(matrix), /1 of 4 mutants killed, 1 of 4 broken requirements and clauses caught$/);
  });
  it('takes a mutant for killed only when of each requirement that it breaks a check failed', () => {
    const wide = { id: 'wide', breaks: ['NAME-UNIQUE-01', 'NAME-UNIQUE-02'], sentence: 'It breaks two.' };
    const judged = (second: 'pass' | 'fail') =>
      matrixOf(
        [wide],
        resultOf(
          sampleRun([
            { outcome: 'fail', broken: ['a taken name is refused'], variant: 'wide', requirement: 'NAME-UNIQUE-01' },
            { outcome: second, variant: 'wide', requirement: 'NAME-UNIQUE-02' },
          ]),
        ),
      );
    const half = judged('pass');
    assert.deepEqual(
      half.rows.map(({ verdict, because }) => [verdict, because]),
      [['survived', 'nothing failed for NAME-UNIQUE-02 (pass)']],
    );
    assert.match(tellMatrix(half), /0 of 1 mutants killed, 1 of 2 broken requirements and clauses caught$/);
    assert.match(matrixMarkdown(half), /\| wide \| It breaks two. \| NAME-UNIQUE-01 \| killed \|/);
    assert.match(matrixMarkdown(half), /\| {2}\| {2}\| NAME-UNIQUE-02 \| survived \| NAME-UNIQUE-02: pass \|/);
    assert.equal(judged('fail').rows[0]?.verdict, 'killed');
  });
});
