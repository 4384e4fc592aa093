import assert from 'node:assert/strict';
import { test } from 'node:test';
import { equalJson, type Json, MAX_DEPTH } from '../api/json.ts';
import { readCbor } from './cborRead.ts';
import { encodeCbor } from './cborWrite.ts';
import { readJson } from './json.ts';
import { indentJson, stringify } from './jsonText.ts';
import { readYaml } from './yaml.ts';
import { yamlText } from './yamlText.ts';

/** So many containers inside containers, around a number. */
function nested(depth: number, kind: 'lists' | 'maps' | 'both'): Json {
  let value: Json = 1;
  for (let i = 0; i < depth; i++) value = kind === 'lists' || (kind === 'both' && i % 2 === 0) ? [value] : { k: value };
  return value;
}

const ENCODINGS: Readonly<Record<string, { read: (text: Uint8Array) => Json; write: (value: Json) => Uint8Array }>> = {
  JSON: {
    read: (bytes) => readJson(Buffer.from(bytes).toString()).value,
    write: (value) => Buffer.from(stringify(value)),
  },
  'indented JSON': {
    read: (bytes) => readJson(Buffer.from(bytes).toString()).value,
    write: (value) => Buffer.from(indentJson(stringify(value))),
  },
  YAML: {
    read: (bytes) => readYaml(Buffer.from(bytes).toString()).value,
    write: (value) => Buffer.from(yamlText(value)),
  },
  'YAML in one line': {
    read: (bytes) => readYaml(Buffer.from(bytes).toString()).value,
    write: (value) => Buffer.from(stringify(value)),
  },
  CBOR: { read: (bytes) => readCbor(bytes, undefined).value, write: (value) => encodeCbor(value, undefined) },
};

for (const [name, { read, write }] of Object.entries(ENCODINGS)) {
  for (const kind of ['lists', 'maps', 'both'] as const) {
    test(`${name} takes and writes ${kind} as deep as any encoding may be, and refuses one level more`, () => {
      const value = nested(MAX_DEPTH, kind);
      assert.ok(equalJson(read(write(value)), value));
      assert.throws(() => read(write(nested(MAX_DEPTH + 1, kind))), /exceeded max/);
    });
  }
}

test('aliases of YAML go no deeper', () => {
  const list = `${'['.repeat(600)}1${']'.repeat(600)}`;
  assert.throws(() => readYaml(`a: &a ${list}\nb: ${list.replace('1', '*a')}\n`), /exceeded max depth/);
});

test('of members that stand twice a bounded number is told', () => {
  const text = `{${Array.from({ length: 5_000 }, (_, i) => `"k${i}":1,"k${i}":2`).join()}}`;
  assert.equal(readJson(text).duplicates.length, 100);
  assert.equal(readYaml(text).duplicates.length, 100);
});
