import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/json.ts';
import { workloadFixture } from '../../testing/typeRulesFixture.ts';

const slices = workloadFixture('endpointslices');
const errors = (hints: JsonObject) =>
  slices.create({ addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'], hints }] }).errors;
const LABEL =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const named = (...names: string[]) => names.map((name) => ({ name }));
const many = Array.from({ length: 9 }, (_, index) => `z${index}`);
const rows: readonly [what: string, hints: JsonObject, faults: readonly string[]][] = [
  ['each once', { forZones: named('a', 'b'), forNodes: named('a', 'b') }, []],
  ['a zone twice', { forZones: named('a', 'a') }, ['endpoints[0].hints.forZones[1].name: Duplicate value: "a"']],
  [
    'a zone that is no label',
    { forZones: named('A_') },
    [`endpoints[0].hints.forZones[0].name: Invalid value: "A_": ${LABEL}`],
  ],
  [
    'too many zones',
    { forZones: named(...many) },
    ['endpoints[0].hints.forZones: Too many: 9: must have at most 8 items'],
  ],
  [
    'a node that is no name',
    { forNodes: named('A') },
    [`endpoints[0].hints.forNodes[0].name: Invalid value: "A": ${SUBDOMAIN}`],
  ],
];
for (const [what, hints, faults] of rows) {
  test(`hints of an endpoint: ${what}`, () => assert.deepEqual(errors(hints), faults));
}
