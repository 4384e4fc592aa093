import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type LoadRequest, poolTo, send } from '../load.ts';
import { type BenchScenario, CONFIG_MAPS, type FigureRow, milliseconds } from './scenario.ts';

/** Bytes of a body, just below what the server takes. */
const FULL = 3 * 1024 * 1024 - 4_096;
const PODS = '/api/v1/namespaces/default/pods';

/** Bodies of lists and maps with as many entries as fit, by what they are full of. */
const REQUESTS: Readonly<Record<string, () => LoadRequest>> = {
  'data of a config map': () => post(CONFIG_MAPS, configMap('data', {}, { data: map('v') })),
  'labels that are refused': () => post(CONFIG_MAPS, configMap('labels', { labels: map('not a value') })),
  finalizers: () => post(CONFIG_MAPS, configMap('finalizers', { finalizers: list((at) => `a.b/f${at}`) })),
  'owners of an object': () =>
    post(
      CONFIG_MAPS,
      configMap('owners', {
        ownerReferences: list((at) => ({ apiVersion: 'v1', kind: 'Pod', name: `o${at}`, uid: `u${at}` })),
      }),
    ),
  'containers of a pod': () =>
    post(PODS, pod('containers', { containers: list((at) => ({ name: `c${at}`, image: 'i' })) })),
  'tolerations of a pod': () =>
    post(
      PODS,
      pod('tolerations', {
        containers: [{ name: 'c', image: 'i' }],
        tolerations: list((at) => ({ key: `k${at}`, operator: 'Exists' })),
      }),
    ),
  'a merge patch of data': () => ({
    method: 'PATCH',
    path: `${CONFIG_MAPS}/small`,
    contentType: 'application/merge-patch+json',
    body: JSON.stringify({ data: map('w') }),
  }),
  'an apply of data': () => ({
    method: 'PATCH',
    path: `${CONFIG_MAPS}/applied?fieldManager=bench`,
    contentType: 'application/apply-patch+yaml',
    body: JSON.stringify(configMap('applied', {}, { data: map('v') })),
  }),
};

/** How long one request with as much as fits into a body holds up all others, beside the parsing of as many bytes. */
export const stops: BenchScenario = {
  name: 'stops',
  async run({ reference }) {
    const prober = new Worker(new URL('../prober.mjs', import.meta.url), { workerData: { base: reference.base } });
    const longest = async (): Promise<number> => {
      prober.postMessage('tell');
      const [told] = await once(prober, 'message');
      return told as number;
    };
    const pool = poolTo(reference, 1);
    await send(pool, reference, post(CONFIG_MAPS, configMap('small', {})));
    const rows: FigureRow[] = [];
    try {
      for (const [name, request] of Object.entries(REQUESTS)) {
        const made = request();
        const began = performance.now();
        JSON.parse(made.body as string);
        const parsing = performance.now() - began;
        await longest();
        await send(pool, reference, made).catch((error: unknown) => console.error(String(error).slice(0, 300)));
        rows.push({
          name: `longest stop: ${name}`,
          figure: milliseconds(await longest()),
          ratio: `JSON.parse of it ${milliseconds(parsing)}`,
        });
      }
    } finally {
      await prober.terminate();
      await pool.destroy();
    }
    return rows;
  },
};

const post = (path: string, body: object): LoadRequest => ({ method: 'POST', path, body: JSON.stringify(body) });
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
