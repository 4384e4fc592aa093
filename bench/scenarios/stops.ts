import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import protobuf from 'protobufjs/minimal.js';
import type { JsonObject } from '../../reference/api/json.ts';
import { describeCbor, encodeCbor } from '../../reference/codecs/cborWrite.ts';
import { wrap } from '../../reference/codecs/protobufEnvelope.ts';
import { yamlText } from '../../reference/codecs/yamlText.ts';
import { ask, type LoadAnswer, type LoadRequest, poolTo, send } from '../load.ts';
import { startReference } from '../processes.ts';
import { type BenchScenario, CONFIG_MAPS, type FigureRow, milliseconds } from './scenario.ts';

/** Bytes of a body, just below what the server takes. */
const FULL = 3 * 1024 * 1024 - 4_096;
const PODS = '/api/v1/namespaces/default/pods';

/** Items of the collection that is listed, watched and deleted whole; as many clients write them at a time. */
const MANY = 10_000;
const WRITERS = 16;
const MANY_MAPS = '/api/v1/namespaces/many/configmaps';

interface Stop {
  /** Asked before, and not counted. */
  readonly after?: LoadRequest;
  readonly request: LoadRequest<string | Uint8Array>;
  /** What it says, where that is not JSON already: to tell how long the parsing alone would take. */
  readonly asJson?: string;
  /** The status that a right server answers; any below 400 unless told. */
  readonly code?: number;
}

