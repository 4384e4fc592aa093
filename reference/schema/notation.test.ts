import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ModuleText, TypeLibrary } from './notation.ts';
import type { ListSchema, ObjectSchema } from './schema.ts';

const text = `
Thing kind atomic
  first 2 string! required
  second 1 []Part map(name,port) merge(name) retainKeys in=4,1
  x-{vendor}-mark 3 {}string atomic since=33
  mode 4 string default="Auto"
  self 5 Thing*
  other 6 far.v2.Place atomic
  never 7 Part?
Part
  name 1 string
`;
let made = 0;
const sources = new Map<string, ModuleText>([
  ['near.v1', text],
  [
    'far.v2',
    () => {
      made++;
      return '\nPlace\n  name - string\n';
    },
  ],
]);
const library = (release: number) => new TypeLibrary(sources, { release, vendor: 'acme' });
const thing = library(33).type('near.v1.Thing');

test('a heading says what the type is', () => {
  assert.equal(thing.mapType, 'atomic');
  assert.equal(thing.name, 'near.v1.Thing');
  assert.deepEqual([...thing.fields.keys()].slice(0, 3), ['kind', 'apiVersion', 'first']);
});

test('a line says everything about a field', () => {
  const second = thing.fields.get('second');
  assert.equal(second?.number, 1);
  assert.deepEqual(second?.within, [4, 1]);
  assert.deepEqual(second?.patch, { strategies: ['merge', 'retainKeys'], mergeKey: 'name' });
  const list = second?.schema as ListSchema;
  assert.equal(list.listType, 'map');
  assert.deepEqual(list.keys, ['name', 'port']);
  assert.equal((list.items as ObjectSchema).name, 'near.v1.Part');
  assert.equal(thing.fields.get('first')?.presence, 'always');
  assert.equal(thing.fields.get('first')?.required, true);
  assert.equal(thing.fields.get('mode')?.schema.default, 'Auto');
});

test('names follow the vendor, releases leave out what came later', () => {
  assert.equal(thing.fields.get('x-acme-mark')?.since, 33);
  assert.equal(library(32).type('near.v1.Thing').fields.has('x-acme-mark'), false);
  assert.throws(() => library(33).type('near.v1.Nothing'), /no type near\.v1\.Nothing/);
});

test('a module is put together when its first type is asked for, once', () => {
  const own = library(33);
  const before = made;
  own.type('near.v1.Part');
  assert.equal(made, before);
  own.type('far.v2.Place');
  own.type('far.v2.Place');
  assert.equal(made, before + 1);
});

test('types may contain themselves and types of other modules', () => {
  const schemaOf = (name: string): ObjectSchema => thing.fields.get(name)?.schema as ObjectSchema;
  assert.equal(schemaOf('self').fields, thing.fields);
  const other = schemaOf('other');
  assert.equal(other.mapType, 'atomic');
  assert.equal(other.fields.get('name')?.number, undefined);
  const never = thing.fields.get('never');
  assert.equal(never?.presence, 'always');
  assert.equal(never?.schema.nullable, true);
});
