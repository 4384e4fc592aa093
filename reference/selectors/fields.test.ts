import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FieldRequirement, fieldRequirementsForAuthorizer, parseFieldSelector } from './fields.ts';

const equal = (field: string, value: string): FieldRequirement => ({ field, equal: true, value });
const unequal = (field: string, value: string): FieldRequirement => ({ field, equal: false, value });

describe('field selectors: reading', () => {
  const rows: [string, FieldRequirement[]][] = [
    ['', []],
    [',', []],
    ['a=b', [equal('a', 'b')]],
    ['a==b', [equal('a', 'b')]],
    ['a!=b', [unequal('a', 'b')]],
    ['a=', [equal('a', '')]],
    ['=a', [equal('', 'a')]],
    ['a=none,', [equal('a', 'none')]],
    ['a=b\\=c', [equal('a', 'b=c')]],
    ['a=b\\,c,d=e', [equal('a', 'b,c'), equal('d', 'e')]],
    ['a=b\\\\', [equal('a', 'b\\')]],
    ['z=1,a=2', [equal('a', '2'), equal('z', '1')]],
    ['a =b', [equal('a ', 'b')]],
  ];
  for (const [text, requirements] of rows) {
    it(JSON.stringify(text), () => assert.deepEqual(parseFieldSelector(text).requirements, requirements));
  }
});

describe('field selectors: what is no selector', () => {
  const rows: [string, string][] = [
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['a in (b,c)', "invalid selector: 'a in (b,c)'; can't understand 'a in (b'"],
    ['m in (a,b)', "invalid selector: 'm in (a,b)'; can't understand 'b)'"],
    ['!a', "invalid selector: '!a'; can't understand '!a'"],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
    ['a=\\b', 'invalid field selector: invalid escape sequence: \\b'],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a===b', 'invalid field selector: unescaped character in value: 61'],
  ];
  for (const [text, message] of rows) it(text, () => assert.throws(() => parseFieldSelector(text), { message }));
});

describe('field selectors: matching', () => {
  const textOf = (field: string) => ({ 'metadata.name': 'x', phase: '' })[field] ?? '';
  it('holds when all hold, and takes an absent field as empty', () => {
    assert.equal(parseFieldSelector('metadata.name=x,phase=').matches(textOf), true);
    assert.equal(parseFieldSelector('metadata.name=x,phase!=').matches(textOf), false);
    assert.equal(parseFieldSelector('nothing=').matches(textOf), true);
    assert.equal(parseFieldSelector('').matches(textOf), true);
  });
  it('tells the value that a field must have', () => {
    const selector = parseFieldSelector('a!=1,a=2,b!=3');
    assert.equal(selector.exactly('a'), '2');
    assert.equal(selector.exactly('b'), undefined);
  });
  it('is seen by authorizers as sets', () => {
    assert.deepEqual(fieldRequirementsForAuthorizer(parseFieldSelector('a=1,b!=2')), [
      { key: 'a', operator: 'In', values: ['1'] },
      { key: 'b', operator: 'NotIn', values: ['2'] },
    ]);
  });
});

describe('field selectors: many requirements', () => {
  const terms = (operator: string) => Array.from({ length: 40 }, (_, at) => `a${operator}v${at}`).join();
  const matches = (text: string, value: string) => parseFieldSelector(text).matches(() => value);

  it('are held to the text of their field all at once', () => {
    assert.ok(!matches(terms('!='), 'v39'));
    assert.ok(matches(terms('!='), 'v40'));
    assert.ok(!matches(terms('='), 'v1'));
    assert.ok(matches(Array.from({ length: 40 }, () => 'a=v1').join(), 'v1'));
  });
});
