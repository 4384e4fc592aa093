import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { JsonObject } from '../../api/json.ts';
import { type PolicyFixture, policyFixture } from '../../testing/policyFixture.ts';
import type { Heard } from '../../testing/writingFixture.ts';

const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';
let fixture: PolicyFixture;

beforeEach(async () => {
  fixture = await policyFixture();
});
afterEach(() => fixture.stop());

function create(name: string, data: JsonObject = {}, metadata: JsonObject = {}): Promise<Heard> {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
  return fixture.send('POST', CONFIGMAPS, { body });
}
const fails = (more: JsonObject = {}): JsonObject => ({ expression: 'object.data.x == "good"', ...more });

describe('validating policies', () => {
  test('refuse what fails a rule, with its words, reason and code', async () => {
    await fixture.policy('p', { validations: [fails()] });
    assert.equal((await create('unbound', { x: 'bad' })).status, 201);
    await fixture.binding('p');
    assert.equal((await create('good', { x: 'good' })).status, 201);
    const words = `ValidatingAdmissionPolicy 'p' with binding 'p' denied request: failed expression: object.data.x == "good"`;
    assert.deepEqual((await create('bad', { x: 'bad' })).body, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `configmaps "bad" is forbidden: ${words}`,
      reason: 'Invalid',
      details: { name: 'bad', kind: 'configmaps', causes: [{ message: words }] },
      code: 422,
    });
    const reasons: [string, number][] = [
      ['Forbidden', 403],
      ['Unauthorized', 401],
      ['RequestEntityTooLarge', 413],
    ];
    for (const [reason, code] of reasons) {
      const name = reason.toLowerCase();
      await fixture.policy(name, {
        validations: [fails({ expression: `object.metadata.name != "${name}"`, reason, message: ' no ' })],
      });
      await fixture.binding(name);
      const { status, body } = await create(name, { x: 'good' });
      assert.equal(status, code);
      assert.equal(body.reason, reason);
      assert.match(String(body.message), /denied request: no$/);
    }
  });

  test('say it with a computed message where that is one line of text', async () => {
    const rows: [JsonObject, string][] = [
      [{ messageExpression: "'x is ' + object.data.x" }, 'x is bad'],
      [{ messageExpression: "object.data.none + ''", message: 'told' }, 'told'],
      [{ messageExpression: "'two\\nlines'" }, 'failed expression: object.data.x == "good"'],
      [{ messageExpression: "'  '", message: 'told' }, 'told'],
      [{ messageExpression: "'a'.size() > 0 ? object.data.x.substring(0, 2) : ''" }, 'ba'],
    ];
    for (const [index, [more, words]] of rows.entries()) {
      await fixture.policy(`m${index}`, {
        validations: [fails(more)],
        matchConditions: [{ name: 'own', expression: `object.metadata.name == "m${index}"` }],
      });
      await fixture.binding(`m${index}`);
      const { body } = await create(`m${index}`, { x: 'bad' });
      assert.equal(String(body.message).split('denied request: ')[1], words);
    }
  });

  test('define variables, each of which may use those before it and is worked out once and only when used', async () => {
    await fixture.policy('p', {
      variables: [
        { name: 'data', expression: 'has(object.data) ? object.data : {}' },
        { name: 'size', expression: 'size(variables.data)' },
        { name: 'broken', expression: 'object.data.missing' },
      ],
      validations: [
        { expression: 'variables.size < 2', messageExpression: 'string(variables.size) + " entries"' },
        { expression: 'variables.size < 3 || variables.broken == ""' },
      ],
    });
    await fixture.binding('p');
    assert.equal((await create('one', { a: '1' })).status, 201);
    assert.match(String((await create('two', { a: '1', b: '2' })).body.message), /: 2 entries$/);
    await fixture.policy('q', {
      variables: [{ name: 'v', expression: 'object.data.v' }],
      validations: [{ expression: 'variables.v == "x"' }],
    });
    await fixture.binding('q');
    assert.match(
      String((await create('none', { a: '1' })).body.message),
      /denied request: expression 'variables\.v == "x"' resulted in error: composited variable "v" fails to evaluate: no such key: v$/,
    );
  });

  test('warn and note in the audit log where the binding says so', async () => {
    await fixture.policy('p', {
      validations: [{ expression: 'true' }, fails({ message: 'no' })],
      auditAnnotations: [
        { key: 'x', valueExpression: '"x: " + object.data.x' },
        { key: 'none', valueExpression: 'null' },
      ],
    });
    await fixture.binding('p', { validationActions: ['Warn', 'Audit'] });
    const { status, warnings } = await create('bad', { x: 'bad' });
    assert.equal(status, 201);
    assert.deepEqual(warnings, ["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': no"]);
    assert.equal(fixture.audit.get('p/x'), 'x: bad');
    assert.equal(fixture.audit.has('p/none'), false);
    assert.deepEqual(JSON.parse(fixture.audit.get('validation.policy.admission.k8s.io/validation_failure') ?? ''), [
      { message: 'no', policy: 'p', binding: 'p', expressionIndex: 1, validationActions: ['Warn', 'Audit'] },
    ]);
    assert.equal((await create('lacks', {})).status, 422);
  });

  test('let what cannot be judged pass, or not, by their failure policy', async () => {
    const rules = [{ expression: 'object.data.none == ""' }];
    await fixture.policy('lax', { validations: rules, failurePolicy: 'Ignore' });
    await fixture.binding('lax');
    assert.equal((await create('one', { a: '1' })).status, 201);
    await fixture.policy('strict', { validations: rules });
    await fixture.binding('strict');
    assert.equal(
      String((await create('two', { a: '1' })).body.message),
      `configmaps "two" is forbidden: ValidatingAdmissionPolicy 'strict' with binding 'strict' denied request: expression 'object.data.none == ""' resulted in error: no such key: none`,
    );
  });

  test('know the request, its namespace, the old object and an authorizer', async () => {
    await fixture.policy('p', {
      validations: [
        { expression: "request.operation != 'UPDATE' || object.data.x == oldObject.data.x", message: 'x stays' },
        { expression: "request.operation != 'DELETE' || object == null", message: 'object' },
        { expression: "namespaceObject.metadata.name == 'default' && namespaceObject.status.phase == 'Active'" },
        { expression: "authorizer.requestResource.check('get').allowed()" },
        { expression: "request.userInfo.username == 'admin' && !request.dryRun" },
      ],
    });
    await fixture.binding('p');
    assert.equal((await create('a', { x: '1' })).status, 201);
    const patch = { headers: { 'content-type': 'application/merge-patch+json' }, body: { data: { x: '2' } } };
    assert.match(String((await fixture.send('PATCH', `${CONFIGMAPS}/a`, patch)).body.message), /: x stays$/);
    assert.match(
      String((await fixture.send('DELETE', `${CONFIGMAPS}/a?dryRun=All`)).body.message),
      /failed expression: request\.userInfo/,
    );
    assert.equal((await fixture.send('DELETE', `${CONFIGMAPS}/a`)).status, 200);
  });

  test('concern what their constraints and bindings select, less what they exclude', async () => {
    const rules = [
      {
        apiGroups: [''],
        apiVersions: ['v1'],
        operations: ['CREATE'],
        resources: ['configmaps'],
        resourceNames: ['a', 'b'],
      },
    ];
    const excluded = [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'], resourceNames: ['b'] },
    ];
    await fixture.policy('p', {
      matchConstraints: { resourceRules: rules, excludeResourceRules: excluded },
      validations: [{ expression: 'false' }],
    });
    await fixture.binding('p', { matchResources: { objectSelector: { matchLabels: { app: 'x' } } } });
    const labels = { labels: { app: 'x' } };
    assert.equal((await create('a')).status, 201);
    assert.equal((await create('b', {}, labels)).status, 201);
    assert.equal((await create('c', {}, labels)).status, 201);
    await fixture.send('DELETE', `${CONFIGMAPS}/a`);
    assert.equal((await create('a', {}, labels)).status, 422);
  });

  test('cover requests through equivalent resources, shown as the rule names them', async () => {
    const rules = [
      { apiGroups: ['autoscaling'], apiVersions: ['v1'], operations: ['*'], resources: ['horizontalpodautoscalers'] },
    ];
    const validations = [
      {
        expression: "object.apiVersion == 'none'",
        messageExpression: "object.apiVersion + ' ' + request.kind.version + ' ' + request.requestKind.version",
      },
    ];
    await fixture.policy('p', { matchConstraints: { resourceRules: rules }, validations });
    await fixture.binding('p');
    const body = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, maxReplicas: 5 },
    };
    const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
    assert.match(String((await fixture.send('POST', path, { body })).body.message), /: autoscaling\/v1 v1 v2$/);
  });

  test('never concern policies themselves', async () => {
    await fixture.policy('p', {
      matchConstraints: {
        resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
      },
      validations: [{ expression: 'false' }],
    });
    await fixture.binding('p');
    await fixture.policy('q', { validations: [fails()] });
    assert.equal((await create('a')).status, 422);
  });

  test('stop where all rules together cost too much', async () => {
    const heavy = '[1,2,3,4,5,6,7,8,9,10]';
    const nest = (depth: number): string => (depth === 0 ? 'true' : `${heavy}.all(v${depth}, ${nest(depth - 1)})`);
    await fixture.policy('p', { validations: [{ expression: nest(6) }] });
    await fixture.binding('p');
    assert.match(
      String((await create('a')).body.message),
      /resulted in error: operation cancelled: actual cost limit exceeded$/,
    );
  });
});

