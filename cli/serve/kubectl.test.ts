import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Served, serveForTests } from '../testing/serveForTests.ts';

const missing = spawnSync('kubectl', ['version', '--client']).error ? 'kubectl is not on this machine' : false;
let served: Served;

before(async () => {
  if (!missing) served = await serveForTests();
});
after(() => served?.stop());

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

function kubectl(words: readonly string[], input = '', environment: Record<string, string> = {}): Promise<Ran> {
  const cache = join(dirname(served.kubeconfig), 'cache');
  const child = spawn('kubectl', ['--kubeconfig', served.kubeconfig, '--cache-dir', cache, ...words], {
    env: { ...process.env, ...environment },
  });
  let out = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdin.end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, errors })));
}

async function succeeds(
  words: readonly string[],
  input = '',
  environment: Record<string, string> = {},
): Promise<string> {
  const { code, out, errors } = await kubectl(words, input, environment);
  assert.equal(code, 0, `kubectl ${words.join(' ')}: ${errors}`);
  return out;
}

const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: applied\ndata:\n  k: v\n';
const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "img:1"}]}
`;

test('kubectl gets, also wide, as YAML and by label', { skip: missing }, async () => {
  assert.match(await succeeds(['get', 'namespaces']), /NAME\s+STATUS\s+AGE[\s\S]*kube-system\s+Active/);
  assert.match(await succeeds(['get', 'serviceaccounts', '-A', '-o', 'wide']), /NAMESPACE\s+NAME/);
  assert.match(await succeeds(['get', 'ns', 'default', '-o', 'yaml']), /kind: Namespace/);
});

test('kubectl creates, labels, describes, edits and deletes', { skip: missing }, async () => {
  await succeeds(['create', 'configmap', 'made', '--from-literal=a=1']);
  await succeeds(['label', 'configmap', 'made', 'tier=front']);
  assert.match(await succeeds(['get', 'cm', '-l', 'tier=front', '-o', 'name']), /^configmap\/made$/m);
  assert.match(await succeeds(['describe', 'configmap', 'made']), /Labels:\s+tier=front/);
  const editor = join(dirname(served.kubeconfig), 'editor.sh');
  writeFileSync(editor, '#!/bin/sh\nsed -i "s/a: \\"1\\"/a: \\"2\\"/" "$1"\n', { mode: 0o755 });
  await succeeds(['edit', 'configmap', 'made'], '', { KUBE_EDITOR: editor });
  assert.equal(await succeeds(['get', 'cm', 'made', '-o', 'jsonpath={.data.a}']), '2');
  assert.match(await succeeds(['delete', 'configmap', 'made']), /deleted/);
  assert.match((await kubectl(['get', 'cm', 'made'])).errors, /NotFound/);
});

test('kubectl applies on either side, and meets a conflict', { skip: missing }, async () => {
  await succeeds(['apply', '-f', '-'], CONFIG_MAP);
  await succeeds(['apply', '--server-side', '--force-conflicts', '--field-manager=one', '-f', '-'], CONFIG_MAP);
  const other = CONFIG_MAP.replace('k: v', 'k: w');
  const refused = await kubectl(['apply', '--server-side', '--field-manager=two', '-f', '-'], other);
  assert.notEqual(refused.code, 0);
  assert.match(refused.errors, /conflict/i);
  await succeeds(['apply', '--server-side', '--field-manager=two', '--force-conflicts', '-f', '-'], other);
  assert.equal(await succeeds(['get', 'cm', 'applied', '-o', 'jsonpath={.data.k}']), 'w');
});

test('kubectl scales and shows a deployment', { skip: missing }, async () => {
  await succeeds(['apply', '-f', '-'], DEPLOYMENT);
  await succeeds(['scale', 'deployment', 'web', '--replicas=3']);
  assert.match(await succeeds(['get', 'deployments', '-o', 'wide']), /web\s+0\/3[\s\S]*img:1/);
});

test('kubectl watches', { skip: missing }, async () => {
  const watching = succeeds(['get', 'configmaps', '-w', '--request-timeout=4s', '-o', 'name']);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await succeeds(['create', 'configmap', 'seen']);
  assert.match(await watching.catch((error: Error) => error.message), /configmap\/seen/);
});

test('kubectl asks what it may do, what there is, and what fields mean', { skip: missing }, async () => {
  assert.match(await succeeds(['auth', 'can-i', 'create', 'pods']), /^yes/);
  const plain = await kubectl(['--context', 'jane', 'auth', 'can-i', 'create', 'pods']);
  assert.match(plain.out, /^no/);
  assert.match(await succeeds(['auth', 'whoami', '--context', 'jane']), /Username\s+jane/);
  assert.match(await succeeds(['api-resources']), /clusterrolebindings\s+rbac.authorization.k8s.io\/v1\s+false/);
  assert.match(await succeeds(['explain', 'deployment.spec.strategy']), /rollingUpdate/);
});
