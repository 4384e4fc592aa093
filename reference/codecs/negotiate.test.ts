import assert from 'node:assert/strict';
import test from 'node:test';
import { cluster } from '../../fixtures/dialects/cluster.ts';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { parseContentType } from './mediaType.ts';
import { checkRoute, type Form, Negotiator } from './negotiate.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';

const rows: [form: Form, accept: string, agreed: string | undefined][] = [
  ['object', '', 'json'],
  ['object', '*/*', 'json'],
  ['object', 'application/*', 'json'],
  ['object', 'application/json;charset=utf-8', 'json'],
  ['object', 'text/html,application/xhtml+xml,*/*;q=0.8', 'json'],
  ['object', 'application/yaml;q=0.1,application/json;q=0.9', 'json'],
  ['object', 'application/json;q=0.1, application/yaml', 'yaml'],
  ['object', `${PROTOBUF}, application/json`, 'protobuf'],
  ['object', `application/json,${PROTOBUF}`, 'json'],
  ['object', 'APPLICATION/JSON', undefined],
  ['object', 'text/html', undefined],
  ['object', 'garbage', undefined],
  ['object', 'application/cbor', undefined],
  ['object', TABLE, 'json Table v1'],
  ['object', `${TABLE}beta1`, 'json Table v1beta1'],
  ['object', 'application/yaml;as=Table;g=meta.k8s.io;v=v1', 'yaml Table v1'],
  ['object', `${PROTOBUF};as=Table;g=meta.k8s.io;v=v1`, undefined],
  ['object', 'application/json;as=Table;g=meta.k8s.io;v=v2', undefined],
  ['object', 'application/json;as=Table;g=example.com;v=v1', undefined],
  ['object', 'application/json;as=Tables;g=meta.k8s.io;v=v1', undefined],
  ['object', 'application/json;as=Table', undefined],
  ['object', 'application/json;as=Tables;g=meta.k8s.io;v=v1,application/json', 'json'],
  ['object', `application/json,${TABLE}`, 'json'],
  ['object', `${PROTOBUF};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`, 'protobuf PartialObjectMetadata v1'],
  ['customObject', PROTOBUF, undefined],
  ['customObject', `${PROTOBUF};q=0.9,application/json;q=0.1`, 'json'],
  ['customObject', `${PROTOBUF};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`, 'protobuf PartialObjectMetadata v1'],
  ['watch', 'application/yaml', undefined],
  ['watch', 'application/json;stream=watch', 'json'],
  ['watch', `${PROTOBUF};stream=watch`, 'protobuf'],
  ['object', 'application/json;stream=other', undefined],
  ['document', TABLE, undefined],
  ['status', TABLE, undefined],
  ['aggregated', 'application/json', undefined],
  [
    'aggregated',
    'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    'json APIGroupDiscoveryList v2',
  ],
  ['aggregated', 'application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList', undefined],
];

for (const [form, accept, agreed] of rows) {
  test(`${form}: ${accept || 'no header'} leads to ${agreed ?? '406'}`, () => {
    const negotiator = new Negotiator(form, kubernetes, false, 'service');
    // Asked twice: the second answer comes from memory.
    for (let i = 0; i < 2; i++) {
      const found = negotiator.choose(accept);
      const { transform } = found ?? {};
      const shown = found && [found.format, ...(transform ? [transform.kind, transform.version] : [])].join(' ');
      assert.equal(shown, agreed);
    }
  });
}

test('a refusal lists what there is, in the words of the dialect', () => {
  assert.throws(() => new Negotiator('object', cluster, true, 'spec').negotiate('text/html'), {
    code: 406,
    message:
      'only the following media types are accepted: application/json, application/yaml, application/vnd.cluster.protobuf, application/cbor',
  });
});

for (const [form, accept, named] of [
  ['watch', 'application/yaml', `application/json;stream=watch, ${PROTOBUF};stream=watch`],
  ['customWatch', 'text/html, application/yaml', `application/json;stream=watch, ${PROTOBUF};stream=watch`],
  ['watch', 'text/html', `application/json, application/yaml, ${PROTOBUF}`],
  ['watch', 'application/yaml;stream=watch', `application/json, application/yaml, ${PROTOBUF}`],
  ['object', 'text/html', `application/json, application/yaml, ${PROTOBUF}`],
] as const) {
  test(`${form}: the refusal of ${accept} names ${named}`, () => {
    const negotiator = new Negotiator(form, kubernetes, false, 'service');
    for (let i = 0; i < 2; i++) {
      const message = `only the following media types are accepted: ${named}`;
      assert.throws(() => negotiator.negotiate(accept), { code: 406, message });
    }
  });
}

for (const follow of ['spec', 'service'] as const) {
  test(`the routing of built-in endpoints knows partial wildcards by the text alone: ${follow}`, () => {
    checkRoute('text/html, */*;q=0.1', ['application/json'], [], follow);
    checkRoute('application/json;as=Nothing', ['application/json'], [], follow);
    checkRoute('application/cbor-seq', ['application/json'], ['application/cbor-seq'], follow);
    const refusal = {
      code: 406,
      message: '406: Not Acceptable\n\nAvailable representations: application/json',
    };
    assert.throws(() => checkRoute('text/*', ['application/json'], [], follow), refusal);
    const partial = () => checkRoute('text/html, application/*;q=0.3', ['application/json'], [], follow);
    if (follow === 'service') assert.throws(partial, refusal);
    else partial();
  });
}

/** What an Accept header with a quality of 0 leads to: by the text, and at the service. */
const REFUSING: readonly (readonly [string, string | undefined, string])[] = [
  ['application/json;q=0', undefined, 'json'],
  ['application/json;q=0.0, application/yaml;q=0', undefined, 'json'],
  ['application/json;q=0, application/yaml', 'yaml', 'yaml'],
  ['application/json;q=0, */*', 'yaml', 'json'],
  ['application/json;q=0, application/*;q=0.5', 'yaml', 'json'],
  ['*/*;q=0, application/json', 'json', 'json'],
  ['application/*;q=0, application/yaml;q=0.1', 'yaml', 'yaml'],
  ['*/*;q=0', undefined, 'json'],
  ['application/json;q=none', 'json', 'json'],
];
for (const [accept, spec, service] of REFUSING) {
  test(`${accept} leads to ${spec ?? '406'}, and to ${service} where the service is followed`, () => {
    for (const form of ['object', 'customObject', 'document', 'status'] as const) {
      assert.equal(new Negotiator(form, kubernetes, false, 'spec').choose(accept)?.format, spec);
      assert.equal(new Negotiator(form, kubernetes, false, 'service').choose(accept)?.format, service);
    }
  });
}

test('content types are read with their parameters, malformed ones are not', () => {
  assert.equal(parseContentType('Application/JSON; charset=utf-8')?.type, 'application/json');
  assert.equal(parseContentType('a/b; x="1;2"')?.parameters.get('x'), '1;2');
  for (const bad of ['a/b/c', 'a b', 'a/b; x', '']) assert.equal(parseContentType(bad), undefined, bad);
});

test('each media type that is refused leaves the others, however many there are', () => {
  const negotiator = new Negotiator('status', kubernetes, false, 'spec');
  const refused = Array.from({ length: 20_000 }, (_, at) => `a/b${at};q=0`).join();
  assert.equal(negotiator.choose(`${refused},application/yaml;q=0.1`)?.format, 'yaml');
  assert.equal(negotiator.choose(`${refused},application/yaml;q=0,application/*;q=0.1`)?.format, 'json');
  assert.equal(negotiator.choose(refused), undefined);
});
