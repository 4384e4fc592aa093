import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isObject, type JsonObject } from '../../reference/api/json.ts';
import { inProcessRequest } from '../../reference/transport/inProcess.ts';
import { touchstone } from '../testing/command.ts';
import { type Served, serveForTests } from '../testing/serveForTests.ts';

const GROUP = '/apis/rbac.authorization.k8s.io/v1';

describe('doctor, asked whether somebody can do something', () => {
  let server: Served;
  const ask = (...words: string[]) => touchstone(['doctor', '--target', server.base, '--insecure', ...words]);
  const create = async (target: string, body: JsonObject) => {
    const headers = { 'content-type': 'application/json' };
    const request = inProcessRequest({ method: 'POST', target, headers, body: JSON.stringify(body) });
    const reply = await server.reference.handler(request);
    assert.ok(reply.code === 201 && isObject(body), `${target} answered ${reply.code}`);
  };

  before(async () => {
    server = await serveForTests({ open: true, flags: ['--authorization-mode=RBAC,AlwaysAllow'] });
    await create(`${GROUP}/clusterroles`, {
      metadata: { name: 'scaler' },
      rules: [{ verbs: ['update'], apiGroups: ['apps'], resources: ['deployments/scale'] }],
    });
    await create(`${GROUP}/clusterrolebindings`, {
      metadata: { name: 'scalers' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'scaler' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'ops' }],
    });
  });
  after(() => server.stop());

  it('names the binding and the rule that say yes', async () => {
    const { code, out, errors } = await ask(
      ...[
        '--as',
        'jane',
        '--group',
        'ops',
        'can',
        'update',
        'deploy.apps',
        'web',
        '-n',
        'team',
        '--subresource',
        'scale',
      ],
    );
    assert.equal(code, 0, errors);
    assert.match(out, /^jane can update deployments\.apps\/scale "web" in namespace team$/m);
    assert.match(out, /server +allowed; RBAC: allowed by ClusterRoleBinding "scalers"/);
    assert.match(
      out,
      /roles +ClusterRoleBinding scalers gives ClusterRole scaler to Group ops\n +rule 1: verbs \["update"\]/,
    );
  });

  it('tells of a yes that no role gives', async () => {
    const { code, out } = await ask('--as', 'jane', 'can', 'get', '/metrics');
    assert.equal(code, 0);
    assert.match(out, /no role allows it; another authorizer of the server says yes/);
  });

  it('answers of the built-in reference with what each authorizer said', async () => {
    const { code, out, errors } = await touchstone(['doctor', '--as', 'jane', 'can', 'get', 'pods', '-n', 'team']);
    assert.equal(code, 1, errors);
    assert.match(out, /^jane cannot get pods in namespace team$/m);
    assert.match(out, /near +rule 1 of ClusterRole cluster-admin/);
    assert.match(out, /How the server decided\n +masters +noOpinion[\s\S]* rbac +noOpinion/);
  });

  it('refuses questions that are none, each in one sentence', async () => {
    for (const [words, said] of [
      [['--as', 'jane', 'may', 'get', 'pods'], /what is "may"/],
      [['can', 'get', 'pods'], /Say it with --as/],
      [['--as', 'jane', 'can', 'get'], /Ask as in/],
      [['--as', 'jane', 'can', 'get', '/a', 'b'], /last word/],
      [['--as', 'jane'], /--as belongs to a question/],
      [['--as', 'jane', 'can', 'get', 'nonsense'], /serves no nonsense/],
      [['--as', 'jane', '-n', 'a', 'can', 'get', '/a'], /neither a namespace/],
    ] as const) {
      const { code, errors } = await ask(...words);
      assert.equal(code, 64, words.join(' '));
      assert.match(errors, said);
    }
  });
});
