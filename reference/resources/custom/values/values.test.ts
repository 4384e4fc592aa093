import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { kubernetes } from '../../../../fixtures/dialects/kubernetes.ts';
import { hasFormat, isKnownFormat } from '../../../api/formats.ts';
import { equalJson, isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { readSchema } from '../schema/readSchema.ts';
import { Correlation } from './correlation.ts';
import { decodeCustom } from './decode.ts';
import { fillDefaults, hasItsDefaults } from './defaults.ts';
import { fieldErrorOf } from './fault.ts';
import { validateListKinds } from './listKinds.ts';
import { isPruned, prune } from './prune.ts';
import { validateValue } from './validateValue.ts';

const schemaOf = (schema: JsonObject) => readSchema(schema, kubernetes);
const faultsOf = (schema: JsonObject, value: Json, old?: Json): string[] => {
  const node = schemaOf(schema);
  const correlation = old === undefined ? undefined : new Correlation(node, value, old);
  return validateValue(node, value, 'x', correlation).faults.map((fault) => {
    const { field, message } = fieldErrorOf(fault, undefined);
    return `${field}: ${message}`;
  });
};

describe('values against a schema', () => {
  const rows: readonly [JsonObject, Json, string[]][] = [
    [{ type: 'integer', minimum: 3 }, 2, ['x: Invalid value: 2: x in body should be greater than or equal to 3']],
    [
      { type: 'integer', minimum: 3, exclusiveMinimum: true },
      3,
      ['x: Invalid value: 3: x in body should be greater than 3'],
    ],
    [{ type: 'number', maximum: 1.5 }, 2, ['x: Invalid value: 2: x in body should be less than or equal to 1.5']],
    [{ type: 'integer', multipleOf: 4 }, 6, ['x: Invalid value: 6: x in body should be a multiple of 4']],
    [
      { type: 'integer', format: 'int32' },
      2 ** 31,
      ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in x'],
    ],
    [{ type: 'integer' }, 2n ** 62n, []],
    [{ type: 'string', minLength: 2 }, '😀', ['x: Invalid value: "😀": x in body should be at least 2 chars long']],
    [{ type: 'string', maxLength: 1 }, 'ab', ['x: Too long: may not be more than 1 bytes']],
    [{ type: 'string', pattern: '^a+$' }, 'b', ['x: Invalid value: "b": x in body should match \'^a+$\'']],
    [
      { type: 'string', format: 'date-time' },
      'now',
      ['x: Invalid value: "now": x in body must be of type date-time: "now"'],
    ],
    [{ type: 'string', enum: ['a', 'b'] }, 'c', ['x: Unsupported value: "c": supported values: "a", "b"']],
    [{ type: 'string', nullable: true }, null, []],
    [{ type: 'string' }, null, ['x: Invalid value: "null": x in body must be of type string: "null"']],
    [
      { 'x-kubernetes-int-or-string': true },
      1.5,
      ['x: Invalid value: "number": x in body must be of type integer,string: "number"'],
    ],
    [{ type: 'object', required: ['a'] }, {}, ['x.a: Required value']],
    [{ type: 'object', minProperties: 1 }, {}, ['x: Invalid value: 0: x in body should have at least 1 properties']],
    [
      { type: 'object', properties: { a: { type: 'string' } }, not: { required: ['b'] } },
      { b: 1 },
      ['<nil>: Invalid value: "": "x" must not validate the schema (not)'],
    ],
    [
      { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      {},
      ['<nil>: Invalid value: "": "x" must validate at least one schema (anyOf)', 'x.a: Required value'],
    ],
    [
      { allOf: [{ minLength: 2 }, { pattern: 'b' }] },
      'a',
      [
        'x: Invalid value: "a": x in body should be at least 2 chars long',
        'x: Invalid value: "a": x in body should match \'b\'',
        '<nil>: Invalid value: "": "x" must validate all the schemas (allOf). None validated',
      ],
    ],
    [
      { type: 'object', additionalProperties: { type: 'integer' } },
      { 'a.b': 'c', __proto__x: 1 },
      ['x.a.b: Invalid value: "string": x.a.b in body must be of type integer: "string"'],
    ],
  ];
  for (const [schema, value, wanted] of rows) {
    it(`${JSON.stringify(schema)} judges ${typeof value === 'bigint' ? value : JSON.stringify(value)}`, () => {
      assert.deepEqual(faultsOf(schema, value), wanted);
    });
  }

  it('forgive what did not change, where its old state is known', () => {
    const item = { type: 'object', properties: { k: { type: 'string' }, v: { type: 'string', maxLength: 1 } } };
    const list = { type: 'array', items: item };
    const keyed = { ...list, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
    const old = [{ k: 'a', v: 'long' }];
    const now = [{ k: 'new' }, ...old];
    assert.deepEqual(faultsOf(keyed, now, old), []);
    assert.deepEqual(faultsOf(list, now, old), ['x[1].v: Too long: may not be more than 1 bytes']);
    assert.deepEqual(faultsOf(keyed, [{ k: 'a', v: 'other' }], old), [
      'x[0].v: Too long: may not be more than 1 bytes',
    ]);
  });

  it('agree with a model of types and bounds', () => {
    const schema = fc.letrec<{ node: JsonObject }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -3, max: 3 }) }),
        fc.record({ type: fc.constant('string'), maxLength: fc.integer({ min: 0, max: 3 }) }),
        fc.record({ type: fc.constant('array'), items: tie('node'), maxItems: fc.integer({ min: 0, max: 3 }) }),
        fc.record({
          type: fc.constant('object'),
          properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('node')),
          required: fc.subarray(['a', 'b']),
        }),
      ) as fc.Arbitrary<JsonObject>,
    })).node;
    const value = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(schema, value, (one, json) => {
        assert.equal(validateValue(schemaOf(one), json).valid, isValid(one, json));
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});

