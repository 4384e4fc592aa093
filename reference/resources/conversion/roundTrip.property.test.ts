import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { kubernetes } from '../../../fixtures/dialects/kubernetes.ts';
import type { Json, JsonObject } from '../../api/json.ts';
import { type ApiObject, asApiObject, asJson } from '../../api/object.ts';
import type { TypeVersion } from '../../contracts/resourceType.ts';
import { decodeTyped } from '../../schema/decode.ts';
import { anyObject } from '../../testing/anyObject.ts';
import { BuiltinMaker } from '../builtin.ts';
import { readBuiltinTypes } from '../typeLines.ts';

/*
 * Every version of every built-in type: what is written in it comes back from the version in which it is kept, and the
 * other way round (3/api-lifetime-rules, rule 4b).
 */

type Fixed = Readonly<Record<string, fc.Arbitrary<Json>>>;
const word = fc.stringMatching(/^[a-z]{1,6}$/);
const quantity = fc.constantFrom('1', '250m');
const named = (name: string, member: fc.Arbitrary<JsonObject>) =>
  member.map((one): JsonObject => ({ type: name, [lower(name)]: one }));
const lower = (name: string) => `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
const described = fc.record({ kind: word, name: word });
const share = fc.nat(100).map((averageUtilization) => ({ type: 'Utilization', averageUtilization }));
const average = quantity.map((averageValue) => ({ type: 'AverageValue', averageValue }));
const plain = quantity.map((value) => ({ type: 'Value', value }));
const metric = fc.record(
  { name: word, selector: fc.constant({ matchLabels: { a: 'b' } }) },
  { requiredKeys: ['name'] },
);

/** Metrics as validation takes them: what is measured and one way of saying how much of it. */
const newMetrics = fc.array(
  fc.oneof(
    named('Resource', fc.record({ name: word, target: fc.oneof(share, average) })),
    named('ContainerResource', fc.record({ name: word, container: word, target: fc.oneof(share, average) })),
    named('Pods', fc.record({ metric, target: average })),
    named('Object', fc.record({ describedObject: described, metric, target: fc.oneof(plain, average) })),
    named('External', fc.record({ metric, target: fc.oneof(plain, average) })),
  ),
  { maxLength: 3 },
);
const selector = fc.constantFrom<JsonObject>({}, { matchLabels: { a: 'b' } });
const oldMetrics = fc.array(
  fc.oneof(
    named('Resource', fc.record({ name: word, targetAverageUtilization: fc.nat(100) })),
    named('Resource', fc.record({ name: word, targetAverageValue: quantity })),
    named('Pods', fc.record({ metricName: word, targetAverageValue: quantity, selector })),
    named('Object', fc.record({ target: described, metricName: word, targetValue: quantity })),
    named('External', fc.record({ metricName: word, metricSelector: selector, targetValue: quantity })),
    named('External', fc.record({ metricName: word, targetAverageValue: quantity })),
  ),
  { maxLength: 3 },
);

const NO_STATUS = fc.constant({} as JsonObject);
const definitionVersions = fc.uniqueArray(word, { minLength: 1, maxLength: 2 }).chain((names) =>
  fc.tuple(
    ...names.map((name, index) =>
      fc.record(
        {
          name: fc.constant(name),
          served: fc.boolean(),
          storage: fc.constant(index === 0),
          schema: fc.constantFrom<JsonObject>(
            { openAPIV3Schema: { type: 'object' } },
            { openAPIV3Schema: { type: 'object', description: 'd' } },
          ),
          subresources: fc.constantFrom<JsonObject>({ status: {} }),
          additionalPrinterColumns: fc.constant([{ name: 'x', type: 'string', jsonPath: '.x' }] as JsonObject[]),
        },
        { requiredKeys: ['name', 'served', 'storage'] },
      ),
    ),
  ),
) as fc.Arbitrary<Json>;

/** Content of fields that are not free, by `kind` and `version kind`. */
const FIXED: Readonly<Record<string, Fixed>> = {
  'v2 HorizontalPodAutoscaler': { metrics: newMetrics, status: NO_STATUS },
  'v2beta2 HorizontalPodAutoscaler': { metrics: newMetrics, status: NO_STATUS },
  'v2beta1 HorizontalPodAutoscaler': { metrics: oldMetrics, status: NO_STATUS },
  'v1 HorizontalPodAutoscaler': { status: NO_STATUS },
  'v1 CustomResourceDefinition': { versions: definitionVersions, preserveUnknownFields: fc.constant(false) },
  'v1beta1 CustomResourceDefinition': {
    versions: fc.constant([{ name: 'v1', served: true, storage: true }] as JsonObject[]),
    version: fc.constant('v1'),
    validation: fc.constant({ openAPIV3Schema: { type: 'object' } } as JsonObject),
    preserveUnknownFields: fc.boolean(),
  },
  // A service is told by a port that has a number or a name, and a backend by one of its ways.
  'v1 Ingress': {
    status: NO_STATUS,
    port: fc.oneof(
      word.map((name) => ({ name })),
      fc.nat(99).map((n) => ({ number: n + 1 })),
    ),
  },
  'v1beta1 Ingress': { serviceName: word, servicePort: fc.oneof(word, fc.integer({ min: 1, max: 99 })) },
  // A zone is written by its key, in older versions.
  'v1 EndpointSlice': { deprecatedTopology: fc.constant({ mine: 'x' }) },
  'v1alpha1 LeaseCandidate': { preferredStrategies: word.map((one) => [one]) },
  'v1alpha3 ResourceSlice': { capacity: fc.constant({ a: '1' } as JsonObject) },
  'v1 ResourceSlice': { capacity: fc.constant({ a: { value: '1' } } as JsonObject) },
  // What subjects are called differs in ways that only some values have.
  'v1alpha1 ClusterRoleBinding': { subjects: fc.constant([{ kind: 'ServiceAccount', name: 'a', apiVersion: 'v1' }]) },
  'v1alpha1 RoleBinding': { subjects: fc.constant([{ kind: 'ServiceAccount', name: 'a', apiVersion: 'v1' }]) },
  // Shares of none are filled before an older version is converted.
  'v1beta3 PriorityLevelConfiguration': { nominalConcurrencyShares: fc.integer({ min: 1, max: 99 }) },
  'v1beta2 PriorityLevelConfiguration': { assuredConcurrencyShares: fc.integer({ min: 1, max: 99 }) },
  'v1beta1 PriorityLevelConfiguration': { assuredConcurrencyShares: fc.integer({ min: 1, max: 99 }) },
  'v1alpha1 PriorityLevelConfiguration': { assuredConcurrencyShares: fc.integer({ min: 1, max: 99 }) },
  // A condition has a time of its last update in the older version only.
  'v1beta1 StorageVersionMigration': { status: NO_STATUS },
  'v1beta1 DaemonSet': { templateGeneration: fc.integer({ min: 1, max: 9 }) },
};
/** Versions that hold less than the one in which objects are kept: only what they can say comes back. */
const NARROWER = new Set([
  'v1alpha1 LeaseCandidate',
  'v1alpha3 ResourceSlice',
  'v1beta1 StorageVersionMigration',
  'v1alpha1 ClusterRoleBinding',
  'v1alpha1 RoleBinding',
]);

const GENERATION = 'deprecated.daemonset.template.generation';
const RUNS = { numRuns: 25, seed: 7 };
const maker = new BuiltinMaker({ dialect: kubernetes, release: 36, follow: 'spec' });

/** An object as it is after it was read: without fields that are absent, with those that always stand. */
function decoded(version: TypeVersion, json: JsonObject, apiVersion: string, kind: string): ApiObject {
  const { object } = decodeTyped(version.schema, json, { typeMeta: { apiVersion, kind } });
  return asApiObject({ ...object, metadata: json.metadata ?? { name: 'a' } });
}

describe('conversions there and back', () => {
  for (const row of readBuiltinTypes(kubernetes)) {
    const type = maker.unserved(row.group, row.resource);
    const kept = type?.versions.get(row.version);
    assert.ok(type && kept);
    for (const version of type.versions.values()) {
      const { toStorage, fromStorage } = version;
      if (!toStorage || !fromStorage) continue;
      const key = `${version.version} ${row.kind}`;
      const apiVersion = `${row.group}/${version.version}`;

      it(`writes ${apiVersion} ${row.kind} and reads the same`, () => {
        fc.assert(
          fc.property(anyObject(version.schema, FIXED[key] ?? {}), (given) => {
            const object = decoded(version, { metadata: { name: 'a' }, ...given }, apiVersion, row.kind);
            const back = decoded(version, asJson(fromStorage(toStorage(object))), apiVersion, row.kind);
            assert.deepEqual(back, object);
          }),
          RUNS,
        );
      });

      if (NARROWER.has(key) || row.kind === 'Event') continue;
      it(`reads what is kept as ${apiVersion} ${row.kind} and loses nothing`, () => {
        const { schema } = kept;
        // A stored DaemonSet always counts its templates.
        const metadata: JsonObject =
          row.kind === 'DaemonSet' ? { name: 'a', annotations: { [GENERATION]: '1' } } : { name: 'a' };
        fc.assert(
          fc.property(anyObject(schema, FIXED[`${row.version} ${row.kind}`] ?? {}), (given) => {
            const object = decoded(kept, { metadata, ...given }, 'kept', row.kind);
            const shown = fromStorage(object);
            const back = decoded(kept, asJson(toStorage(shown)), 'kept', row.kind);
            assert.deepEqual(back, object);
          }),
          RUNS,
        );
      });
    }
  }
});