/** Bodies of lists and maps with as many entries as fit, and requests for many objects, by what they are full of. */
const REQUESTS: Readonly<Record<string, () => Stop>> = {
  'data of a config map': () => ({ request: post(CONFIG_MAPS, full('data')) }),
  'the same in YAML': () => inForm('yaml', 'application/yaml', (object) => yamlText(object)),
  'the same in CBOR': () => inForm('cbor', 'application/cbor', (object) => describeCbor(encodeCbor(object, undefined))),
  'the same in Protobuf': () => inForm('protobuf', 'application/vnd.kubernetes.protobuf', inProtobuf),
  'the same in chunks': () => ({ request: { ...post(CONFIG_MAPS, full('chunked')), chunked: true } }),
  'a PUT of data': () => ({
    after: post(CONFIG_MAPS, configMap('put', {})),
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
  'a strategic merge patch of data': () =>
    patch('strategic', 'application/strategic-merge-patch+json', { data: map('w') }),
  'a strategic merge patch of finalizers': () =>
    patch('strategic-list', 'application/strategic-merge-patch+json', {
      metadata: { finalizers: list((at) => `a.b/f${at}`) },
    }),
  'a JSON patch of as many operations as there may be': () =>
    patch('operations', 'application/json-patch+json', [
      { op: 'add', path: '/data', value: {} },
      ...Array.from({ length: 9_999 }, (_, at) => ({ op: 'add', path: `/data/k${at}`, value: 'v'.repeat(90) })),
    ]),
  'a JSON patch with one large value': () =>
    patch('one-value', 'application/json-patch+json', [{ op: 'add', path: '/data', value: map('w') }]),
  'an apply of data': () => ({ request: applied('v') }),
  'an apply of other data over it': () => ({ request: applied('w') }),
  'a list of 10,000': () => ({ request: { method: 'GET', path: MANY_MAPS } }),
  'a list of 10,000 filtered to none': () => ({
    request: { method: 'GET', path: `${MANY_MAPS}?labelSelector=app%3Dnone` },
  }),
  'the start of a watch with 10,000 initial events': () => ({
    request: {
      method: 'GET',
      path: `${MANY_MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=3`,
    },
  }),
  'a deletion of 10,000': () => ({ request: { method: 'DELETE', path: MANY_MAPS } }),
};

/**
 * How long one request with as much as fits into a body, or for many objects, holds up all others, beside the parsing of
 * as many bytes. A request that is not answered as it should be is told in its row, and makes the whole end with 1.
 */
export const stops: BenchScenario = {
  name: 'stops',
  async run() {
    const reference = await startReference(['--feature-gates=CBORServingAndStorage=true']);
    const prober = new Worker(new URL('../prober.mjs', import.meta.url), { workerData: { base: reference.base } });
    const longest = async (): Promise<number> => {
      prober.postMessage('tell');
      const [told] = await once(prober, 'message');
      return told as number;
    };
    const pool = poolTo(reference, WRITERS);
    const rows: FigureRow[] = [];
    try {
      await send(pool, reference, post('/api/v1/namespaces', namespace('many')));
      for (let at = 0; at < MANY; at += WRITERS) {
        const some = Array.from({ length: Math.min(WRITERS, MANY - at) }, (_, i) => `m${at + i}`);
        await Promise.all(some.map((name) => send(pool, reference, post(MANY_MAPS, small(name)))));
      }
      for (const [name, stop] of Object.entries(REQUESTS)) {
        const { after, request, asJson, code } = stop();
        if (after) await send(pool, reference, after);
        const text = asJson ?? (request.body as string | undefined);
        const began = performance.now();
        if (text !== undefined) JSON.parse(text);
        const parsing = text === undefined ? '' : `JSON.parse of it ${milliseconds(performance.now() - began)}`;
        await longest();
        const answer = await ask(pool, reference, request).catch((error: unknown) => String(error));
        const fault = faultOf(answer, code);
        if (fault !== '') process.exitCode = 1;
        rows.push({
          name: `longest stop: ${name}`,
          figure: milliseconds(await longest()),
          ratio: [parsing, fault].filter((part) => part !== '').join('; '),
        });
      }
    } finally {
      await prober.terminate();
      await pool.destroy();
      await reference.stop();
    }
    return rows;
  },
};

/** What is wrong with an answer, or with what came in its place; empty where it is as it should be. */
function faultOf(answer: LoadAnswer | string, code: number | undefined): string {
  if (typeof answer === 'string') return `NO ANSWER: ${answer.slice(0, 300)}`;
  if (code === undefined ? answer.code < 400 : answer.code === code) return '';
  return `ANSWERED ${answer.code}: ${answer.body.toString().slice(0, 300)}`;
}

const post = (path: string, body: object): LoadRequest => ({ method: 'POST', path, body: JSON.stringify(body) });
const patch = (name: string, contentType: string, body: unknown): Stop => ({
  after: post(CONFIG_MAPS, configMap(name, {})),
  request: { method: 'PATCH', path: `${CONFIG_MAPS}/${name}`, contentType, body: JSON.stringify(body) },
});
const applied = (value: string): LoadRequest => ({
  method: 'PATCH',
  path: `${CONFIG_MAPS}/applied?fieldManager=bench`,
  contentType: 'application/apply-patch+yaml',
  body: JSON.stringify(configMap('applied', {}, { data: map(value) })),
});
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
const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
/** A config map of about one kilobyte. */
const small = (name: string) => configMap(name, { labels: { app: 'bench' } }, { data: { payload: 'x'.repeat(900) } });
const full = (name: string) => configMap(name, {}, { data: map('v') });
const configMap = (name: string, metadata: object, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  ...more,
});
const pod = (name: string, spec: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });

/** Items until a body is full. */
function list(item: (at: number) => unknown): unknown[] {
  const items: unknown[] = [];
  for (let at = 0, bytes = 0; ; at++) {
    const one = item(at);
    bytes += JSON.stringify(one).length + 1;
    if (bytes > FULL) return items;
    items.push(one);
  }
}
/** Members of one value until a body is full. */
function map(value: string): Record<string, string> {
  const names = list((at) => `k${at}${'x'.repeat(value.length)}____`) as string[];
  return Object.fromEntries(names.map((name) => [name.slice(0, name.length - 4 - value.length), value]));
}
