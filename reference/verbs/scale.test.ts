import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../api/json.ts';
import { selectorText } from '../objects/scale.ts';

test('a selector is shown as query parameters write it, by key', () => {
  assert.equal(selectorText({ matchLabels: { b: '2', a: '1' } }), 'a=1,b=2');
  assert.equal(selectorText({ app: 'a' }), 'app=a');
  assert.equal(selectorText('app in (a,b)'), 'app in (a,b)');
  assert.equal(selectorText(undefined), '');
  const matchExpressions: Json[] = [
    { key: 'z', operator: 'In', values: ['q', 'p'] },
    { key: 'y', operator: 'NotIn', values: ['r'] },
    { key: 'x', operator: 'Exists' },
    { key: 'w', operator: 'DoesNotExist' },
  ];
  assert.equal(selectorText({ matchLabels: { a: '1' }, matchExpressions }), 'a=1,!w,x,y notin (r),z in (p,q)');
});
