import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FieldPath } from '../api/fieldPath.ts';
import type { Json } from '../api/json.ts';
import { labelSelectorFromObject, validateLabelSelector } from './labelSelectorObject.ts';

const faults = (selector: Json) =>
  validateLabelSelector(selector, FieldPath.of('spec', 'selector')).map(
    ({ reason, field, message }) => `${reason} ${field} ${message.split(' must consist')[0]?.split(' must be an')[0]}`,
  );
const expression = (key: string, operator: string, ...values: string[]): Json => ({
  matchExpressions: [{ key, operator, ...(values.length ? { values } : {}) }],
});
const AT = 'spec.selector.matchExpressions[0]';

describe('label selector objects: validation', () => {
  const rows: [string, Json, string[]][] = [
    ['empty', {}, []],
    ['fine', { matchLabels: { a: 'b' }, ...(expression('c', 'In', 'd') as object) }, []],
    [
      'name',
      { matchLabels: { 'a b': 'c' } },
      ['FieldValueInvalid spec.selector.matchLabels Invalid value: "a b": name part'],
    ],
    [
      'value',
      { matchLabels: { a: 'b c' } },
      ['FieldValueInvalid spec.selector.matchLabels Invalid value: "b c": a valid label'],
    ],
    [
      'In without values',
      expression('a', 'In'),
      [`FieldValueRequired ${AT}.values Required value: must be specified when \`operator\` is 'In' or 'NotIn'`],
    ],
    [
      'Exists with values',
      expression('a', 'Exists', 'b'),
      [
        `FieldValueForbidden ${AT}.values Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
      ],
    ],
    [
      'operator',
      expression('a', 'Like', 'b'),
      [`FieldValueInvalid ${AT}.operator Invalid value: "Like": not a valid selector operator`],
    ],
    [
      'no key',
      expression('', 'Exists'),
      [
        `FieldValueInvalid ${AT}.key Invalid value: "": name part must be non-empty`,
        `FieldValueInvalid ${AT}.key Invalid value: "": name part`,
      ],
    ],
    [
      'second value',
      expression('a', 'NotIn', 'b', 'c d'),
      [`FieldValueInvalid ${AT}.values[1] Invalid value: "c d": a valid label`],
    ],
  ];
  for (const [title, selector, expected] of rows) it(title, () => assert.deepEqual(faults(selector), expected));
});

describe('label selector objects: matching', () => {
  it('needs all of its parts', () => {
    const selector = labelSelectorFromObject({
      matchLabels: { a: '1' },
      matchExpressions: [{ key: 'b', operator: 'NotIn', values: ['2'] }],
    });
    assert.equal(selector.matches({ a: '1' }), true);
    assert.equal(selector.matches({ a: '1', b: '2' }), false);
    assert.equal(selector.matches({ b: '3' }), false);
  });
  it('selects everything when empty, and what its field says when absent', () => {
    assert.equal(labelSelectorFromObject({}).matches({ x: 'y' }), true);
    assert.equal(labelSelectorFromObject(undefined).matches({ x: 'y' }), false);
    assert.equal(labelSelectorFromObject(null, 'everything').matches(undefined), true);
  });
  it('selects nothing when it says something unknown', () => {
    assert.equal(labelSelectorFromObject(expression('a', 'Gt', '1')).matches({ a: '2' }), false);
  });
});
