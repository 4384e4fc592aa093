import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kubernetes } from '../../../fixtures/dialects/kubernetes.ts';
import { asJson } from '../../api/object.ts';
import { wrap } from '../../codecs/protobufEnvelope.ts';
import { encodeMessage } from '../../codecs/protobufWrite.ts';
import { ResourceRegistry } from '../../contracts/resourceRegistry.ts';
import { builtinTypes } from '../../resources/builtin.ts';
import type { ObjectSchema } from '../../schema/schema.ts';
import { sample } from '../../testing/storeContract/steps.ts';
import { storedBytes } from '../storedForm.ts';
import { readKept } from './keptForms.ts';

const registry = new ResourceRegistry();
for (const type of builtinTypes({ dialect: kubernetes, follow: 'spec', release: 32 })) registry.set(type);
const schemaOf = (apiVersion: string, kind: string) => registry.schemaOf(apiVersion, kind);

describe('objects as they are kept in etcd', () => {
  it('are read from JSON', () => {
    assert.deepEqual(readKept(storedBytes(sample('a')), schemaOf), sample('a'));
  });
  it('are read from the Protobuf of the real service', () => {
    const map = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'default', uid: 'u', labels: { b: 'c' } },
      data: { key: 'value' },
    };
    const bytes = wrap('v1', 'ConfigMap', encodeMessage(schemaOf('v1', 'ConfigMap') as ObjectSchema, asJson(map)));
    const read = readKept(bytes, schemaOf);
    assert.deepEqual([read.apiVersion, read.kind, read.data], ['v1', 'ConfigMap', { key: 'value' }]);
    const { name, namespace, uid, labels } = read.metadata;
    assert.deepEqual({ name, namespace, uid, labels }, map.metadata);
  });
  it('say what is wrong where they cannot be read', () => {
    const unknown = wrap('v1', 'RangeAllocation', new Uint8Array());
    assert.throws(() => readKept(unknown, schemaOf), /no kind "RangeAllocation" is registered for version "v1"/);
    assert.throws(() => readKept(Buffer.from('\0'), schemaOf), Error);
    assert.throws(() => readKept(wrap('v1', 'ConfigMap', Buffer.from([0x0a, 0xff])), schemaOf), Error);
  });
});
