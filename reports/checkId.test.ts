import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { currentCheckId } from '../fixtures/formerCheckIds.ts';
import { CHECK, VARIANT } from './annotations.ts';
import { checkId, goesBy, idByTitle, keyOf, titleWith, titleWithout } from './checkId.ts';

describe('the id of a check', () => {
  it('keeps its number, and words of a row as they can stand in a command and a link', () => {
    assert.equal(checkId('OP-LIST-03.1'), 'OP-LIST-03.1');
    assert.equal(checkId('OP-LIST-03.1/configMaps/limit=such & such'), 'OP-LIST-03.1/configmaps/limit-such-such');
    assert.equal(checkId('HEALTH-PATH-01.1//livez'), 'HEALTH-PATH-01.1/livez');
  });
  it('is made of file and title where none is written, the same everywhere', () => {
    assert.equal(
      idByTitle('suites\\a\\b.spec.ts', 'The author does it → it is seen'),
      'a/b:the-author-does-it-it-is-seen',
    );
  });
  it('is understood as it was before', () => {
    const former = { 'A-B-01.1': 'A-B-01.4', 'A-B-01.4': 'A-C-02.1', 'A-B-01.2': null };
    assert.equal(currentCheckId('A-B-01.1', former), 'A-C-02.1');
    assert.equal(currentCheckId('A-B-01.2', former), 'A-B-01.2');
    assert.equal(currentCheckId('A-B-01.3', former), 'A-B-01.3');
  });
  it('means one check by its id or title, and those of a table by its number', () => {
    const check = { id: 'A-B-01.1/pods', file: 'suites/a/b.spec.ts', title: 'x → y' };
    for (const name of ['A-B-01.1/pods', 'A-B-01.1', 'a/b:x-y']) assert.ok(goesBy(check, name), name);
    for (const name of ['A-B-01.1/pod', 'A-B-01', 'A-B-01.11', 'a/b:x']) assert.ok(!goesBy(check, name), name);
  });
});

it('the runner is told of checks that have the same title by different titles, and of one on each mutant', () => {
  const keys = [
    [{ type: CHECK, description: 'A-B-01.1' }],
    [{ type: CHECK, description: 'A-B-01.2' }],
    [
      { type: CHECK, description: 'A-B-01.2' },
      { type: VARIANT, description: 'a-mutant' },
    ],
  ].map(keyOf);
  const titles = keys.map((key) => titleWith('x → y', key));
  assert.deepEqual(titles, ['x → y [A-B-01.1]', 'x → y [A-B-01.2]', 'x → y [A-B-01.2 a-mutant]']);
  assert.deepEqual(
    titles.map((title, at) => titleWithout(title, keys[at] ?? '')),
    ['x → y', 'x → y', 'x → y'],
  );
});