/** The model: what a schema means, without words. */
function isValid(schema: JsonObject, value: Json): boolean {
  switch (schema.type) {
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value) && value >= Number(schema.minimum) && value < 2 ** 63;
    case 'string':
      return typeof value === 'string' && [...value].length <= Number(schema.maxLength);
    case 'array':
      return (
        Array.isArray(value) &&
        value.length <= Number(schema.maxItems) &&
        value.every((item) => isValid(schema.items as JsonObject, item))
      );
    default: {
      if (!isObject(value)) return false;
      const properties = schema.properties as JsonObject;
      const required = schema.required as string[];
      return (
        required.every((name) => Object.hasOwn(value, name)) &&
        Object.keys(properties).every(
          (name) => !Object.hasOwn(value, name) || isValid(properties[name] as JsonObject, value[name] as Json),
        )
      );
    }
  }
}

describe('pruning', () => {
  const pruned = (schema: JsonObject, value: Json): { value: Json; gone: string[] } => {
    const gone: string[] = [];
    prune(value, schemaOf(schema), { root: true, gone });
    return { value, gone };
  };

  it('takes what the schema lacks, and keeps what makes an object', () => {
    const schema = { type: 'object', properties: { l: { type: 'array', items: { type: 'object' } } } };
    assert.deepEqual(pruned(schema, { kind: 'K', metadata: { x: 1 }, l: [{ a: 1 }], z: 1 }), {
      value: { kind: 'K', metadata: { x: 1 }, l: [{}] },
      gone: ['l[0].a', 'z'],
    });
  });
  it('stops where unknown fields are kept, and goes on where the schema does', () => {
    const inner = { type: 'object', properties: { b: { type: 'string' } } };
    const schema = {
      type: 'object',
      properties: { o: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: inner } } },
    };
    assert.deepEqual(pruned(schema, { o: { any: { x: [1] }, a: { b: 'y', c: 1 } } }).value, {
      o: { any: { x: [1] }, a: { b: 'y' } },
    });
  });
  it('is not led astray by names of the language', () => {
    const value = JSON.parse('{"__proto__":{"a":1},"constructor":1,"toString":2}') as Json;
    assert.deepEqual(pruned({ type: 'object', properties: {} }, value).gone.sort(), [
      '__proto__',
      'constructor',
      'toString',
    ]);
  });
  it('changes nothing the second time, and leaves a subset', () => {
    const schema = schemaOf({
      type: 'object',
      properties: { a: { type: 'object', additionalProperties: { type: 'array', items: { type: 'object' } } } },
    });
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'kind'), fc.jsonValue({ maxDepth: 3 })), (object) => {
        const once = structuredClone(object) as Json;
        prune(once, schema, { root: false });
        const twice = structuredClone(once);
        prune(twice, schema, { root: false });
        assert.ok(equalJson(once, twice));
        assert.deepEqual(
          Object.keys(once as JsonObject),
          Object.keys(object).filter((name) => name === 'a'),
        );
      }),
    );
  });
});

