import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Json, JsonObject } from '../api/json.ts';
import { mergePatch } from './mergePatch.ts';

/** The cases of RFC 7386, appendix A, that are about objects: document, patch, result. */
const cases: [JsonObject, JsonObject, JsonObject][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

describe('JSON merge patch', () => {
  cases.forEach(([document, patch, result]) => {
    it(`RFC 7386: ${JSON.stringify(document)} with ${JSON.stringify(patch)}`, () => {
      const before = structuredClone([document, patch]);
      assert.deepEqual(mergePatch(document, patch), result);
      assert.deepEqual([document, patch], before);
    });
  });

  it('leaves the example document of RFC 7386 as its section 3 says', () => {
    const document = {
      title: 'Goodbye!',
      author: { givenName: 'John', familyName: 'Doe' },
      tags: ['example', 'sample'],
      content: 'This will be unchanged',
    };
    const patch = { title: 'Hello!', phoneNumber: '+01-123-456-7890', author: { familyName: null }, tags: ['example'] };
    assert.deepEqual(mergePatch(document, patch), {
      title: 'Hello!',
      author: { givenName: 'John' },
      tags: ['example'],
      content: 'This will be unchanged',
      phoneNumber: '+01-123-456-7890',
    });
  });

  it('must be an object', () => {
    assert.throws(() => mergePatch({}, []), {
      code: 400,
      message: 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    });
    assert.throws(() => mergePatch({}, 'x'), { code: 400 });
  });

  it('takes names that objects inherit for ordinary ones, at any depth', () => {
    const patched = mergePatch({}, JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":null,"y":1}}'));
    assert.equal(JSON.stringify(patched), '{"__proto__":{"x":1},"constructor":{"y":1}}');
    let patch: Json = { x: 1 };
    for (let i = 0; i < 50_000; i++) patch = { d: patch };
    assert.ok('d' in mergePatch({ d: { d: {} } }, patch));
  });

  it('does once what it does twice, and adds nothing that is null', () => {
    const tree = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<Json>(null, 1, 'x', [1], [null]),
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')) as fc.Arbitrary<Json>,
      ),
    })).value;
    const object = fc.dictionary(fc.constantFrom('a', 'b', 'c'), tree) as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(object, object, (document, patch) => {
        const once = mergePatch(document, patch);
        assert.deepEqual(mergePatch(once, patch), once);
        for (const [name, value] of Object.entries(patch)) if (value === null) assert.ok(!Object.hasOwn(once, name));
      }),
    );
  });
});