describe('parameters of policies', () => {
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const limited = {
    paramKind,
    validations: [{ expression: 'params == null || size(object.data) <= int(params.data.most)' }],
  };
  const own = { matchConditions: [{ name: 'own', expression: "!request.name.startsWith('limit')" }] };

  test('are named by the binding, in its namespace or that of the request', async () => {
    await create('limit', { most: '1' });
    await fixture.policy('p', { ...limited, ...own });
    await fixture.binding('p', { paramRef: { name: 'limit', parameterNotFoundAction: 'Deny' } });
    assert.equal((await create('one', { a: '1' })).status, 201);
    assert.equal((await create('two', { a: '1', b: '2' })).status, 422);
    await fixture.send('DELETE', `${CONFIGMAPS}/limit`);
    assert.match(
      String((await create('two', {})).body.message),
      /denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction$/,
    );
  });

  test('may be missing where the binding allows it, and may be many', async () => {
    await fixture.policy('p', { ...limited, ...own });
    const selector = { matchLabels: { kind: 'limit' } };
    await fixture.binding('p', { paramRef: { selector, parameterNotFoundAction: 'Allow' } });
    assert.equal((await create('a', { a: '1', b: '2' })).status, 201);
    await create('limit1', { most: '5' }, { labels: { kind: 'limit' } });
    assert.equal((await create('b', { a: '1', b: '2' })).status, 201);
    await create('limit2', { most: '1' }, { labels: { kind: 'limit' } });
    assert.equal((await create('c', { a: '1', b: '2' })).status, 422);
  });

  test('are null where the binding has none, and a fault where their kind is not served', async () => {
    await fixture.policy('p', limited);
    await fixture.binding('p');
    assert.equal((await create('a', { a: '1', b: '2' })).status, 201);
    await fixture.policy('q', {
      paramKind: { apiVersion: 'x.example/v1', kind: 'Limit' },
      validations: [{ expression: 'true' }],
    });
    await fixture.binding('q');
    assert.match(
      String((await create('b')).body.message),
      /ValidatingAdmissionPolicy 'q' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'x\.example\/v1, Kind=Limit'$/,
    );
  });
});
