import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../api/json.ts';
import {
  causesOf,
  MERGE_PATCH,
  type WidgetFixture,
  widgetDefinition,
  widgetFixture,
  widgets,
  withSpec,
} from '../../testing/widgetFixture.ts';

const NUMBER = { type: 'integer' };

/** A fixture whose spec has these properties and rules. */
async function ruled(properties: JsonObject, ...rules: JsonObject[]): Promise<WidgetFixture> {
  return widgetFixture(widgetDefinition(withSpec(properties, { 'x-kubernetes-validations': rules })));
}
async function patched(fixture: WidgetFixture, name: string, spec: JsonObject) {
  return fixture.send('PATCH', widgets(name), { headers: MERGE_PATCH, body: { spec } });
}

describe('rules in the expression language', () => {
  it('refuse with the rule, a message, a computed message, a reason and a path', async () => {
    const fixture = await ruled(
      { min: NUMBER, max: NUMBER },
      { rule: 'self.min <= self.max' },
      { rule: 'self.min > 0', message: ' must be positive ' },
      { rule: 'self.max < 9', messageExpression: 'self.max == 9 ? "not 9" : "not more"', message: 'unused' },
      { rule: 'self.max != 3', reason: 'FieldValueForbidden', message: 'three', fieldPath: '.max' },
    );
    assert.deepEqual(causesOf((await fixture.make('a', { spec: { min: 4, max: 2 } })).body), [
      'spec: Invalid value: "object": failed rule: self.min <= self.max',
    ]);
    assert.deepEqual(causesOf((await fixture.make('a', { spec: { min: 0, max: 9 } })).body), [
      'spec: Invalid value: "object": must be positive',
      'spec: Invalid value: "object": not 9',
    ]);
    assert.deepEqual(causesOf((await fixture.make('a', { spec: { min: 1, max: 3 } })).body), [
      'spec.max: Forbidden: three',
    ]);
    assert.equal((await fixture.make('a', { spec: { min: 1, max: 2 } })).status, 201);
  });

  it('tell what went wrong while they ran', async () => {
    const fixture = await ruled({ a: NUMBER, d: { 'x-kubernetes-int-or-string': true } }, { rule: '10 / self.a > 1' });
    assert.deepEqual(causesOf((await fixture.make('a', { spec: { a: 0 } })).body), [
      'spec: Invalid value: "object": division by zero evaluating rule: 10 / self.a > 1',
    ]);
    assert.deepEqual(causesOf((await fixture.make('a', { spec: {} })).body), [
      'spec: Invalid value: "object": no such key: a evaluating rule: 10 / self.a > 1',
    ]);
  });

  it('wait until the object fits its schema', async () => {
    const fixture = await ruled({ a: NUMBER }, { rule: 'self.a > 1' });
    assert.deepEqual(causesOf((await fixture.make('a', { spec: { a: 'x' } })).body), [
      'spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"',
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ]);
  });

  it('about a change run where there was something before', async () => {
    const fixture = await ruled({ a: NUMBER }, { rule: 'self.a >= oldSelf.a', message: 'may only grow' });
    assert.equal((await fixture.make('a', { spec: { a: 5 } })).status, 201);
    assert.deepEqual(causesOf((await patched(fixture, 'a', { a: 4 })).body), [
      'spec: Invalid value: "object": may only grow',
    ]);
    assert.equal((await patched(fixture, 'a', { a: 6 })).status, 200);
  });

  it('with an optional old value run for new objects too', async () => {
    const rule = 'oldSelf.hasValue() ? self.a != oldSelf.value().a : self.a == 1';
    const fixture = await ruled({ a: NUMBER, b: NUMBER }, { rule, optionalOldSelf: true, message: 'no' });
    assert.deepEqual(causesOf((await fixture.make('a', { spec: { a: 2 } })).body), [
      'spec: Invalid value: "object": no',
    ]);
    assert.equal((await fixture.make('a', { spec: { a: 1 } })).status, 201);
    assert.deepEqual(causesOf((await patched(fixture, 'a', { b: 1 })).body), ['spec: Invalid value: "object": no']);
    assert.equal((await patched(fixture, 'a', { a: 2 })).status, 200);
  });

  it('find old items of keyed lists by their keys, and old entries of maps by name', async () => {
    const never = { 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'fixed' }] };
    const value = { type: 'integer', ...never };
    const fixture = await widgetFixture(
      widgetDefinition(
        withSpec({
          list: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['k'],
            items: { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: value } },
          },
          map: { type: 'object', additionalProperties: value },
        }),
      ),
    );
    const spec = {
      list: [
        { k: 'a', v: 1 },
        { k: 'b', v: 2 },
      ],
      map: { x: 1 },
    };
    assert.equal((await fixture.make('a', { spec })).status, 201);
    const moved = {
      list: [
        { k: 'c', v: 9 },
        { k: 'b', v: 2 },
        { k: 'a', v: 1 },
      ],
      map: { x: 1, y: 2 },
    };
    assert.equal((await patched(fixture, 'a', moved)).status, 200);
    const changed = {
      list: [
        { k: 'b', v: 3 },
        { k: 'a', v: 1 },
      ],
      map: { x: 2 },
    };
    assert.deepEqual(causesOf((await patched(fixture, 'a', changed)).body).sort(), [
      'spec.list[0].v: Invalid value: "integer": fixed',
      'spec.map[x]: Invalid value: "integer": fixed',
    ]);
  });

  it('forgive what was so before they came, with a warning', async () => {
    const fixture = await widgetFixture(widgetDefinition(withSpec({ a: NUMBER, b: NUMBER })));
    assert.equal((await fixture.make('a', { spec: { a: 5 } })).status, 201);
    const a = { ...NUMBER, maximum: 3, 'x-kubernetes-validations': [{ rule: 'self < 3', message: 'small' }] };
    const version = {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: withSpec({ a, b: NUMBER }) },
    };
    await fixture.redefine({ versions: [version] });
    const kept = await patched(fixture, 'a', { b: 1 });
    assert.deepEqual([kept.status, kept.warnings], [200, ['spec.a: Invalid value: "integer": small']]);
    assert.deepEqual(causesOf((await patched(fixture, 'a', { a: 6 })).body), [
      'spec.a: Invalid value: 6: spec.a in body should be less than or equal to 3',
      'spec.a: Invalid value: "integer": small',
    ]);
  });

  it('see whole objects with their names, and fields by names that they can spell', async () => {
    const schema: JsonObject = {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: { 'a-b': NUMBER, in: NUMBER, when: { type: 'string', format: 'date-time' } },
        },
      },
      'x-kubernetes-validations': [
        { rule: 'self.metadata.name.startsWith("w-")', message: 'name' },
        { rule: 'self.spec.a__dash__b == self.spec.__in__', message: 'spelled' },
        { rule: 'self.spec.when > timestamp("2024-01-01T00:00:00Z")', message: 'late' },
      ],
    };
    const fixture = await widgetFixture(widgetDefinition(schema));
    const spec = { 'a-b': 1, in: 1, when: '2025-01-01T00:00:00Z' };
    assert.equal((await fixture.make('w-1', { spec })).status, 201);
    assert.deepEqual(
      causesOf((await fixture.make('x', { spec: { ...spec, in: 2, when: '2023-01-01T00:00:00Z' } })).body),
      [
        '<nil>: Invalid value: "object": name',
        '<nil>: Invalid value: "object": spelled',
        '<nil>: Invalid value: "object": late',
      ],
    );
  });

  it('end when they cost too much, whatever they swallow', async () => {
    const list = { type: 'array', items: NUMBER, maxItems: 60 };
    const rule = 'self.l.all(x, self.l.all(y, self.l.all(z, x + y + z >= 0))) || true';
    const fixture = await ruled({ l: list }, { rule }, { rule: 'false', message: 'never reached' });
    const l = Array.from({ length: 60 }, (_, index) => index);
    const { status, body } = await fixture.make('a', { spec: { l } });
    assert.equal(status, 422);
    assert.match(causesOf(body).join('\n'), /no further validation rules will be run due to call cost exceeds limit/);
    assert.doesNotMatch(causesOf(body).join('\n'), /never reached/);
  });
});
