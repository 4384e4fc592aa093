import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Json, JsonObject } from '../api/json.ts';
import { ApiError } from '../api/status.ts';
import { jsonPatch, MAX_OPERATIONS, unknownMembers } from './jsonPatch.ts';

/** The examples of RFC 6902, appendix A, told as a document, a patch and the result; no result: the patch fails. */
const examples: { name: string; document: JsonObject; patch: JsonObject[]; result?: JsonObject }[] = [
  {
    name: 'A.1 add a member',
    document: { foo: 'bar' },
    patch: [{ op: 'add', path: '/baz', value: 'qux' }],
    result: { baz: 'qux', foo: 'bar' },
  },
  {
    name: 'A.2 add an item',
    document: { foo: ['bar', 'baz'] },
    patch: [{ op: 'add', path: '/foo/1', value: 'qux' }],
    result: { foo: ['bar', 'qux', 'baz'] },
  },
  {
    name: 'A.3 remove a member',
    document: { baz: 'qux', foo: 'bar' },
    patch: [{ op: 'remove', path: '/baz' }],
    result: { foo: 'bar' },
  },
  {
    name: 'A.4 remove an item',
    document: { foo: ['bar', 'qux', 'baz'] },
    patch: [{ op: 'remove', path: '/foo/1' }],
    result: { foo: ['bar', 'baz'] },
  },
  {
    name: 'A.5 replace a value',
    document: { baz: 'qux', foo: 'bar' },
    patch: [{ op: 'replace', path: '/baz', value: 'boo' }],
    result: { baz: 'boo', foo: 'bar' },
  },
  {
    name: 'A.6 move a value',
    document: { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
    patch: [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
    result: { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
  },
  {
    name: 'A.7 move an item',
    document: { foo: ['all', 'grass', 'cows', 'eat'] },
    patch: [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
    result: { foo: ['all', 'cows', 'eat', 'grass'] },
  },
  {
    name: 'A.8 test: success',
    document: { baz: 'qux', foo: ['a', 2, 'c'] },
    patch: [
      { op: 'test', path: '/baz', value: 'qux' },
      { op: 'test', path: '/foo/1', value: 2 },
    ],
    result: { baz: 'qux', foo: ['a', 2, 'c'] },
  },
  { name: 'A.9 test: failure', document: { baz: 'qux' }, patch: [{ op: 'test', path: '/baz', value: 'bar' }] },
  {
    name: 'A.10 add a nested object',
    document: { foo: 'bar' },
    patch: [{ op: 'add', path: '/child', value: { grandchild: {} } }],
    result: { foo: 'bar', child: { grandchild: {} } },
  },
  {
    name: 'A.11 members of operations that nobody knows',
    document: { foo: 'bar' },
    patch: [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }],
    result: { foo: 'bar', baz: 'qux' },
  },
  {
    name: 'A.12 add below what does not exist',
    document: { foo: 'bar' },
    patch: [{ op: 'add', path: '/baz/bat', value: 'qux' }],
  },
  {
    name: 'A.14 escaped names',
    document: { '/': 9, '~1': 10 },
    patch: [{ op: 'test', path: '/~01', value: 10 }],
    result: { '/': 9, '~1': 10 },
  },
  {
    name: 'A.15 texts and numbers differ',
    document: { '/': 9, '~1': 10 },
    patch: [{ op: 'test', path: '/~01', value: '10' }],
  },
  {
    name: 'A.16 add an array as one item',
    document: { foo: ['bar'] },
    patch: [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
    result: { foo: ['bar', ['abc', 'def']] },
  },
];

const refused = (action: () => unknown, code: number, message?: string) =>
  assert.throws(action, (error) => {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.code, code);
    if (message !== undefined) assert.equal(error.message, message);
    return true;
  });

describe('JSON patch', () => {
  for (const { name, document, patch, result } of examples) {
    it(`RFC 6902 ${name}`, () => {
      const before = structuredClone(document);
      if (result) assert.deepEqual(jsonPatch(document, patch), result);
      else
        refused(
          () => jsonPatch(document, patch),
          422,
          'the server rejected our request due to an error in our request',
        );
      assert.deepEqual(document, before);
    });
  }

  it('replaces, copies and moves whole documents by the empty pointer', () => {
    assert.deepEqual(jsonPatch({ a: 1 }, [{ op: 'replace', path: '', value: { b: 2 } }]), { b: 2 });
    assert.deepEqual(jsonPatch({ a: { b: 1 } }, [{ op: 'move', from: '/a', path: '' }]), { b: 1 });
    assert.deepEqual(jsonPatch({ a: 1 }, [{ op: 'test', path: '', value: { a: 1 } }]), { a: 1 });
    refused(() => jsonPatch({ a: 1 }, [{ op: 'replace', path: '', value: [] }]), 422);
    refused(() => jsonPatch({ a: 1 }, [{ op: 'remove', path: '' }]), 422);
  });

  it('fails as a whole', () => {
    const fails: JsonObject[] = [
      { op: 'remove', path: '/x' },
      { op: 'replace', path: '/x', value: 1 },
      { op: 'replace', path: '/l/-', value: 1 },
      { op: 'replace', path: '/l/2', value: 1 },
      { op: 'add', path: '/l/3', value: 1 },
      { op: 'add', path: '/l/last', value: 1 },
      { op: 'add', path: '/l/1e0', value: 1 },
      { op: 'add', path: 'l', value: 1 },
      { op: 'add', path: '/s/x', value: 1 },
      { op: 'add', path: '/a' },
      { op: 'add', value: 1 },
      { op: 'copy', from: '/x', path: '/y' },
      { op: 'move', from: '/o', path: '/o/p' },
      { op: 'copy', path: '/y' },
      { op: 'spam', path: '/a', value: 1 },
      { path: '/a', value: 1 },
      { op: 'test', path: '/x', value: 1 },
      { op: 'test', path: '/x/y', value: null },
      { op: 'test', path: '/constructor', value: 1 },
      { op: 'remove', path: '/toString' },
    ];
    const document = { a: 1, l: [1, 2], s: 'text', o: { p: 1 } };
    for (const one of fails) {
      refused(() => jsonPatch(document, [{ op: 'add', path: '/b', value: 1 }, one]), 422);
      assert.deepEqual(document, { a: 1, l: [1, 2], s: 'text', o: { p: 1 } });
    }
  });

  it('counts negative indexes from the end, and finds null where nothing is only where the service is followed', () => {
    assert.deepEqual(jsonPatch({ l: [1, 2, 3] }, [{ op: 'remove', path: '/l/-1' }]), { l: [1, 2] });
    assert.deepEqual(jsonPatch({ l: [1, 2] }, [{ op: 'add', path: '/l/-1', value: 3 }]), { l: [1, 2, 3] });
    const absent = [{ op: 'test', path: '/x', value: null }];
    assert.deepEqual(jsonPatch({ a: 1 }, absent, 'service'), { a: 1 });
    assert.throws(() => jsonPatch({ a: 1 }, absent), { code: 422 });
  });

  it('passes over what RFC 6902 asks for only where the service is followed', () => {
    const document = { data: { a: '1' } };
    const rows: readonly (readonly [operation: JsonObject, result: JsonObject | undefined])[] = [
      [
        { op: 'add', path: 'data/b', value: '2' },
        { data: { a: '1' }, b: '2' },
      ],
      [{ op: 'add', path: 'x/data/b', value: '2' }, { data: { a: '1', b: '2' } }],
      [{ op: 'add', path: 'data', value: '2' }, undefined],
      [{ op: 'add', path: '/data/b' }, { data: { a: '1', b: null } }],
      [{ op: 'replace', path: '/data/a' }, { data: { a: null } }],
      [{ op: 'copy', from: '/data/none', path: '/data/b' }, { data: { a: '1', b: null } }],
      [{ op: 'copy', from: '/none/none', path: '/data/b' }, undefined],
      [{ op: 'add', path: '', value: {} }, undefined],
      [{ op: 'move', from: '/data', path: '' }, undefined],
    ];
    for (const [operation, result] of rows) {
      const words = JSON.stringify(operation);
      if (result) assert.deepEqual(jsonPatch(document, [operation], 'service'), result, words);
      else assert.throws(() => jsonPatch(document, [operation], 'service'), { code: 422 }, words);
      if (operation.path === '') continue;
      assert.throws(() => jsonPatch(document, [operation], 'spec'), { code: 422 }, words);
    }
  });

  it('tells the members that no operation has', () => {
    const patch: Json = [
      { op: 'test', path: '/a', value: 1, by: 'me' },
      { op: 'remove', path: '/a' },
      { x: 1, y: 2 },
    ];
    assert.deepEqual(unknownMembers(patch), [
      'unknown field "[0].by"',
      'unknown field "[2].x"',
      'unknown field "[2].y"',
    ]);
    assert.deepEqual(unknownMembers({ op: 'none' }), []);
  });

  it('sets an absent member by replace only where the service is followed', () => {
    const patch = [{ op: 'replace', path: '/x', value: 1 }];
    refused(() => jsonPatch({}, patch), 422);
    assert.deepEqual(jsonPatch({}, patch, 'service'), { x: 1 });
    refused(() => jsonPatch({ l: [] }, [{ op: 'replace', path: '/l/0', value: 1 }], 'service'), 422);
  });

  it('must be a list of operations, and not too long a one', () => {
    refused(
      () => jsonPatch({}, { op: 'add' }),
      400,
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    );
    refused(() => jsonPatch({}, [1]), 400);
    refused(() => jsonPatch({}, [{ op: 'add', path: 7, value: 1 }]), 400);
    const long = Array.from({ length: MAX_OPERATIONS + 1 }, () => ({ op: 'add', path: '/a', value: 1 }));
    refused(() => jsonPatch({}, long), 413);
    assert.deepEqual(jsonPatch({}, long.slice(1)), { a: 1 });
  });

  it('does not let copies grow without bound', () => {
    const patch = [
      { op: 'add', path: '/a', value: 'x'.repeat(1024) },
      ...Array.from({ length: 30 }, (_, i) => ({ op: 'add', path: `/l${i}`, value: {} })),
      ...Array.from({ length: 5000 }, (_, i) => ({ op: 'copy', from: '/a', path: `/l${i % 30}/c${i}` })),
    ];
    refused(() => jsonPatch({}, patch), 422);
  });

  it('takes names that objects inherit for ordinary ones', () => {
    const patched = jsonPatch({}, [{ op: 'add', path: '/__proto__', value: { x: 1 } }]);
    assert.equal(JSON.stringify(patched), '{"__proto__":{"x":1}}');
    assert.equal(({} as JsonObject).x, undefined);
  });

  it('goes deep without a fault', () => {
    let value: Json = 1;
    for (let i = 0; i < 999; i++) value = [value];
    const path = `/a${'/0'.repeat(999)}`;
    const patched = jsonPatch({ a: value }, [{ op: 'replace', path, value: 2 }]);
    refused(() => jsonPatch({ a: value }, [{ op: 'replace', path, value: [2] }]), 422);
    refused(() => jsonPatch({ a: value }, [{ op: 'test', path: '/a'.repeat(20_000), value: 2 }]), 422);
    let at = patched.a as Json;
    while (Array.isArray(at)) at = at[0] as Json;
    assert.equal(at, 2);
  });

  it('never changes the document, and undoes what it did', () => {
    const key = fc.constantFrom('a', 'b', '/', '~', '');
    const document = fc.dictionary(key, fc.oneof(fc.integer(), fc.array(fc.integer(), { maxLength: 3 })), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(document, key, fc.integer(), (value, name, added) => {
        const before = JSON.stringify(value);
        const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        const patched = jsonPatch(value as JsonObject, [{ op: 'add', path, value: added }]);
        assert.equal(patched[name], added);
        assert.equal(JSON.stringify(value), before);
        const back = jsonPatch(patched, [
          Object.hasOwn(value, name) ? { op: 'replace', path, value: value[name] as Json } : { op: 'remove', path },
        ]);
        assert.deepEqual(back, value);
      }),
    );
  });

  it('copies a container once, however many operations change it', () => {
    let copies = 0;
    const counted = (value: JsonObject): JsonObject =>
      new Proxy(value, {
        ownKeys: (target) => {
          copies++;
          return Reflect.ownKeys(target);
        },
      });
    const patch = Array.from({ length: 500 }, (_, i) => ({ op: 'add', path: `/data/k${i}`, value: 'v' }));
    const patched = jsonPatch({ data: counted({ old: 'v' }) }, patch) as { data: JsonObject };
    assert.equal(Object.keys(patched.data).length, 501);
    assert.equal(copies, 1);
  });

  it('keeps copies apart from what they are copies of', () => {
    const patch: JsonObject[] = [
      { op: 'add', path: '/a/b', value: { c: 1 } },
      { op: 'add', path: '/a/b/d', value: 2 },
      { op: 'copy', from: '/a', path: '/z' },
      { op: 'add', path: '/a/b/e', value: 3 },
      { op: 'remove', path: '/z/b/c' },
    ];
    assert.deepEqual(jsonPatch({ a: {} }, patch), { a: { b: { c: 1, d: 2, e: 3 } }, z: { b: { d: 2 } } });
  });
});
