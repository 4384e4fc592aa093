import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { writingFixture } from '../testing/writingFixture.ts';

const REQUEST = `-----BEGIN CERTIFICATE REQUEST-----
MIHJMHACAQAwDjEMMAoGA1UEAwwDYW5uMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAEVrb2C3J9/mwHLQnbdqt8UYvauNhwdf8F8d0ijjPvQQPeS9rD5Cboc7GBRnUY
iUKt6uRLGw2gUodRjBGlhoXudqAAMAoGCCqGSM49BAMCA0kAMEYCIQCtHfgIpdFA
tnuT1rlHKpe9bvaKdFoe0fkgJcPCbbot7QIhAMJDPSeK0AjmiJjKlZHa0MvXguZ+
I+sc5iji5N/FH38G
-----END CERTIFICATE REQUEST-----
`;
const LABELLED = { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } };
const metadata = (name: string) => ({ name, labels: { a: 'b' } });

interface Row {
  readonly what: string;
  readonly path: string;
  readonly body: JsonObject;
  /** What who creates it owns. */
  readonly created: JsonObject;
  /** A write to the status that brings a label too, and what its writer owns. */
  readonly status: JsonObject;
  readonly written: JsonObject;
}

const rows: readonly Row[] = [
  {
    what: 'a signing request: nobody owns what never changes',
    path: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    body: {
      metadata: metadata('c'),
      spec: { request: Buffer.from(REQUEST).toString('base64'), signerName: 'a.io/b', usages: ['client auth'] },
    },
    created: LABELLED,
    status: { conditions: [{ type: 'Failed', status: 'True' }] },
    written: {
      'f:metadata': { 'f:labels': { 'f:x': {} } },
      'f:status': {
        'f:conditions': {
          '.': {},
          'k:{"type":"Failed"}': {
            '.': {},
            'f:lastTransitionTime': {},
            'f:lastUpdateTime': {},
            'f:status': {},
            'f:type': {},
          },
        },
      },
    },
  },
  {
    what: 'a policy in v1: its status is owned though it is reset',
    path: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
    body: {
      metadata: metadata('v'),
      spec: {
        failurePolicy: 'Ignore',
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
        },
        validations: [{ expression: 'true' }],
      },
      status: { observedGeneration: 5 },
    },
    created: {
      ...LABELLED,
      'f:spec': { 'f:failurePolicy': {}, 'f:matchConstraints': {}, 'f:validations': {} },
      'f:status': { 'f:observedGeneration': {} },
    },
    status: { observedGeneration: 7 },
    written: { 'f:status': { 'f:observedGeneration': {} } },
  },
  {
    what: 'an APIService: who writes the status owns nothing of the metadata',
    path: '/apis/apiregistration.k8s.io/v1/apiservices',
    body: {
      metadata: metadata('v1.a.io'),
      spec: { group: 'a.io', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
      status: { conditions: [{ type: 'X', status: 'True' }] },
    },
    created: {
      ...LABELLED,
      'f:spec': { 'f:group': {}, 'f:groupPriorityMinimum': {}, 'f:version': {}, 'f:versionPriority': {} },
    },
    status: { conditions: [{ type: 'X', status: 'True' }] },
    written: {
      'f:status': {
        'f:conditions': {
          'k:{"type":"X"}': { '.': {}, 'f:lastTransitionTime': {}, 'f:status': {}, 'f:type': {} },
        },
      },
    },
  },
];

const owned = (body: JsonObject, manager: string): unknown =>
  ((body.metadata as JsonObject).managedFields as JsonObject[]).find((entry) => entry.manager === manager)?.fieldsV1;

for (const { what, path, body, created, status, written } of rows) {
  test(`who owns ${what}`, async () => {
    const { send } = await writingFixture();
    const made = await send('POST', `${path}?fieldManager=maker`, { body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.deepEqual(owned(made.body, 'maker'), created);
    const { name } = made.body.metadata as { name: string };
    const changed = await send('PATCH', `${path}/${name}/status?fieldManager=teller`, {
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { metadata: { labels: { x: 'y' } }, status },
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.deepEqual(owned(changed.body, 'teller'), written);
  });
}
