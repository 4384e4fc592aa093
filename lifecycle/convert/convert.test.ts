import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { touchstone } from '../../cli/testing/command.ts';
import { cluster } from '../../fixtures/dialects/cluster.ts';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { proof } from '../../fixtures/ledger/testing/proof.ts';
import type { JsonObject } from '../../reference/api/json.ts';
import { convertFile } from './convertFile.ts';
import { objectsText } from './objectsText.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-convert-'));
after(() => rmSync(folder, { recursive: true }));

const part = (object: JsonObject | undefined, name: string) => (object?.[name] ?? {}) as JsonObject;

const INGRESS = `apiVersion: networking.k8s.io/v1beta1
kind: Ingress
metadata:
  name: web
spec:
  backend: { serviceName: a, servicePort: 80 }
  rules:
  - host: a.example
    http:
      paths:
      - path: /
        pathType: Prefix
        backend: { serviceName: b, servicePort: web }
`;
const DEPLOYMENT = `apiVersion: extensions/v1beta1
kind: Deployment
metadata:
  name: old
spec:
  rollbackTo: { revision: 2 }
  template:
    metadata: { labels: { app: old } }
    spec: { containers: [{ name: main, image: "a:1.20" }] }
`;

proof('CONVERT-FILE-01', 'an object is rewritten to the version that is asked for', () => {
  const { objects, converted, notes, faults } = convertFile(INGRESS, 'networking.k8s.io/v1', kubernetes);
  assert.deepEqual([converted, notes, faults], [1, [], []]);
  assert.deepEqual(
    [objects[0]?.apiVersion, objects[0]?.kind, part(objects[0], 'metadata').name],
    ['networking.k8s.io/v1', 'Ingress', 'web'],
  );
  assert.deepEqual(part(objects[0], 'spec').defaultBackend, { service: { name: 'a', port: { number: 80 } } });
});

proof(
  'CONVERT-FILE-01',
  'defaults that the new version would not have chosen are told, with the line of the object',
  () => {
    const { objects, notes } = convertFile(`# comment\n---\n${DEPLOYMENT}`, 'apps/v1', kubernetes);
    assert.deepEqual(part(objects[0], 'spec').strategy, {
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 1, maxUnavailable: 1 },
    });
    assert.ok(
      notes.every(({ line, text }) => line === 3 && text.startsWith('extensions/v1beta1 Deployment old: spec.')),
    );
    const fields = notes.map(({ text }) => text.split(' ')[3]);
    for (const field of ['selector', 'strategy.rollingUpdate.maxSurge', 'revisionHistoryLimit']) {
      assert.ok(fields.includes(`spec.${field}`), `${field} is not among ${fields.join(', ')}`);
    }
  },
);

for (const [what, text, there] of [
  ['an Ingress', INGRESS, 'networking.k8s.io/v1'],
  ['a Deployment with a field that apps/v1 lacks', DEPLOYMENT, 'apps/v1'],
] as const) {
  proof('CONVERT-FILE-01', `${what} comes back as it was from the new version`, () => {
    const back = /^apiVersion: (.*)$/m.exec(text)?.[1] ?? '';
    const filled = objectsText(convertFile(text, back, kubernetes).objects, 'yaml');
    for (const form of ['yaml', 'json'] as const) {
      const over = objectsText(convertFile(text, there, kubernetes).objects, form);
      assert.equal(objectsText(convertFile(over, back, kubernetes).objects, 'yaml'), filled);
    }
  });
}

