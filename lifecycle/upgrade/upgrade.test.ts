import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { cluster } from '../../fixtures/dialects/cluster.ts';
import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { apiVersionOf, lifecycles, NEWEST_RELEASE, OLDEST_RELEASE } from '../../fixtures/releases/lifecycles.ts';
import { apiVersionIn } from '../../fixtures/releases/removedVersion.ts';
import { removedVersions } from '../../fixtures/releases/removedVersions.ts';
import { isServed } from '../../reference/contracts/servedVersions.ts';
import { type Assessment, assess, isBroken } from './assess.ts';
import { readManifests } from './manifests.ts';
import { sentenceOf, upgradeAnnotations } from './text.ts';

const read = (text: string, found = false) => readManifests([{ name: 'a.yaml', text, found }]);
const assessed = (text: string, from: number, to: number, dialect = kubernetes): Assessment[] =>
  read(text).objects.flatMap((manifest) => assess(manifest, { from, to }, dialect) ?? []);
const only = (text: string, from: number, to: number): Assessment => {
  const [one, ...more] = assessed(text, from, to);
  assert.ok(one && more.length === 0);
  return one;
};
const concerns = (text: string, from: number, to: number): string[] =>
  only(text, from, to).concerns.map(({ text: said }) => said);

/** Whether a server of a release serves a version without being told. */
function isOn(apiVersion: string, kind: string, release: number, dialect: Dialect): boolean {
  const row = lifecycles().find((one) => one.kind === kind && apiVersionOf(one, dialect) === apiVersion);
  return row !== undefined && isServed(row, '', '', { release, follow: 'spec', gate: () => true });
}

test('an upgrade says of every version in every release what a server of that release does', () => {
  for (const row of lifecycles()) {
    if (row.gate !== undefined) continue;
    const apiVersion = apiVersionOf(row, kubernetes);
    const text = `apiVersion: ${apiVersion}\nkind: ${row.kind}\nmetadata: { name: a }\n`;
    for (let to = OLDEST_RELEASE; to <= NEWEST_RELEASE; to++) {
      const { fate } = only(text, to, to);
      const served = isOn(apiVersion, row.kind, to, kubernetes);
      assert.equal(fate === 'stays' || fate === 'warns', served, `${apiVersion} ${row.kind} in 1.${to}: ${fate}`);
    }
  }
});

