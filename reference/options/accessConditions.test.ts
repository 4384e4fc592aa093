import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { compileAccessCondition } from './accessConditions.ts';

const REVIEW: JsonObject = {
  user: 'ann',
  groups: ['ops'],
  extra: { dept: ['x'] },
  resourceAttributes: {
    verb: 'get',
    resource: 'pods',
    fieldSelector: { requirements: [{ key: 'a', operator: 'In' }] },
  },
};

describe('conditions of authorization webhooks', () => {
  for (const [expression, holds] of [
    ["request.user == 'ann' && 'ops' in request.groups", true],
    ["request.uid == '' && request.resourceAttributes.namespace == ''", true],
    ['has(request.resourceAttributes) && !has(request.nonResourceAttributes)', true],
    ["request.extra['dept'] == ['x']", true],
    ["request.resourceAttributes.fieldSelector.requirements.exists(r, r.key == 'a')", true],
    ['has(request.resourceAttributes.labelSelector)', false],
  ] as const) {
    it(`${expression}: ${holds}`, () => assert.equal(compileAccessCondition(expression)(REVIEW), holds));
  }
  for (const [expression, fault] of [
    ["request.color == 'red'", /undefined field 'color'/],
    ["object.user == 'x'", /undeclared reference to 'object'/],
    ['request.user', /must evaluate to bool/],
    ['request.user ==', /Syntax error/],
  ] as const) {
    it(`refuses ${expression}`, () => assert.throws(() => compileAccessCondition(expression), fault));
  }
  it('fails, naming the expression, when it asks for what is not there', () => {
    const condition = compileAccessCondition("request.nonResourceAttributes.path == '/x'");
    assert.throws(
      () => condition(REVIEW),
      /^Error: cel evaluation error: expression 'request.nonResourceAttributes.path == '\/x'' resulted in error: no such key: nonResourceAttributes$/,
    );
  });
});
