import protobuf from 'protobufjs/minimal.js';
import type { JsonObject } from '../../../reference/api/json.ts';
import { describeCbor, encodeCbor } from '../../../reference/codecs/cborWrite.ts';
import { wrap } from '../../../reference/codecs/protobufEnvelope.ts';
import { yamlText } from '../../../reference/codecs/yamlText.ts';
import type { LoadRequest } from '../../load.ts';
import { CONFIG_MAPS } from '../scenario.ts';
import { configMap, full, list, map, PODS, pod, post, type Stop, type Stops } from './stop.ts';

/** Bodies of lists and maps with as many entries as fit, in every encoding and by every verb. */
export const BODIES: Stops = {
  'data of a config map': () => ({ request: post(CONFIG_MAPS, full('data')) }),
  'the same in YAML': () => inForm('yaml', 'application/yaml', (object) => yamlText(object)),
  'the same in CBOR': () => inForm('cbor', 'application/cbor', (object) => describeCbor(encodeCbor(object, undefined))),
  'the same in Protobuf': () => inForm('protobuf', 'application/vnd.kubernetes.protobuf', inProtobuf),
  'the same in chunks': () => ({ request: { ...post(CONFIG_MAPS, full('chunked')), chunked: true } }),
  'a PUT of data': () => ({
    after: [post(CONFIG_MAPS, configMap('put', {}))],
    request: { method: 'PUT', path: `${CONFIG_MAPS}/put`, body: JSON.stringify(full('put')) },
  }),
  'labels that are refused': () => ({
    request: post(CONFIG_MAPS, configMap('labels', { labels: map('not a value') })),
    code: 422,
  }),
  finalizers: () => ({
    request: post(CONFIG_MAPS, configMap('finalizers', { finalizers: list((at) => `a.b/f${at}`) })),
  }),
  'owners of an object': () => ({
    request: post(
      CONFIG_MAPS,
      configMap('owners', {
        ownerReferences: list((at) => ({ apiVersion: 'v1', kind: 'Pod', name: `o${at}`, uid: `u${at}` })),
      }),
    ),
  }),
  'managers of fields': () => ({
    request: post(CONFIG_MAPS, configMap('managers', { managedFields: list(managerAt) })),
  }),
  'unknown fields, warned of': () => ({
    request: post(CONFIG_MAPS, configMap('unknown', {}, Object.fromEntries(list((at) => [`u${at}`, at]) as never[]))),
  }),
  'unknown fields, refused': () => ({
    request: post(
      `${CONFIG_MAPS}?fieldValidation=Strict`,
      configMap('strict', {}, Object.fromEntries(list((at) => [`u${at}`, at]) as never[])),
    ),
    code: 400,
  }),
  'names that stand twice': () => ({
    request: {
      method: 'POST',
      path: CONFIG_MAPS,
      body: `{"metadata":{"name":"twice"},"data":{${list(() => 'k": "v')
        .map((one) => `"${one as string}"`)
        .join()}}}`,
    },
  }),
  'containers of a pod': () => ({
    request: post(PODS, pod('containers', { containers: list((at) => ({ name: `c${at}`, image: 'i' })) })),
  }),
  'tolerations of a pod': () => ({
    request: post(
      PODS,
      pod('tolerations', {
        containers: [{ name: 'c', image: 'i' }],
        tolerations: list((at) => ({ key: `k${at}`, operator: 'Exists' })),
      }),
    ),
  }),
  'a merge patch of data': () => patch('merged', 'application/merge-patch+json', { data: map('w') }),
  'a merge patch of nulls': () => patch('nulls', 'application/merge-patch+json', { data: map(null) }, full('nulls')),
  'a strategic merge patch of data': () =>
    patch('strategic', 'application/strategic-merge-patch+json', { data: map('w') }),
  'a strategic merge patch of finalizers': () =>
    patch('strategic-list', 'application/strategic-merge-patch+json', {
      metadata: { finalizers: list((at) => `a.b/f${at}`) },
    }),
  'a strategic merge patch that takes finalizers out': () =>
    patch(
      'strategic-out',
      'application/strategic-merge-patch+json',
      { metadata: { '$deleteFromPrimitiveList/finalizers': list((at) => `a.b/f${at}`) } },
      configMap('strategic-out', { finalizers: list((at) => `a.b/f${at}`) }),
    ),
  'a strategic merge patch that keeps some data': () =>
    patch(
      'strategic-kept',
      'application/strategic-merge-patch+json',
      { data: { $retainKeys: Object.keys(map('v')).slice(0, 60_000) } },
      full('strategic-kept'),
    ),
  'a strategic merge patch that deletes volumes': () => ({
    after: [post(PODS, pod('volumes-out', { containers: [{ name: 'c', image: 'i' }], volumes: VOLUMES }))],
    request: {
      method: 'PATCH',
      path: `${PODS}/volumes-out`,
      contentType: 'application/strategic-merge-patch+json',
      body: JSON.stringify({ spec: { volumes: list((at) => ({ name: `v${at}`, $patch: 'delete' })) } }),
    },
    // What a pod has it keeps.
    code: 422,
  }),
  'a JSON patch of copies': () =>
    patch(
      'copies',
      'application/json-patch+json',
      Array.from({ length: 14 }, (_, at) => [
        { op: 'copy', from: '/data', path: '/more' },
        { op: 'add', path: '/data/last', value: `${at}` },
      ]).flat(),
      configMap('copies', {}, { data: map('v', 200_000) }),
    ),
  'a text that YAML repeats': () => ({
    request: {
      method: 'POST',
      path: CONFIG_MAPS,
      contentType: 'application/yaml',
      body: `metadata: {name: repeated}\nx: &a "${'x'.repeat(500_000)}"\ny: [${'*a,'.repeat(400_000)}*a]\n`,
    },
    asJson: JSON.stringify({ metadata: { name: 'repeated' }, x: 'x'.repeat(500_000) }),
    code: 400,
  }),
  'a number of many digits': () => ({
    request: { method: 'POST', path: CONFIG_MAPS, body: `{"metadata":{"name":"digits"},"x":${'9'.repeat(2_900_000)}}` },
    code: 400,
  }),
  'an amount of many digits': () => ({
    request: post(
      PODS,
      pod('amount', {
        containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: `1.${'3'.repeat(2_900_000)}` } } }],
      }),
    ),
  }),
  'a deletion of an object with many finalizers': () => ({
    after: [post(CONFIG_MAPS, configMap('finalized', { finalizers: list((at) => `a.b/f${at}`) }))],
    request: { method: 'DELETE', path: `${CONFIG_MAPS}/finalized` },
  }),
  'a JSON patch of as many operations as there may be': () =>
    patch('operations', 'application/json-patch+json', [
      { op: 'add', path: '/data', value: {} },
      ...Array.from({ length: 9_999 }, (_, at) => ({ op: 'add', path: `/data/k${at}`, value: 'v'.repeat(90) })),
    ]),
  'a JSON patch with one large value': () =>
    patch('one-value', 'application/json-patch+json', [{ op: 'add', path: '/data', value: map('w') }]),
  'a JSON patch at the beginning of a long list': () =>
    patch(
      'insertions',
      'application/json-patch+json',
      Array.from({ length: 10_000 }, (_, at) => ({ op: 'add', path: '/metadata/finalizers/0', value: `a.c/f${at}` })),
      configMap('insertions', { finalizers: list((at) => `a.b/f${at}`, FULL_BUT) }),
    ),
  'a JSON patch of tests of a large object': () =>
    patch(
      'tests',
      'application/json-patch+json',
      [
        { op: 'test', path: '/data', value: map('v', FULL_BUT) },
        ...Array.from({ length: 9_000 }, () => ({ op: 'test', path: '/data/k1', value: 'v' })),
      ],
      configMap('tests', {}, { data: map('v', FULL_BUT) }),
    ),
  'an apply of data': () => ({ request: applied('applied', 'v') }),
  'an apply of other data over it': () => ({
    after: [applied('applied-over', 'v')],
    request: applied('applied-over', 'w'),
  }),
  'an apply of names out of order': () => ({ request: applied('reversed', 'v', true) }),
  'an apply in YAML': () => {
    const request = applied('applied-yaml', 'v');
    const asJson = request.body as string;
    return { request: { ...request, body: yamlText(JSON.parse(asJson) as JsonObject) }, asJson };
  },
  'an apply in CBOR': () => {
    const request = applied('applied-cbor', 'v');
    const asJson = request.body as string;
    const body = describeCbor(encodeCbor(JSON.parse(asJson) as JsonObject, undefined));
    return { request: { ...request, contentType: 'application/apply-patch+cbor', body }, asJson };
  },
};

