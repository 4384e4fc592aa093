import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { isObject, type JsonObject } from '../../api/json.ts';
import { objectsOf } from '../../api/parts.ts';
import { type PolicyFixture, policyFixture } from '../../testing/policyFixture.ts';

let fixture: PolicyFixture;
beforeEach(async () => {
  fixture = await policyFixture();
});
afterEach(() => fixture.stop());

const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const BINDINGS = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';

/** The faults of a policy: `path: words`, shortened to what tells them. */
async function faults(spec: JsonObject): Promise<string[]> {
  return told((await fixture.sendPolicy('p', spec)).body);
}
async function bindingFaults(spec: JsonObject): Promise<string[]> {
  const body = {
    kind: 'ValidatingAdmissionPolicyBinding',
    apiVersion: 'admissionregistration.k8s.io/v1',
    metadata: { name: 'b' },
    spec,
  };
  return told((await fixture.send('POST', BINDINGS, { body })).body);
}
function told(body: JsonObject): string[] {
  assert.equal(body.code, 422, JSON.stringify(body));
  return objectsOf(isObject(body.details) ? body.details.causes : []).map(
    ({ field, message }) => `${field}: ${message}`,
  );
}
const OK = [{ expression: 'true' }];

describe('policies', () => {
  test('must say what they are about and what they hold requests to', async () => {
    assert.deepEqual(await faults({ matchConstraints: {}, validations: [] }), [
      'spec.matchConstraints.resourceRules: Required value',
      'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
      'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
    ]);
    assert.deepEqual(await faults({ failurePolicy: 'Maybe', validations: OK }), [
      'spec.failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"',
    ]);
    assert.deepEqual(await faults({ paramKind: { apiVersion: 'a/b/c', kind: '9' }, validations: OK }), [
      'spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      "spec.paramKind.kind: Invalid value: \"9\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    ]);
  });

  test('must compile, each expression to its type and with the variables that are there', async () => {
    const rows: [JsonObject, string][] = [
      [
        { validations: [{ expression: 'object.' }] },
        'spec.validations[0].expression: Invalid value: "object.": compilation failed: ERROR: <input>:1:8: Syntax error: ',
      ],
      [
        { validations: [{ expression: '1' }] },
        'spec.validations[0].expression: Invalid value: "1": must evaluate to bool but got int',
      ],
      [
        { validations: [{ expression: 'object.x' }] },
        'spec.validations[0].expression: Invalid value: "object.x": must evaluate to bool but got dyn',
      ],
      [{ validations: [{ expression: 'params == null' }] }, "undeclared reference to 'params' (in container '')"],
      [{ validations: [{ expression: 'variables.x == 1' }] }, "undefined field 'x'"],
      [{ validations: [{ expression: 'namespaceObject.spec.x == 1' }] }, "undefined field 'x'"],
      [
        { validations: [{ expression: 'true', messageExpression: '1' }] },
        'spec.validations[0].messageExpression: Invalid value: "1": must evaluate to string but got int',
      ],
      [
        { validations: [{ expression: 'true', messageExpression: 'string(authorizer)' }] },
        "undeclared reference to 'authorizer' (in container '')",
      ],
      [
        { validations: [{ expression: 'true', message: ' ' }] },
        'spec.validations[0].message: Invalid value: " ": message must be non-empty if specified',
      ],
      [
        { validations: [{ expression: 'true', reason: 'No' }] },
        'spec.validations[0].reason: Unsupported value: "No": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge", "Unauthorized"',
      ],
      [
        { variables: [{ name: 'if', expression: '1' }], validations: OK },
        'spec.variables[0].name: Invalid value: "if": name is not a valid CEL identifier',
      ],
      [
        {
          variables: [
            { name: 'a', expression: 'variables.b' },
            { name: 'b', expression: '1' },
          ],
          validations: OK,
        },
        'spec.variables[0].expression: Invalid value: "variables.b": compilation failed: ERROR: <input>:1:10: undefined field \'b\'',
      ],
      [
        { auditAnnotations: [{ key: 'k', valueExpression: '1' }] },
        'spec.auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
      ],
      [
        { auditAnnotations: [{ key: 'a/b', valueExpression: "''" }] },
        'spec.auditAnnotations[0].key: Invalid value: "p/a/b": a valid label key must consist of',
      ],
      [
        { matchConditions: [{ name: 'c', expression: 'params == null' }], validations: OK },
        "spec.matchConditions[0].expression: Invalid value: \"params == null\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')",
      ],
    ];
    for (const [spec, words] of rows) {
      const found = await faults(spec);
      assert.ok(
        found.some((one) => one.includes(words)),
        `${JSON.stringify(found)} has not ${words}`,
      );
    }
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    await fixture.policy('fine', {
      paramKind,
      matchConditions: [{ name: 'c', expression: 'params == null' }],
      validations: OK,
    });
  });

  test('are held against the types that they are about, which their status tells', async () => {
    await fixture.policy('typed', {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['apps'],
            apiVersions: ['v1'],
            operations: ['*'],
            resources: ['deployments', 'replicasets', 'deployments/scale'],
          },
        ],
      },
      variables: [{ name: 'wanted', expression: 'object.spec.replicas' }],
      validations: [
        { expression: "(variables.wanted > 1 && object.metadata.labels['app'] != '') == true" },
        { expression: '(object.spec.paused) == true', messageExpression: "'x' + object.kind" },
        { expression: '(object.spec.replicas > "1") == true' },
      ],
    });
    const { body } = await fixture.send('GET', `${POLICIES}/typed`);
    assert.deepEqual((body.status as JsonObject).observedGeneration, 1);
    assert.deepEqual((body.status as JsonObject).typeChecking, {
      expressionWarnings: [
        {
          fieldRef: 'spec.validations[1].expression',
          warning:
            "apps/v1, Kind=ReplicaSet: ERROR: <input>:1:13: undefined field 'paused'\n | (object.spec.paused) == true\n | ............^\n",
        },
        {
          fieldRef: 'spec.validations[2].expression',
          warning: ['Deployment', 'ReplicaSet']
            .map(
              (kind) =>
                `apps/v1, Kind=${kind}: ERROR: <input>:1:23: found no matching overload for '_>_' applied to '(int, string)'\n | (object.spec.replicas > "1") == true\n | ......................^\n`,
            )
            .join('\n'),
        },
      ],
    });
  });
});

describe('bindings', () => {
  test('must name a policy, its parameters and what comes of failing it', async () => {
    assert.deepEqual(await bindingFaults({ validationActions: ['Deny', 'Warn', 'Deny', 'Cry'] }), [
      'spec.policyName: Required value',
      'spec.validationActions[2]: Duplicate value: "Deny"',
      'spec.validationActions[3]: Unsupported value: "Cry": supported values: "Audit", "Deny", "Warn"',
      'spec.validationActions: Invalid value: ["Deny","Warn","Deny","Cry"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
    ]);
    const paramRef = { name: 'a', selector: {} };
    assert.deepEqual(await bindingFaults({ policyName: 'p', paramRef, validationActions: ['Deny'] }), [
      'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
      'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
      'spec.paramRef.parameterNotFoundAction: Required value',
    ]);
  });
});
