import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isChosen } from './selection.ts';

const check = {
  id: 'NAME-UNIQUE-01.2/config-maps',
  title: 'The author does it → it is seen',
  file: 'suites/1-conventions/object-naming/uniqueness.spec.ts',
  requirements: ['NAME-UNIQUE-01', 'META-UID-01'],
  profiles: ['core'],
};
const chosen = (only: string[], profiles: string[] = []) => isChosen(check, { only, profiles });

describe('the choice of checks', () => {
  it('is everything where nothing is asked for', () => assert.ok(chosen([])));
  it('goes by requirement, area, check, file and folder', () => {
    for (const word of [
      'NAME-UNIQUE-01',
      'NAME-UNIQUE',
      'META',
      check.id,
      'NAME-UNIQUE-01.2',
      '1-conventions/object-naming/uniqueness:the-author-does-it-it-is-seen',
      '1-conventions/object-naming/uniqueness',
      'suites/1-conventions/object-naming/uniqueness.spec.ts',
      '1-conventions/object-naming/',
      '1-conventions',
    ]) {
      assert.ok(chosen([word]), word);
    }
  });
  it('does not take one id for the beginning of another', () => {
    for (const word of [
      'NAME-UNIQUE-0',
      'NAME-UNIQ',
      'NAME-UNIQUE-01.',
      'NAME-UNIQUE-01.2/config',
      'NAME-UNIQUE-01.1',
      '1-conventions/object',
      '1-conventions/object-naming/uniq',
      'AME',
    ]) {
      assert.ok(!chosen([word]), word);
    }
  });
  it('goes by profile too, and by both together', () => {
    assert.ok(chosen([], ['core', 'watch']));
    assert.ok(!chosen([], ['watch']));
    assert.ok(!chosen(['NAME-UNIQUE-01'], ['watch']));
  });
});