describe('defaults', () => {
  const filled = (schema: JsonObject, value: Json): Json => {
    fillDefaults(value, schemaOf(schema));
    return value;
  };
  const text = { type: 'string', default: 'd' };

  it('fill what is absent, at every depth, below defaults too', () => {
    const schema = {
      type: 'object',
      properties: {
        o: { type: 'object', default: {}, properties: { a: text } },
        l: { type: 'array', items: { type: 'object', properties: { a: text } } },
      },
    };
    assert.deepEqual(filled(schema, { l: [{}, { a: 'x' }] }), { o: { a: 'd' }, l: [{ a: 'd' }, { a: 'x' }] });
  });
  it('take the place of nulls that the schema forbids, and drop those without one', () => {
    const schema = {
      type: 'object',
      properties: {
        a: text,
        b: { ...text, nullable: true },
        c: { type: 'string' },
        m: { type: 'object', additionalProperties: text },
      },
    };
    assert.deepEqual(filled(schema, { a: null, b: null, c: null, m: { x: null } }), { a: 'd', b: null, m: { x: 'd' } });
  });
});

describe('sets and keyed lists', () => {
  const faults = (schema: JsonObject, value: Json): string[] =>
    validateListKinds(value, schemaOf(schema)).map(({ field, message }) => `${field} ${message}`);

  it('tell each repeated item once', () => {
    const set = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object' } };
    const value: Json = [{ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 1, b: 2 }, { a: 2 }];
    assert.deepEqual(faults(set, value), ['[1] Duplicate value: {"b":2,"a":1}']);
  });
  it('compare keys alone', () => {
    const keyed = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k', 'p'],
      items: { type: 'object' },
    };
    const value: Json = [
      { k: 1, p: 'x' },
      { k: 1, p: 'y' },
      { k: 1, p: 'x', v: 3 },
    ];
    assert.deepEqual(faults(keyed, value), ['[2] Duplicate value: {"k":1,"p":"x"}']);
  });
});

describe('formats', () => {
  const rows: readonly [string, string, string][] = [
    ['date', '2024-02-29', '2023-02-29'],
    ['date-time', '2024-02-29T23:59:59Z', '2024-02-29 25:00:00Z'],
    ['duration', '1h30m', 'soon'],
    ['ipv4', '10.0.0.1', '10.0.0.256'],
    ['ipv6', '::1', '10.0.0.1'],
    ['cidr', '10.0.0.0/8', '10.0.0.0/33'],
    ['mac', '00:1a:2b:3c:4d:5e', '00:1a'],
    ['uuid', '123e4567-e89b-12d3-a456-426614174000', '123e4567'],
    ['uuid4', '123e4567-e89b-42d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174000'],
    ['byte', 'YQ==', 'YQ='],
    ['email', 'a@example.com', 'a@@example.com'],
    ['hostname', 'a.example.com', '-a'],
    ['uri', 'https://example.com/a', 'a b'],
    ['isbn10', '0-306-40615-2', '0-306-40615-3'],
    ['isbn13', '978-3-16-148410-0', '978-3-16-148410-1'],
    ['creditcard', '4111 1111 1111 1111', '4111 1111 1111 1112'],
    ['ssn', '111-22-3333', '111-22-333'],
    ['hexcolor', '#fff', '#ffg'],
    ['rgbcolor', 'rgb(1, 2, 255)', 'rgb(1, 2, 256)'],
    ['bsonobjectid', '507f1f77bcf86cd799439011', '507f1f77'],
  ];
  for (const [format, good, bad] of rows) {
    it(`${format} tells ${good} from ${bad}`, () => {
      assert.ok(isKnownFormat(format));
      assert.equal(hasFormat(format, good), true);
      assert.equal(hasFormat(format, bad), false);
    });
  }
  it('that nobody knows are left aside', () => {
    assert.equal(isKnownFormat('constructor'), false);
    assert.equal(hasFormat('x-made-up', 'anything'), true);
  });
});