/** Bytes of an object that a body may be about, which fits in with operations beside it. */
const FULL_BUT = 2_500_000;

const VOLUMES = list((at) => ({ name: `v${at}`, emptyDir: {} }), 1_400_000);

const managerAt = (at: number) => ({
  manager: `m${at}`,
  operation: 'Update',
  apiVersion: 'v1',
  time: '2024-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': { [`f:k${at}`]: {} } },
});

const patch = (name: string, contentType: string, body: unknown, before: object = configMap(name, {})): Stop => ({
  after: [post(CONFIG_MAPS, before)],
  request: { method: 'PATCH', path: `${CONFIG_MAPS}/${name}`, contentType, body: JSON.stringify(body) },
});
function applied(name: string, value: string, reversed = false): LoadRequest {
  const data = map(value);
  const entries = Object.entries(data);
  return {
    method: 'PATCH',
    path: `${CONFIG_MAPS}/${name}?fieldManager=bench`,
    contentType: 'application/apply-patch+yaml',
    body: JSON.stringify(configMap(name, {}, { data: reversed ? Object.fromEntries(entries.reverse()) : data })),
  };
}
function inForm(name: string, contentType: string, write: (object: JsonObject) => string | Uint8Array): Stop {
  const object = full(name);
  const body = write(object as unknown as JsonObject);
  return { request: { method: 'POST', path: CONFIG_MAPS, contentType, body }, asJson: JSON.stringify(object) };
}
/** A config map as a message: its metadata has the name alone. */
function inProtobuf({ metadata, data }: JsonObject): Uint8Array {
  const writer = protobuf.Writer.create();
  writer
    .uint32(0x0a)
    .fork()
    .uint32(0x0a)
    .string((metadata as { name: string }).name)
    .ldelim();
  for (const [key, value] of Object.entries(data as Record<string, string>)) {
    writer.uint32(0x12).fork().uint32(0x0a).string(key).uint32(0x12).string(value).ldelim();
  }
  return wrap('v1', 'ConfigMap', writer.finish());
}
