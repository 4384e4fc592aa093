import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  difference,
  equalSets,
  type FieldSet,
  has,
  intersection,
  isEmpty,
  leaves,
  NO_FIELDS,
  paths,
  recursiveDifference,
  setOf,
  sizeOf,
  union,
  unionAll,
} from './fieldSet.ts';
import { decodeFields, encodeFields } from './fieldsV1.ts';
import { describePath, keyElement, type PathElement, readElement, sortSteps, valueElement } from './pathElement.ts';

const element: fc.Arbitrary<PathElement> = fc.oneof(
  fc.constantFrom('f:a', 'f:b', 'f:c', 'f:__proto__', 'f:constructor', 'f:'),
  fc.constantFrom('x', 'y').map((name) => keyElement([['name', name]])),
  fc.integer({ min: 0, max: 20 }).map((value) => valueElement(value)),
);
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const set: fc.Arbitrary<FieldSet> = fc.array(path, { maxLength: 12 }).map((list) => setOf(...list));

const texts = (of: FieldSet) => new Set([...paths(of)].map((one) => JSON.stringify(one)));
const sameTexts = (of: FieldSet, expected: Iterable<string>) =>
  assert.deepEqual([...texts(of)].sort(), [...expected].sort());

describe('sets of fields', () => {
  it('do as sets of paths do', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const left = texts(a);
        const right = texts(b);
        sameTexts(union(a, b), new Set([...left, ...right]));
        sameTexts(
          intersection(a, b),
          [...left].filter((one) => right.has(one)),
        );
        sameTexts(
          difference(a, b),
          [...left].filter((one) => !right.has(one)),
        );
        assert.equal(sizeOf(a), left.size);
        assert.ok(equalSets(unionAll([a, b, a]), union(b, a)));
      }),
    );
  });

  it('lose what is below a field too when the difference is recursive', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const right = [...paths(b)];
        const expected = [...paths(a)].filter(
          (one) => !right.some((above) => above.every((step, index) => step === one[index])),
        );
        sameTexts(
          recursiveDifference(a, b),
          expected.map((one) => JSON.stringify(one)),
        );
      }),
    );
  });

  it('are given back as they are where nothing changes', () => {
    fc.assert(
      fc.property(set, (a) => {
        assert.equal(union(a, NO_FIELDS), a);
        assert.equal(union(a, a), a);
        assert.equal(difference(a, NO_FIELDS), a);
        assert.equal(difference(a, setOf(['f:elsewhere', 'f:x'])), a);
        assert.ok(isEmpty(difference(a, a)));
      }),
    );
  });

  it('keep only fields without others below as leaves', () => {
    const fields = setOf(['f:a'], ['f:a', 'f:b'], ['f:c']);
    sameTexts(leaves(fields), ['["f:a","f:b"]', '["f:c"]']);
    assert.ok(has(fields, ['f:a']));
    assert.ok(!has(fields, ['f:a', 'f:z']));
    assert.ok(!has(fields, []));
  });

  it('list the fields of a level before those below it', () => {
    const fields = setOf(['f:b', 'f:x'], ['f:c'], ['f:a'], ['f:b']);
    assert.deepEqual([...paths(fields)].map(describePath), ['.a', '.b', '.c', '.b.x']);
  });
});

describe('fieldsV1', () => {
  it('reads back what was written, byte by byte', () => {
    fc.assert(
      fc.property(set, (fields) => {
        const json = JSON.stringify(encodeFields(fields));
        const read = decodeFields(JSON.parse(json));
        assert.ok(equalSets(read, fields));
        assert.equal(JSON.stringify(encodeFields(read)), json);
      }),
    );
  });

  it('writes equal sets alike, whatever order they were made in', () => {
    fc.assert(
      fc.property(fc.array(path, { maxLength: 10 }), (list) => {
        const forth = JSON.stringify(encodeFields(setOf(...list)));
        assert.equal(JSON.stringify(encodeFields(setOf(...list.reverse()))), forth);
      }),
    );
  });

  it('puts the dot first, then fields, keys and values in their order', () => {
    const fields = setOf(
      ['f:l'],
      ['f:l', valueElement(10)],
      ['f:l', valueElement(9)],
      ['f:l', keyElement([['n', 'b']])],
      ['f:l', 'f:z'],
      ['f:l', 'f:a'],
    );
    assert.equal(
      JSON.stringify(encodeFields(fields)),
      '{"f:l":{".":{},"f:a":{},"f:z":{},"k:{\\"n\\":\\"b\\"}":{},"v:9":{},"v:10":{}}}',
    );
  });

  it('makes other spellings of one set the same', () => {
    const odd = { 'f:l': { 'k:{ "p": 80, "n":"a" }': { '.': {} }, 'i:+03': {}, 'v:"x"': null } };
    assert.deepEqual(encodeFields(decodeFields(odd as never)), {
      'f:l': { 'k:{"n":"a","p":80}': {}, 'v:"x"': {}, 'i:3': {} },
    });
  });

  it('passes over steps of a kind that it does not know, and refuses what is no step', () => {
    assert.deepEqual(encodeFields(decodeFields({ 'f:a': {}, 'q:new': { 'f:b': {} } })), { 'f:a': {} });
    for (const broken of ['nonsense', 'x', 'k:[]', 'k:{', 'v:', 'i:x']) {
      assert.throws(() => decodeFields({ [broken]: {} }), `${broken} was read`);
    }
    assert.throws(() => decodeFields({ 'f:a': 'x' }));
    assert.throws(() => decodeFields([]));
    assert.ok(isEmpty(decodeFields(undefined)));
  });

  it('keeps the digits of large numbers', () => {
    const big = 'v:9007199254740993';
    assert.equal(readElement(big), big);
    assert.deepEqual(encodeFields(decodeFields({ 'f:s': { [big]: {} } })), { 'f:s': { [big]: {} } });
  });
});

describe('path steps', () => {
  it('are told to people as conflicts tell them', () => {
    const key = keyElement([
      ['protocol', 'TCP'],
      ['port', 80],
    ]);
    assert.equal(describePath(['f:spec', 'f:ports', key, 'f:name']), '.spec.ports[port=80,protocol="TCP"].name');
    assert.equal(describePath(['f:tags', valueElement('a'), 'i:3']), '.tags[="a"][3]');
  });

  it('sort numbers by size and names by bytes', () => {
    const sorted = (...elements: string[]) => sortSteps(elements.map((one) => [one] as const)).map(([one]) => one);
    assert.deepEqual(sorted('v:10', 'v:"1"', 'v:9', 'v:true', 'v:-1.5'), ['v:-1.5', 'v:9', 'v:10', 'v:"1"', 'v:true']);
    assert.deepEqual(sorted('f:\ue000', 'f:\u{1f600}', 'f:a'), ['f:a', 'f:\ue000', 'f:\u{1f600}']);
    assert.deepEqual(sorted('k:{"a":1,"b":2}', 'k:{"a":1}', 'k:{"a":1,"b":1}'), [
      'k:{"a":1}',
      'k:{"a":1,"b":1}',
      'k:{"a":1,"b":2}',
    ]);
  });
});