describe('an object of as much as fits into a body', () => {
  const objectWith = (spec: Json): JsonObject => ({ apiVersion: 'a/v1', kind: 'K', metadata: { name: 'o' }, spec });
  const read = (spec: Json, schema: JsonObject) =>
    decodeCustom(objectWith(spec), schemaOf({ type: 'object', properties: { spec: schema } }), 'K', 'v1');

  it('may have as many unknown fields', () => {
    const spec = Object.fromEntries(Array.from({ length: 250_000 }, (_, at) => [`k${at}`, 1]));
    const { object, unknown } = read(spec, { type: 'object', properties: { a: { type: 'string' } } });
    assert.deepEqual(object.spec, {});
    assert.equal(unknown.length, 250_000);
  });

  it('cannot take a large default for each of as many items', () => {
    const items = { type: 'object', properties: { a: { type: 'string', default: 'd'.repeat(100_000) } } };
    const filled = (count: number) =>
      read(
        Array.from({ length: count }, () => ({})),
        { type: 'array', items },
      );
    assert.equal(filled(100).unknown.length, 0);
    assert.throws(() => filled(1_000), { code: 413 });
  });
});

describe('a schema of many alternatives', () => {
  const anyOf = Array.from({ length: 1_000 }, (_, at) => ({ properties: { a: { enum: [`v${at}`] } } }));
  const items = { type: 'object', properties: { a: { type: 'string' } }, anyOf };
  const node = schemaOf({ type: 'array', items });
  const list = (count: number) => Array.from({ length: count }, () => ({ a: 'v999' }));

  it('is held to many items as far as that takes seconds, not hours', () => {
    assert.ok(validateValue(node, list(100), 'x').valid);
    assert.throws(() => validateValue(node, list(100_000), 'x'), { code: 413 });
  });

  it('may ask for fields that many items lack', () => {
    const required = Array.from({ length: 10_000 }, (_, at) => `f${at}`);
    const strict = schemaOf({ type: 'array', items: { type: 'object', required } });
    assert.equal(validateValue(strict, [{}], 'x').faults.length, 10_000);
    assert.throws(() => validateValue(strict, list(100_000), 'x'), { code: 413 });
  });
});

describe('what would leave a value as it is', () => {
  const names = fc.constantFrom('a', 'b', 'apiVersion', 'metadata');
  const leaf = fc.constantFrom<JsonObject>(
    { type: 'string' },
    { type: 'string', default: 'd' },
    { type: 'string', nullable: true },
    { type: 'string', nullable: true, default: 'd' },
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  );
  const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => {
    const flags = fc.constantFrom({}, {}, { nullable: true }, { 'x-kubernetes-preserve-unknown-fields': true });
    const properties = fc.dictionary(names, tie('schema'), { maxKeys: 3 });
    return {
      schema: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc
          .tuple(properties, flags)
          .map(([fields, flag]) => ({ type: 'object', properties: fields, ...flag }) as JsonObject),
        tie('schema').map((additionalProperties) => ({ type: 'object', additionalProperties }) as JsonObject),
        fc.tuple(tie('schema'), flags).map(([items, flag]) => ({ type: 'array', items, ...flag }) as JsonObject),
      ),
    };
  });
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Json>('x', null),
      fc.dictionary(names, tie('value'), { maxKeys: 3 }) as fc.Arbitrary<Json>,
      fc.array(tie('value'), { maxLength: 2 }) as fc.Arbitrary<Json>,
    ),
  }));
  const copyOf = (json: Json): Json => JSON.parse(JSON.stringify(json)) as Json;
  // Half of what is drawn was filled and pruned before, so that much is as it would be left.
  const drawn = fc.tuple(schema, value, fc.boolean(), fc.boolean());

  it('is told without a copy', () => {
    let left = 0;
    fc.assert(
      fc.property(drawn, ([text, json, before, root]) => {
        const node = schemaOf(text);
        const given = copyOf(json);
        if (before) {
          fillDefaults(given, node);
          prune(given, node, { root });
        }
        const [filled, pruned] = [copyOf(given), copyOf(given)];
        fillDefaults(filled, node);
        prune(pruned, node, { root });
        const isLeft = [equalJson(filled, given), equalJson(pruned, given)];
        if (isLeft.every(Boolean) && typeof given === 'object') left++;
        assert.deepEqual([hasItsDefaults(given, node), isPruned(given, node, { root })], isLeft);
      }),
      { numRuns: 3_000, seed: 1 },
    );
    assert.ok(left > 300, String(left));
  });
});
