import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { builtinTypes } from '../resources/builtin.ts';
import { shapeOf, shapeOfAnswer } from './shape.ts';

test('an object that is in the version of its endpoint already is not brought into it again', () => {
  let converting = 0;
  for (const release of [16, 20, 32, 36]) {
    for (const type of builtinTypes({ dialect: kubernetes, follow: 'service', release })) {
      for (const version of type.versions.values()) {
        if (version.fromStorage) converting++;
        const endpoint = { type, version, subresource: undefined };
        const { apiVersion, kind } = shapeOf(endpoint);
        const object = { apiVersion, kind, metadata: { name: 'demo' } };
        const shape = shapeOfAnswer(endpoint, object);
        assert.equal(shape.convert(object), object, `${apiVersion} ${kind}`);
        assert.equal(shape.schema, version.schema, `${apiVersion} ${kind}`);
      }
    }
  }
  assert.ok(converting > 10);
});