test('of several objects each is converted, and what has no such version stays as it is', () => {
  const list = `apiVersion: v1\nkind: List\nitems:\n- ${DEPLOYMENT.trim().replaceAll('\n', '\n  ')}\n`;
  const text = `${list}---\napiVersion: v1\nkind: Service\nmetadata: { name: s }\n---\napiVersion: acme.example/v1\nkind: Widget\n`;
  const { objects, converted, notes } = convertFile(text, 'apps/v1', kubernetes);
  assert.deepEqual(
    objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`),
    ['apps/v1 Deployment', 'v1 Service', 'acme.example/v1 Widget'],
  );
  assert.equal(converted, 1);
  assert.match(notes.at(-2)?.text ?? '', /^v1 Service s is left as it is: Service is not in apps\/v1/);
  assert.match(notes.at(-1)?.text ?? '', /^acme\.example\/v1 Widget is left as it is/);
});

test('what cannot be read is told with its line, and keeps nothing back', () => {
  const { objects, faults } = convertFile(
    `a: [\n---\nkind: {{ .Kind }}\n---\njust text\n---\n${INGRESS}---\napiVersion: apps/v1\nkind: Deployment\nspec: { replicas: many }\n`,
    'networking.k8s.io/v1',
    kubernetes,
  );
  assert.equal(objects[0]?.apiVersion, 'networking.k8s.io/v1');
  assert.deepEqual(faults.map(({ line }) => line).slice(0, 3), [2, 3, 5]);
});

test('names are those of the dialect', () => {
  const text = INGRESS.replace('networking.k8s.io', 'networking.cluster.example');
  assert.equal(convertFile(text, 'networking.cluster.example/v1', cluster).converted, 1);
  assert.equal(convertFile(text, 'networking.k8s.io/v1', kubernetes).converted, 0);
});

test('large numbers and texts that look like numbers stay what they are', () => {
  const text = 'apiVersion: autoscaling/v1\nkind: Scale\n'.concat(
    '---\napiVersion: batch/v1beta1\nkind: CronJob\nmetadata: { name: "1.20", generation: 9007199254740993 }\nspec: { schedule: "0 3 * * *", jobTemplate: {} }\n',
  );
  const { objects } = convertFile(text, 'batch/v1', kubernetes);
  const metadata = part(objects.at(-1), 'metadata');
  assert.deepEqual([metadata.name, String(metadata.generation)], ['1.20', '9007199254740993']);
  assert.match(objectsText(objects, 'yaml'), /generation: 9007199254740993\n {2}name: "1\.20"/);
});

test('the command writes objects to standard output, and what to look at to standard error', async () => {
  const file = join(folder, 'all.yaml');
  writeFileSync(file, `${INGRESS}---\n${DEPLOYMENT}`);
  const done = await touchstone(['convert', '--output-version', 'apps/v1', '-f', file, '--output=json']);
  assert.equal(done.code, 0, done.errors);
  assert.deepEqual(
    (JSON.parse(done.out) as { items: JsonObject[] }).items.map(({ apiVersion }) => apiVersion),
    ['networking.k8s.io/v1beta1', 'apps/v1'],
  );
  assert.match(done.errors, /all\.yaml:15: extensions\/v1beta1 Deployment old: spec\.selector/);
  const none = await touchstone(['convert', '--output-version=batch/v1', '-f', file]);
  assert.equal(none.code, 1);
});

for (const [args, message] of [
  [['-f', 'a'], /^--output-version is needed/],
  [['--output-version=apps/v1'], /^Name what to convert/],
  [['--output-version=apps/v1', '-f', join(folder, 'none')], /none cannot be read: it does not exist\.$/],
  [['--output-version=apps/v1', '-f', 'a', '--output=xml'], /^--output takes yaml, json, not "xml"/],
] as const) {
  test(`the command refuses ${args.map((each) => each.replace(folder, '')).join(' ')}`, async () => {
    const { code, out, errors } = await touchstone(['convert', ...args]);
    assert.deepEqual([code, out], [64, '']);
    assert.match(errors.trim(), message);
  });
}

test('shares of zero are kept by convert, as an upgrade says and a server does, and unset ones are 30', () => {
  for (const [version, name] of [
    ['v1beta3', 'nominalConcurrencyShares'],
    ['v1beta2', 'assuredConcurrencyShares'],
    ['v1beta1', 'assuredConcurrencyShares'],
  ]) {
    for (const [given, kept] of [
      [`${name}: 0, `, 0],
      [`${name}: 7, `, 7],
      ['', 30],
    ] as const) {
      const text = `apiVersion: flowcontrol.apiserver.k8s.io/${version}
kind: PriorityLevelConfiguration
metadata: { name: a }
spec: { type: Limited, limited: { ${given}limitResponse: { type: Reject } } }
`;
      const [object] = convertFile(text, 'flowcontrol.apiserver.k8s.io/v1', kubernetes).objects;
      assert.equal(part(part(object, 'spec'), 'limited').nominalConcurrencyShares, kept, `${version} ${given}`);
    }
  }
});
