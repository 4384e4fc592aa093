import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json, JsonObject } from '../../../api/json.ts';
import { columnsOf } from './columns.ts';
import { JsonPath } from './jsonPath.ts';

const object = {
  spec: { replicas: 3, 'a.b': 'dotted', list: [{ n: 1 }, { n: 2 }, { n: 3 }] },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Done', status: 'False' },
    ],
    when: '2024-12-31T23:59:00Z',
  },
};

describe('paths to the cells of columns', () => {
  const rows: readonly [string, Json[]][] = [
    ['.spec.replicas', [3]],
    ['.spec.none.deeper', []],
    [".spec['a.b']", ['dotted']],
    ['.spec.a\\.b', ['dotted']],
    ['.spec.list[0].n', [1]],
    ['.spec.list[-1].n', [3]],
    ['.spec.list[1:].n', [2, 3]],
    ['.spec.list[0:3:2].n', [1, 3]],
    ['.spec.list[*].n', [1, 2, 3]],
    ['.spec.list[?(@.n>1)].n', [2, 3]],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [".status.conditions[?(@.type == 'Done')].status", ['False']],
    ['..status', ['True', 'False']],
    ['{.spec.replicas}', [3]],
  ];
  for (const [path, wanted] of rows) {
    it(`${path} finds ${JSON.stringify(wanted)}`, () => {
      const found = new JsonPath(path).find(object);
      assert.deepEqual(path === '..status' ? found.slice(1) : found, wanted);
    });
  }
  for (const path of ['.spec[', '.spec.list[?(@.n', '.', 'a..', ".x['y"]) {
    it(`${path} is none`, () => assert.throws(() => new JsonPath(path), /unrecognized path/));
  }
});

describe('cells', () => {
  const cell = (type: string, jsonPath: string): unknown => {
    const column = columnsOf([{ name: 'C', type, format: '', description: '', priority: 0, jsonPath }])[1];
    return column?.cell(object as never, Date.UTC(2025, 0, 1));
  };
  it('are of the type of their column, or empty', () => {
    assert.equal(cell('integer', '.spec.replicas'), 3);
    assert.equal(cell('integer', '.status.when'), null);
    assert.equal(cell('string', '.spec.list[*].n'), '1 2 3');
    assert.equal(cell('string', '.status.conditions[0]'), '{"status":"True","type":"Ready"}');
    assert.equal(cell('boolean', '.spec.replicas'), null);
    assert.equal(cell('date', '.status.when'), '60s');
    assert.equal(cell('date', '.spec.replicas'), null);
    assert.equal(cell('string', '.spec['), null);
  });
  it('of types without columns are name and age', () => {
    assert.deepEqual(
      columnsOf([]).map(({ name, type }) => [name, type]),
      [
        ['Name', 'string'],
        ['Age', 'date'],
      ],
    );
    assert.equal((object as JsonObject).kind, undefined);
  });
});
