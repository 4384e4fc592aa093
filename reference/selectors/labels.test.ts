import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type LabelRequirement, labelRequirementsForAuthorizer } from './labelRequirement.ts';
import { parseLabelSelector, SelectorSyntaxError } from './labels.ts';

const read = (text: string) => parseLabelSelector(text).requirements;
const failure = (text: string) => {
  try {
    parseLabelSelector(text);
  } catch (error) {
    assert.ok(error instanceof SelectorSyntaxError);
    return error.message;
  }
  return assert.fail(`${text} was read`);
};

describe('label selectors: reading', () => {
  const rows: [string, LabelRequirement[]][] = [
    ['', []],
    ['  ', []],
    ['a', [{ key: 'a', operator: 'Exists', values: [] }]],
    ['!a', [{ key: 'a', operator: 'DoesNotExist', values: [] }]],
    ['a=b', [{ key: 'a', operator: 'In', values: ['b'] }]],
    ['a == b', [{ key: 'a', operator: 'In', values: ['b'] }]],
    ['a!=b', [{ key: 'a', operator: 'NotIn', values: ['b'] }]],
    ['a=', [{ key: 'a', operator: 'In', values: [''] }]],
    ['a=in', [{ key: 'a', operator: 'In', values: ['in'] }]],
    ['in in (in,notin)', [{ key: 'in', operator: 'In', values: ['in', 'notin'] }]],
    ['a in(c,b)', [{ key: 'a', operator: 'In', values: ['b', 'c'] }]],
    ['a in (b,b)', [{ key: 'a', operator: 'In', values: ['b'] }]],
    ['a in ()', [{ key: 'a', operator: 'In', values: [''] }]],
    ['a in (,b)', [{ key: 'a', operator: 'In', values: ['', 'b'] }]],
    ['a in (b,)', [{ key: 'a', operator: 'In', values: ['', 'b'] }]],
    ['a in (b,,c)', [{ key: 'a', operator: 'In', values: ['', 'b', 'c'] }]],
    ['a notin (b)', [{ key: 'a', operator: 'NotIn', values: ['b'] }]],
    [
      'z,a<5,example.com/k',
      [
        { key: 'a', operator: 'Lt', values: ['5'] },
        { key: 'example.com/k', operator: 'Exists', values: [] },
        { key: 'z', operator: 'Exists', values: [] },
      ],
    ],
  ];
  for (const [text, requirements] of rows) {
    it(JSON.stringify(text), () => assert.deepEqual(read(text), requirements));
  }
});

describe('label selectors: what is no selector', () => {
  const rows: [string, string | RegExp][] = [
    ['a===b', "unable to parse requirement: found '=', expected: identifier"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a!', "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['=a', "found '=', expected: !, identifier, or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['a,,b', "found ',', expected: identifier after ','"],
    ['a in', "unable to parse requirement: found '' expected: '('"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (b c)', "unable to parse requirement: found 'c', expected: ',' or ')'"],
    ['a in (b,', "unable to parse requirement: found '', expected: ',', or identifier"],
    ['a in (b)c', "found 'c', expected: ',' or 'end of string'"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['constructor __proto__ x', /found '__proto__', expected: in, notin/],
    ['-a=b', /^unable to parse requirement: <nil>: Invalid value: "-a": name part must consist of/],
    ['a=b?', /^unable to parse requirement: values\[0\]\[a\]: Invalid value: "b\?": a valid label must be/],
    ['a in (b,c?)', /^unable to parse requirement: values\[1\]\[a\]: Invalid value: "c\?": a valid label must be/],
    [
      'a>x',
      "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
    // A negative number is an integer, but no label value.
    ['a>-1', /^unable to parse requirement: values\[0\]\[a\]: Invalid value: "-1": a valid label/],
    [`a=${'x'.repeat(64)}`, /must be no more than 63 bytes$/],
  ];
  for (const [text, message] of rows) {
    it(text.slice(0, 30), () => {
      if (typeof message === 'string') assert.equal(failure(text), message);
      else assert.match(failure(text), message);
    });
  }
});

describe('label selectors: matching', () => {
  const rows: [string, Record<string, string> | undefined, boolean][] = [
    ['', undefined, true],
    ['a', { a: '' }, true],
    ['a', {}, false],
    ['!a', undefined, true],
    ['a=b', { a: 'b' }, true],
    ['a=b', { a: 'c' }, false],
    ['a!=b', {}, true],
    ['a notin (b)', { a: 'b' }, false],
    ['a in (b,c),d', { a: 'c', d: '1' }, true],
    ['a in (b,c),d', { a: 'c' }, false],
    ['n>5', { n: '12' }, true],
    ['n>5', { n: '5' }, false],
    ['n<5', { n: 'few' }, false],
    ['n<5', {}, false],
    ['a,!a', { a: 'b' }, false],
    ['toString', {}, false],
    ['!constructor', {}, true],
  ];
  for (const [text, labels, expected] of rows) {
    it(`${JSON.stringify(text)} on ${JSON.stringify(labels)}`, () =>
      assert.equal(parseLabelSelector(text).matches(labels), expected));
  }
  it('never does anything but read or refuse', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab=!,()<> in notin\0'), maxLength: 20 }), (text) => {
        try {
          const selector = parseLabelSelector(text);
          for (const { operator, values } of selector.requirements) {
            const unary = operator === 'Exists' || operator === 'DoesNotExist';
            assert.equal(values.length === 0, unary);
          }
        } catch (error) {
          assert.ok(error instanceof SelectorSyntaxError);
        }
      }),
    );
  });
  it('is seen by authorizers without its numeric comparisons', () => {
    assert.deepEqual(labelRequirementsForAuthorizer(parseLabelSelector('a=b,c!=d,!e,f,g>1')), [
      { key: 'a', operator: 'In', values: ['b'] },
      { key: 'c', operator: 'NotIn', values: ['d'] },
      { key: 'e', operator: 'DoesNotExist', values: [] },
      { key: 'f', operator: 'Exists', values: [] },
    ]);
  });
});

describe('label selectors: many requirements', () => {
  const terms = ['a', '!a', 'a=x', 'a!=x', 'a in (x,y)', 'a notin (y,z)', 'a>3', 'a<5'].flatMap((term) =>
    ['a', 'b', 'c', 'd'].map((key) => term.replace('a', key)),
  );
  const term = fc.constantFrom(...terms);
  const labels = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'e'), fc.constantFrom('x', 'y', 'z', '4'));

  it('are held to an object as each of them is', () => {
    fc.assert(
      fc.property(fc.array(term, { minLength: 1, maxLength: 4 }), labels, (some, object) => {
        // Repetition adds nothing, and makes few requirements many.
        const many = Array.from({ length: 8 }, () => some).flat();
        assert.equal(
          parseLabelSelector(many.join()).matches(object),
          some.every((one) => parseLabelSelector(one).matches(object)),
        );
      }),
    );
  });

  it('with many values select as with few', () => {
    const values = Array.from({ length: 40 }, (_, at) => `v${at}`).join();
    assert.ok(parseLabelSelector(`a in (${values})`).matches({ a: 'v39' }));
    assert.ok(!parseLabelSelector(`a notin (${values})`).matches({ a: 'v39' }));
    assert.ok(parseLabelSelector(`a notin (${values})`).matches({ a: 'v40' }));
  });
});
