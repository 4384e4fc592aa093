import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { yamlText } from './yaml.ts';

describe('yamlText', () => {
  it('quotes texts that read as numbers beyond a double', () => {
    assert.equal(yamlText({ data: { label: '61e77867', '1e999': 'plain' } }).includes("'61e77867'"), true);
    assert.equal(yamlText({ items: ['-.5E+400'] }), "items:\n  - '-.5E+400'\n");
  });
  it('leaves out undefined members, and writes plain texts bare', () => {
    assert.equal(yamlText({ a: undefined, b: 'text' }), 'b: text\n');
  });
});
