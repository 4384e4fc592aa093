import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { equalJson, type Json } from '../api/json.ts';
import { readYaml, readYamlInParts, YamlSyntaxError } from './yaml.ts';
import { yamlText } from './yamlText.ts';

test('every value comes back from its YAML', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 120 }).map((one) => one.replace(/\r|\ufeff|[\ud800-\udfff]/g, '')),
    fc.constantFrom(
      'y',
      'no',
      '012',
      '1:30',
      '~',
      '',
      ' ',
      '- a',
      'a: b',
      'a #b',
      '?',
      '2001-01-01',
      'x\n',
      '\n\n',
      "'",
    ),
  );
  const leaf = fc.oneof(
    text,
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.bigInt({ min: 2n ** 60n, max: 2n ** 62n }),
  );
  const value = fc.letrec<{ any: Json }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      leaf as fc.Arbitrary<Json>,
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(text, tie('any'), { maxKeys: 4 }) as fc.Arbitrary<Json>,
    ),
  })).any;
  fc.assert(
    fc.property(value, (member) => {
      // Bodies are objects: how far in a text at the root begins, readers of YAML read in two ways.
      const one = { member };
      const written = yamlText(one);
      assert.ok(equalJson(readYaml(written).value, one), written);
    }),
    { numRuns: 500 },
  );
});

test('bare words are read by the rules of YAML 1.1', () => {
  const { value } = readYaml(
    'a: y\nb: Off\nc: 010\nd: 0x1F\ne: 1_000\nf: 2020-01-01\ng: "y"\nh: ~\ni: 9223372036854775807\nj: 1e3',
  );
  assert.deepEqual(value, {
    a: true,
    b: false,
    c: 8,
    d: 31,
    e: 1000,
    f: '2020-01-01',
    g: 'y',
    h: null,
    i: 9223372036854775807n,
    j: 1000,
  });
});

test('keys that stand twice are seen with their line, and the last counts', () => {
  const { value, duplicates } = readYaml('data:\n  k: one\n  j: x\n  k: two\n1: a\n1: b\n');
  assert.deepEqual(value, { '1': 'b', data: { j: 'x', k: 'two' } });
  assert.deepEqual(duplicates, ['line 4: key "k" already set in map', 'line 6: key 1 already set in map']);
});

test('aliases are copied in, merge keys give way to own keys, and only the first document counts', () => {
  const { value, duplicates } = readYaml('a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\ne: *x\n---\nz: 1\n');
  assert.deepEqual(value, { a: { b: 1, c: 2 }, d: { b: 1, c: 3 }, e: { b: 1, c: 2 } });
  assert.notEqual((value as { a: Json }).a, (value as { e: Json }).e);
  assert.deepEqual(duplicates, []);
});

test('attacks are refused: aliases that explode, nesting without end, tags and numbers that do not fit', () => {
  let bomb = 'a0: &a0 [x, x]\n';
  for (let i = 1; i < 40; i++) bomb += `a${i}: &a${i} [*a${i - 1}, *a${i - 1}]\n`;
  assert.throws(() => readYaml(bomb), { message: 'yaml: document contains excessive aliasing' });
  const long = `a: &a "${'x'.repeat(100_000)}"\nb: [${'*a, '.repeat(1_000)}*a]\n`;
  assert.throws(() => readYaml(long), { message: 'yaml: document contains excessive aliasing' });
  const names = `a: &a {${'x'.repeat(1_000)}: 1}\nb: [${'*a, '.repeat(10_000)}*a]\n`;
  assert.throws(() => readYaml(names), { message: 'yaml: document contains excessive aliasing' });
  for (const text of ['['.repeat(20_000), 'a: !!int x', 'a: .inf', 'a: *nobody', '{[1]: 2}', 'a: [b\n']) {
    assert.throws(() => readYaml(text), YamlSyntaxError, text.slice(0, 20));
  }
});

test('text is written plain where that reads back, quoted where not, and folded behind column 80', () => {
  assert.equal(
    yamlText({ b: 'y', a: ['1', 'two\nlines\n', 'a: b', "it's"], m: {}, l: [], '.': null }),
    '.: null\na:\n- "1"\n- |\n  two\n  lines\n- \'a: b\'\n- it\'s\nb: "y"\nl: []\nm: {}\n',
  );
  // Bare, it would stand for the members of another map.
  assert.equal(yamlText({ '<<': ['<<'] }), '"<<":\n- "<<"\n');
  const folded = yamlText({ message: `${'word '.repeat(20)}end` });
  assert.equal(folded, `message: ${'word '.repeat(14)}word\n  ${'word '.repeat(5)}end\n`);
});

test('JSON is read as the YAML that it is', () => {
  const name = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('__proto__', '1', '10', '2', 'constructor'));
  const leaf = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom('yes', '012', 'a: b', '- a', ' ', '\t', '/', 1e21, 1e-7, -0, 2 ** 53),
  );
  const value = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(name, tie('any'), { maxKeys: 5 }),
    ),
  })).any;
  const shown = (read: Json) =>
    JSON.stringify(read, (_, each) => (typeof each === 'bigint' ? `${each}n` : Object.is(each, -0) ? '-0' : each));
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 5 }), fc.constantFrom(undefined, 1, '\t'), (members, indent) => {
      const text = JSON.stringify(members, null, indent);
      // With a comment behind it, it is no JSON.
      assert.equal(shown(readYaml(text).value), shown(readYaml(`${text}\n# YAML`).value), text);
    }),
    { numRuns: 2000 },
  );
});

test('a name that stands twice is told of JSON, too', () => {
  const { value, duplicates } = readYaml('{"b":1,"a":1,\n"b":2}');
  assert.deepEqual(value, { a: 1, b: 2 });
  assert.deepEqual(duplicates, ['line 2: key "b" already set in map']);
});

test('a long text is read with turns for others, to what is read in one go', () => {
  const names = Array.from({ length: 40_000 }, (_, at) => `k${(at * 7) % 40_000}`);
  const yaml = `b:\n- x: 1\n  a: [1, {d: 1, c: 2}]\na:\n${names.map((name) => `  ${name}: v\n`).join('')}`;
  const json = JSON.stringify({
    b: [{ x: 1, a: [1, { d: 1, c: 2 }] }],
    a: Object.fromEntries(names.map((k) => [k, 'v'])),
  });
  const expected = JSON.stringify({
    a: Object.fromEntries([...names].sort().map((name) => [name, 'v'])),
    b: [{ a: [1, { c: 2, d: 1 }], x: 1 }],
  });
  for (const text of [yaml, json]) {
    const work = readYamlInParts(text);
    let turns = 0;
    let step = work.next();
    for (; !step.done; step = work.next()) turns++;
    assert.equal(JSON.stringify(step.value.value), expected);
    assert.ok(turns > 2);
    assert.equal(JSON.stringify(readYaml(text).value), expected);
  }
});