describe('every row of the table of removed versions', () => {
  for (const dialect of [kubernetes, cluster]) {
    for (const { removed, kinds, release, replacements, elsewhere } of removedVersions) {
      const to = Number(release.split('.')[1]);
      for (const version of removed) {
        for (const kind of kinds) {
          const apiVersion = apiVersionIn(dialect, version);
          test(`${apiVersion} ${kind} stops at ${release}, in an upgrade to it or past it, and not before`, () => {
            const text = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a }\n`;
            const fates = [
              [to - 1, to - 1],
              [to - 1, to],
              [to - 1, to + 4],
              [to, to],
            ].map(([from = 0, upTo = 0]) => assessed(text, from, upTo, dialect)[0]);
            assert.deepEqual(
              fates.map((each) => each?.fate),
              [isOn(apiVersion, kind, to - 1, dialect) ? 'warns' : 'off', 'stops', 'stops', 'stopped before'],
            );
            const here = fates[1];
            if (replacements.length === 0) assert.equal(here?.elsewhere, elsewhere);
            else assert.ok(replacements.some((each) => apiVersionIn(dialect, each) === here?.replacement?.apiVersion));
          });
        }
      }
    }
  }
});

describe('what an upgrade concerns in an object', () => {
  const cases: readonly (readonly [what: string, from: number, to: number, text: string, said: readonly RegExp[]])[] = [
    [
      'an Ingress with everything that got another name',
      21,
      22,
      'apiVersion: networking.k8s.io/v1beta1\nkind: Ingress\nspec:\n  backend: { serviceName: a, servicePort: 80 }\n  rules:\n    - http: { paths: [{ backend: { serviceName: b, servicePort: web } }, { pathType: exact, backend: { servicePort: 8 } }] }\n',
      [
        /^spec\.backend is called spec\.defaultBackend$/,
        /paths\[0\]\.backend\.serviceName is called .*service\.name$/,
        /paths\[1\]\.backend\.servicePort is called .*port\.number$/,
        /paths\[0\]\.backend\.servicePort is called .*port\.name$/,
        /paths\[0\]\.pathType has to be given$/,
        /paths\[1\]\.pathType is exact, and may be Prefix, Exact, ImplementationSpecific only$/,
      ],
    ],
    [
      'an Ingress that is written as the new version wants it',
      21,
      22,
      'apiVersion: networking.k8s.io/v1beta1\nkind: Ingress\nspec: { rules: [{ http: { paths: [{ pathType: Exact }] } }] }\n',
      [],
    ],
    [
      'webhooks that leave all to defaults, and have one name',
      21,
      22,
      'apiVersion: admissionregistration.k8s.io/v1beta1\nkind: ValidatingWebhookConfiguration\nwebhooks: [{ name: a, sideEffects: Some, failurePolicy: Fail, matchPolicy: Exact, timeoutSeconds: 3 }, { name: a, sideEffects: None, admissionReviewVersions: [v1], failurePolicy: Fail, matchPolicy: Exact }]\n',
      [
        /^webhooks\[1\]\.timeoutSeconds is not given: its default is 10, and was 30$/,
        /^webhooks\[0\]\.sideEffects is Some, and may be None, NoneOnDryRun only$/,
        /^webhooks\[0\]\.admissionReviewVersions has to be given$/,
        /^webhooks\[1\] has the name of another item/,
      ],
    ],
    [
      'a budget with an empty selector',
      24,
      25,
      'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nspec: { selector: {} }\n',
      [/^spec\.selector is empty: that selects all pods of the namespace, and selected no pod before$/],
    ],
    ['a budget without a selector', 24, 25, 'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nspec: {}\n', []],
    [
      'an old Deployment of apps, whose history was kept short',
      15,
      16,
      'apiVersion: apps/v1beta1\nkind: Deployment\nspec: { progressDeadlineSeconds: 5, strategy: {} }\n',
      [/^spec\.selector has to be given$/, /^spec\.revisionHistoryLimit is not given: its default is 10, and was 2$/],
    ],
    [
      'an old Deployment of extensions that is updated pod by pod',
      15,
      16,
      'apiVersion: extensions/v1beta1\nkind: Deployment\nspec: { progressDeadlineSeconds: 5, revisionHistoryLimit: 5, selector: {}, strategy: { rollingUpdate: { maxSurge: 1 } } }\n',
      [
        /^spec\.selector cannot be changed/,
        /^spec\.strategy\.rollingUpdate\.maxUnavailable is not given: its default is 25%, and was 1$/,
      ],
    ],
    [
      'an old Deployment of extensions that is recreated',
      15,
      16,
      'apiVersion: extensions/v1beta1\nkind: Deployment\nspec: { rollbackTo: { revision: 1 }, selector: {}, strategy: { type: Recreate } }\n',
      [
        /^spec\.rollbackTo is gone$/,
        /^spec\.selector cannot be changed/,
        /^spec\.progressDeadlineSeconds is not given: its default is 600, and was none$/,
        /^spec\.revisionHistoryLimit is not given: its default is 10, and was none$/,
      ],
    ],
    [
      'shares of 0, over two versions that are gone both',
      25,
      32,
      'apiVersion: flowcontrol.apiserver.k8s.io/v1beta1\nkind: PriorityLevelConfiguration\nspec: { limited: { assuredConcurrencyShares: 0 } }\n',
      [/is called spec\.limited\.nominalConcurrencyShares$/, /is 0, which is kept/],
    ],
    [
      'a request for the signer that nobody can ask any more',
      21,
      22,
      'apiVersion: certificates.k8s.io/v1beta1\nkind: CertificateSigningRequest\nspec: { signerName: kubernetes.io/legacy-unknown, usages: [client auth, client auth] }\n',
      [
        /^spec\.signerName is kubernetes\.io\/legacy-unknown, with which nothing can be created$/,
        /^spec\.usages\[1\] stands twice$/,
        /^spec\.usages\[0\] is client auth: only known/,
        /^spec\.usages\[1\] is client auth: only known/,
      ],
    ],
    [
      'a definition of the older shape',
      21,
      22,
      'apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nspec: { scope: Cluster, version: v1, validation: {}, additionalPrinterColumns: [{ JSONPath: .a }], preserveUnknownFields: true }\n',
      [
        /^spec\.version is gone: use spec\.versions\[\]\.name$/,
        /^spec\.validation is gone/,
        /^spec\.additionalPrinterColumns is gone/,
        /^spec\.preserveUnknownFields is true, with which/,
        /^spec\.additionalPrinterColumns\[0\]\.JSONPath is called .*jsonPath$/,
      ],
    ],
    ['a policy for which nothing else is served', 24, 25, 'apiVersion: policy/v1beta1\nkind: PodSecurityPolicy\n', []],
  ];
  for (const [what, from, to, text, said] of cases) {
    test(`${what}`, () => {
      const found = concerns(text, from, to);
      assert.equal(found.length, said.length, found.join('\n'));
      said.forEach((pattern, place) => {
        assert.match(found[place] ?? '', pattern);
      });
    });
  }
});

test('a version that is not there yet is broken too, one that has to be switched on is not', () => {
  const early = only('apiVersion: batch/v1\nkind: CronJob\n', 19, 20);
  assert.deepEqual([early.fate, isBroken(early)], ['not there yet', true]);
  assert.match(sentenceOf(early), /^Served from 1\.21 on only\.$/);
  const alpha = only('apiVersion: node.k8s.io/v1alpha1\nkind: RuntimeClass\n', 19, 20);
  assert.deepEqual([alpha.fate, isBroken(alpha)], ['off', false]);
  assert.equal(only('apiVersion: v1\nkind: Pod\n', 19, 32).fate, 'stays');
});

test('types that no release decides on are left alone', () => {
  assert.deepEqual(assessed('apiVersion: acme.example/v1\nkind: Widget\n', 21, 25), []);
  assert.deepEqual(assessed('apiVersion: networking.k8s.io/v1beta1\nkind: Ingress\n', 21, 25, cluster), []);
});

test('lists are taken apart, with the line of each item, and items of typed lists have its type', () => {
  const { objects } = read(
    'apiVersion: v1\nkind: List\nitems:\n  - apiVersion: v1\n    kind: Pod\n    metadata: { name: a, namespace: n }\n  - apiVersion: batch/v1beta1\n    kind: CronJobList\n    items:\n      - metadata: { generateName: b- }\n  - text\n',
  );
  assert.deepEqual(
    objects.map(({ kind, name, lineOf }) => [kind, name, lineOf('/metadata')]),
    [
      ['Pod', 'n/a', 6],
      ['CronJob', 'b-…', 10],
    ],
  );
});

test('what cannot be read does not hide what can, and is told with its line', () => {
  const { objects, unread } = read(
    'apiVersion: v1\nkind: Pod\n---\nname: {{ .Values.name }}\n---\na: [\n---\njust text\n---\n# nothing\n---\napiVersion: v1\nkind: Pod\nkind: Node\n',
  );
  assert.deepEqual(
    objects.map(({ kind, lineOf }) => [kind, lineOf('')]),
    [
      ['Pod', 1],
      ['Node', 12],
    ],
  );
  assert.deepEqual(
    unread.map(({ line, reason }) => [line, reason.slice(0, 11)]),
    [
      [4, 'It is a tem'],
      [7, 'It is no YA'],
      [8, 'It has no a'],
    ],
  );
});

test('what is found in a folder may hold other things', () => {
  const { objects, unread, passedOver } = read('replicas: 3\n---\n[1, 2]\n', true);
  assert.deepEqual([objects.length, unread.length, passedOver], [0, 0, 2]);
});

test('annotations keep to one line each, whatever names hold', () => {
  const manifests = readManifests([
    { name: 'a,b:%.yaml', text: 'apiVersion: batch/v1beta1\nkind: CronJob\n', found: false },
  ]);
  const assessments = manifests.objects.flatMap((one) => assess(one, { from: 24, to: 25 }, kubernetes) ?? []);
  const text = upgradeAnnotations({ upgrade: { from: 24, to: 25 }, manifests, assessments });
  assert.equal(
    text,
    '::error file=a%2Cb%3A%25.yaml,line=1::batch/v1beta1 CronJob: Not served from 1.25 on: use batch/v1 CronJob, which is there since 1.21.',
  );
});
