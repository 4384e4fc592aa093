import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kubernetes } from '../../../fixtures/dialects/kubernetes.ts';
import type { JsonObject } from '../../api/json.ts';
import { asApiObject } from '../../api/object.ts';
import { widgetDefinition, withSpec } from '../../testing/widgetFixture.ts';
import { definitionRules } from './strategy.ts';

const { strategy, defaults } = definitionRules({ dialect: kubernetes, release: 32, follow: 'service' });
const context = { user: { username: '', uid: '', groups: [], extra: {} }, now: 0, warn: () => {}, version: 'v1' };

function faults(definition: JsonObject): string[] {
  const object = asApiObject(structuredClone(definition));
  defaults?.v1?.(object);
  strategy?.prepareForCreate?.(object, context as never);
  return (strategy?.validate?.(object, context as never) ?? []).map(({ field, message }) => `${field}: ${message}`);
}
const ofSpec = (properties: JsonObject): string[] => faults(widgetDefinition(withSpec(properties)));
const AT = 'spec.validation.openAPIV3Schema.properties[spec]';

describe('a definition', () => {
  it('is complete with what it leaves out', () => {
    const object = asApiObject(widgetDefinition({ type: 'object' }));
    defaults?.v1?.(object);
    assert.deepEqual((object.spec as JsonObject).names, {
      plural: 'widgets',
      kind: 'Widget',
      singular: 'widget',
      listKind: 'WidgetList',
    });
    assert.deepEqual((object.spec as JsonObject).conversion, { strategy: 'None' });
    strategy?.prepareForCreate?.(object, context as never);
    assert.deepEqual((object.status as JsonObject).storedVersions, ['v1']);
    assert.deepEqual(strategy?.validate?.(object, context as never), []);
  });

  it('needs a name, a group and versions that fit', () => {
    const bad = widgetDefinition({ type: 'object' }, {}, { group: 'nodot', scope: 'Global' });
    assert.deepEqual(faults(bad), [
      'metadata.name: Invalid value: "widgets.example.com": must be spec.names.plural+"."+spec.group',
      'spec.group: Invalid value: "nodot": should be a domain with at least one dot',
      'spec.scope: Unsupported value: "Global": supported values: "Cluster", "Namespaced"',
    ]);
    const twice = widgetDefinition({ type: 'object' });
    const { versions } = twice.spec as { versions: JsonObject[] };
    versions.push({ ...(versions[0] as JsonObject) });
    assert.ok(faults(twice).some((fault) => fault.endsWith('must contain unique version names')));
    assert.ok(faults(twice).some((fault) => fault.endsWith('must have exactly one version marked as storage version')));
  });

  it('names faults in parts of its own for each version, and in shared ones once', () => {
    const version = (name: string, storage: boolean, schema: JsonObject) => ({
      name,
      served: true,
      storage,
      schema: { openAPIV3Schema: schema },
    });
    const [one, two] = [{ type: 'array', items: { type: 'string' } }, { type: 'object' }];
    const of = (...versions: JsonObject[]) => faults(widgetDefinition({}, {}, { versions }));
    const why = 'Invalid value: "array": must be object at the root';
    assert.deepEqual(of(version('v1', true, one), version('v2', false, one)), [
      `spec.validation.openAPIV3Schema.type: ${why}`,
    ]);
    assert.deepEqual(of(version('v1', true, two), version('v2', false, one)), [
      `spec.versions[1].schema.openAPIV3Schema.type: ${why}`,
    ]);
  });

  const structural: readonly [string, JsonObject, string[]][] = [
    ['types', { a: {} }, [`${AT}.properties[a].type: Required value: must not be empty for specified object fields`]],
    [
      'item types',
      { a: { type: 'array', items: {} } },
      [`${AT}.properties[a].items.type: Required value: must not be empty for specified array items`],
    ],
    [
      'combinators that describe',
      { a: { type: 'string', allOf: [{ type: 'string', nullable: true }] } },
      [
        `${AT}.properties[a].allOf[0].nullable: Forbidden: must be false to be structural`,
        `${AT}.properties[a].allOf[0].type: Forbidden: must be empty to be structural`,
      ],
    ],
    [
      'fields that only a combinator has',
      { a: { type: 'object', anyOf: [{ properties: { b: { minimum: 1 } } }] } },
      [
        `${AT}.properties[a].properties[b]: Required value: because it is defined in ${AT}.properties[a].anyOf[0].properties[b]`,
      ],
    ],
    [
      'unknown keywords',
      { a: { type: 'string', $ref: '#/x' } },
      [`${AT}.properties[a].$ref: Forbidden: $ref is not supported`],
    ],
    [
      'unique items',
      { a: { type: 'array', items: { type: 'string' }, uniqueItems: true } },
      [
        `${AT}.properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
      ],
    ],
    [
      'preserving told twice',
      { a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false } },
      [`${AT}.properties[a].x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`],
    ],
    [
      'defaults with fields of nobody',
      { a: { type: 'object', properties: { b: { type: 'string' } }, default: { c: 1 } } },
      [`${AT}.properties[a].default: Invalid value: {"c":1}: must not have unknown fields`],
    ],
    [
      'embedded objects without content',
      { a: { type: 'object', 'x-kubernetes-embedded-resource': true } },
      [
        `${AT}.properties[a].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
      ],
    ],
    [
      'nullable keys',
      {
        a: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: { type: 'object', required: ['k'], properties: { k: { type: 'string', nullable: true } } },
        },
      },
      [
        `${AT}.properties[a].items.properties[k].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable`,
      ],
    ],
  ];
  for (const [what, properties, wanted] of structural) {
    it(`is refused for ${what}`, () => assert.deepEqual(ofSpec(properties), wanted));
  }

  it('lets both ways of writing int-or-string pass', () => {
    const anyOf = [{ type: 'integer' }, { type: 'string' }];
    const marked = { 'x-kubernetes-int-or-string': true };
    assert.deepEqual(ofSpec({ a: { ...marked, anyOf }, b: { ...marked, allOf: [{ anyOf }, { pattern: 'x' }] } }), []);
  });

  it('holds rules to their texts, types and correlation', () => {
    const rules = (type: JsonObject, ...list: JsonObject[]) =>
      ofSpec({ a: { ...type, 'x-kubernetes-validations': list } }).map((fault) =>
        fault.replace(`${AT}.properties[a].`, ''),
      );
    const text = { type: 'string' };
    assert.deepEqual(rules(text, { rule: ' ' }), [
      'x-kubernetes-validations[0].rule: Required value: rule is not specified',
    ]);
    assert.deepEqual(rules(text, { rule: 'self ==\n"x"' }), [
      'x-kubernetes-validations[0].message: Required value: message must be specified if rule contains line breaks',
    ]);
    assert.deepEqual(rules(text, { rule: 'true', reason: 'Nope' }), [
      'x-kubernetes-validations[0].reason: Unsupported value: "Nope": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
    ]);
    assert.match(
      rules(text, { rule: 'self.size() > 1 && self < 3' })[0] ?? '',
      /found no matching overload for '_<_' applied to '\(string, int\)'/,
    );
    assert.match(rules(text, { rule: 'self' })[0] ?? '', /: cel expression must evaluate to a bool$/);
    assert.match(
      rules(text, { rule: 'true', messageExpression: '1' })[0] ?? '',
      /: messageExpression must evaluate to a string$/,
    );
    assert.match(
      rules(text, { rule: 'true', optionalOldSelf: true })[0] ?? '',
      /may not be set if oldSelf is not used in rule$/,
    );
    assert.match(
      rules({ type: 'object', properties: {} }, { rule: 'self.nope == 1' })[0] ?? '',
      /undefined field 'nope'/,
    );
    const items = { type: 'boolean', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] };
    assert.deepEqual(ofSpec({ a: { type: 'array', items } }), [
      `${AT}.properties[a].items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${AT}.properties[a]`,
    ]);
  });

  it('says how columns, scale and selectable fields are reached', () => {
    const more = {
      additionalPrinterColumns: [{ name: '', type: 'text', jsonPath: 'x' }],
      subresources: { scale: { specReplicasPath: '.status.x', statusReplicasPath: '' } },
      selectableFields: [{ jsonPath: '.metadata.name' }, { jsonPath: '.spec.a' }, { jsonPath: '.spec.a' }],
    };
    assert.deepEqual(faults(widgetDefinition(withSpec({ a: { type: 'string' } }), more)), [
      'spec.subresources.scale.specReplicasPath: Invalid value: ".status.x": should be a json path under .spec',
      'spec.subresources.scale.statusReplicasPath: Required value',
      'spec.additionalPrinterColumns[0].name: Required value',
      'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
      'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "x": must be a simple json path starting with .',
      'spec.selectableFields[0].jsonPath: Invalid value: ".metadata.name": is an invalid path: does not refer to a valid field',
      'spec.selectableFields[2].jsonPath: Duplicate value: ".spec.a"',
    ]);
  });

  it('beside a status subresource keeps conditions out of the root', () => {
    const schema = { type: 'object', properties: { status: { type: 'object' } }, minProperties: 1 };
    const [fault = ''] = faults(widgetDefinition(schema, { subresources: { status: {} } }));
    assert.match(
      fault,
      /only \[Description Type .*\] fields are allowed at the root of the schema if the status subresource is enabled$/,
    );
  });

  it('needs a webhook that can be reached', () => {
    const conversion = (webhook: JsonObject) =>
      faults(widgetDefinition({ type: 'object' }, {}, { conversion: { strategy: 'Webhook', webhook } }));
    assert.deepEqual(conversion({ clientConfig: { url: 'http://x' }, conversionReviewVersions: ['v9'] }), [
      'spec.conversion.webhookClientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
      'spec.conversion.conversionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, v1beta1',
    ]);
    assert.deepEqual(conversion({ clientConfig: { url: 'https://x/y' }, conversionReviewVersions: ['v1'] }), []);
  });
});
