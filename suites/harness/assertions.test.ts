import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { Redactor } from '../../history/redact.ts';
import { clause } from './clause.ts';
import { AssertionFailed, Ending, unsupported } from './endings.ts';
import { closeEvidence, Evidence, openEvidence } from './evidence.ts';
import * as match from './match.ts';
import { must, ought } from './must.ts';
import { should } from './should.ts';

function begin(parts: { level?: 'MUST' | 'SHOULD'; strict?: boolean } = {}): Evidence {
  const { level = 'MUST', strict = false } = parts;
  const evidence = new Evidence({
    title: 't',
    requirements: ['NAME-UNIQUE-01'],
    level,
    strict,
    redactor: new Redactor([]),
  });
  openEvidence(evidence);
  return evidence;
}
afterEach(closeEvidence);

describe('must', () => {
  it('keeps every difference of every matcher before it fails', () => {
    const evidence = begin();
    assert.throws(() => must('it is so', { a: 1, b: 2 }, match.at('a', 2), match.at('b', 3)), AssertionFailed);
    const [kept] = evidence.record().assertions;
    assert.deepEqual([kept?.sentence, kept?.holds, kept?.differences.length], ['it is so', false, 2]);
    assert.deepEqual(kept?.allowed, ['a is integer 2', 'b is integer 3']);
  });
  it('gives the subject back', () => {
    begin();
    assert.equal(must('it is so', 'x', match.equal('x')), 'x');
  });
  it('only warns where the requirement is a SHOULD, unless strict', () => {
    const evidence = begin({ level: 'SHOULD' });
    must('it is so', 1, match.equal(2));
    assert.equal(evidence.record().assertions[0]?.level, 'SHOULD');
    begin({ level: 'SHOULD', strict: true });
    assert.throws(() => must('it is so', 1, match.equal(2)), AssertionFailed);
  });
});

describe('ought', () => {
  it('warns under a MUST too, and fails when strict', () => {
    const evidence = begin();
    ought('it would be good', 1, match.equal(2));
    assert.deepEqual(
      evidence.record().assertions.map(({ level, holds }) => [level, holds]),
      [['SHOULD', false]],
    );
    begin({ strict: true });
    assert.throws(() => ought('it would be good', 1, match.equal(2)), AssertionFailed);
  });
});

describe('clause', () => {
  const PUT = 'DRYRUN-VALUE-03/put/configmaps';
  const POST = 'DRYRUN-VALUE-03/post/configmaps';
  const open = () => {
    const redactor = new Redactor([]);
    const parts = { title: 't', requirements: ['DRYRUN-VALUE-03'], clauses: [PUT, POST], strict: false, redactor };
    const evidence = new Evidence({ ...parts, level: 'MUST' });
    openEvidence(evidence);
    return evidence;
  };
  it('gives each its own verdict, and goes on after one that fails, also side by side', async () => {
    const evidence = open();
    const fails = clause(PUT, async () => {
      await Promise.resolve();
      must('it is so', 1, match.equal(2));
    });
    const holds = clause(POST, async () => void must('it is so', 1, match.equal(1)));
    await Promise.all([fails, holds]);
    const told = evidence.record().judged.map(({ clause: name, outcome }) => [name, outcome]);
    assert.deepEqual(
      new Map(told as [string, string][]),
      new Map([
        [POST, 'pass'],
        [PUT, 'fail'],
      ]),
    );
    assert.deepEqual(
      evidence
        .record()
        .assertions.map(({ clauses, holds: kept }) => [clauses, kept])
        .sort(),
      [
        [[POST], true],
        [[PUT], false],
      ],
    );
  });
  it('is what counts of a check where only some of what it judges is asked for', async () => {
    const evidence = open();
    await clause(PUT, async () => void must('it is so', 1, match.equal(2)));
    await clause(POST, async () => void must('it is so', 1, match.equal(1)));
    assert.deepEqual(evidence.brokenOf([]), ['DRYRUN-VALUE-03']);
    assert.deepEqual(evidence.brokenOf(['DRYRUN-VALUE-03']), [PUT]);
    assert.deepEqual(evidence.brokenOf([PUT, 'WATCH']), [PUT]);
    assert.deepEqual(evidence.brokenOf([POST, 'WATCH']), []);
  });
  it('ends alone where it is unsupported, and is inconclusive where nothing was asserted', async () => {
    const evidence = open();
    await clause(PUT, async () => unsupported('it has none'));
    await clause(POST, async () => {});
    const { judged, ending } = evidence.record();
    assert.equal(ending, undefined);
    assert.deepEqual(
      judged.map(({ outcome, reason }) => [outcome, reason]),
      [
        ['unsupported', 'it has none'],
        ['inconclusive', 'nothing was asserted'],
      ],
    );
  });
  it('is one that the check has named', async () => {
    open();
    await assert.rejects(
      clause('DRYRUN-VALUE-03/put/custom', async () => {}),
      /which it does not name/,
    );
  });
});

describe('should', () => {
  it('looks until what it sees is allowed', async () => {
    begin();
    let looks = 0;
    const seen = await should(async () => ++looks, match.equal(3));
    assert.equal(must('it came to be', seen), 3);
  });
  it('gives up at its deadline, and leaves the judgement to must', async () => {
    begin();
    const seen = await should(async () => 'never', match.equal('x'), { within: 20 });
    assert.equal(seen.differences.at(-1)?.want, 'within 20 ms');
    assert.throws(() => must('it came to be', seen), AssertionFailed);
  });
});

describe('an ending', () => {
  it('is in the evidence, the first one only', () => {
    const evidence = begin();
    assert.throws(() => unsupported('no second identity was given'), Ending);
    assert.throws(() => unsupported('another reason'), Ending);
    assert.deepEqual(evidence.record().ending, { outcome: 'unsupported', reason: 'no second identity was given' });
  });
});
