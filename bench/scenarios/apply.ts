import { type LoadRequest, type LoadResult, load, poolTo, send } from '../load.ts';
import { type BenchScenario, CONFIG_MAPS, type FigureRow, milliseconds, perSecond } from './scenario.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const OBJECTS = 64;
/** How many owners an object has, and how many fields a configuration states, as they grow. */
const OWNERS = [1, 10, 50] as const;
const FIELDS = [50, 500, 5000] as const;

/** Server-side apply of a deployment of three kilobytes, and what it costs as owners and fields grow. */
export const apply: BenchScenario = {
  name: 'server-side apply',
  async run({ reference, milliseconds: duration }) {
    const pool = poolTo(reference);
    for (let index = 0; index < OBJECTS; index++) await send(pool, reference, deployment(`d-${index}`, 'bench', 1));
    const identical = await load(reference, (index) => deployment(`d-${index % OBJECTS}`, 'bench', 1), duration);
    const changing = await load(
      reference,
      (index) => deployment(`d-${index % OBJECTS}`, 'bench', 2 + Math.floor(index / OBJECTS)),
      duration,
    );

    const owners: LoadResult[] = [];
    for (const count of OWNERS) {
      const name = `owners-${count}`;
      await send(pool, reference, deployment(name, 'bench', 1));
      for (let index = 1; index < count; index++) await send(pool, reference, annotation(name, `owner-${index}`));
      owners.push(await load(reference, (index) => deployment(name, 'bench', 2 + index), duration / 2, 1));
    }
    const fields: LoadResult[] = [];
    for (const count of FIELDS) {
      const request = wide(`fields-${count}`, count);
      await send(pool, reference, request(0));
      fields.push(await load(reference, (index) => request(1 + index), duration / 2, 1));
    }
    await pool.destroy();
    return [
      row('apply of 3 KB, identical', identical),
      row('apply of 3 KB, changing', changing),
      ...grown('owners', OWNERS, owners),
      ...grown('fields', FIELDS, fields),
    ];
  },
};

function row(name: string, { perSecond: rate, p99, failures }: LoadResult): FigureRow {
  return { name, figure: `${perSecond(rate)}, p99 ${milliseconds(p99)}${failures ? `, ${failures} failed` : ''}` };
}

/** One row a count; what it costs beside the count before is to grow no faster than the count. */
function grown(what: string, counts: readonly number[], results: readonly LoadResult[]): FigureRow[] {
  return results.map((result, index) => {
    const named = row(`apply, changing, ${counts[index]} ${what}`, result);
    const before = results[index - 1];
    if (!before) return named;
    const cost = before.perSecond / result.perSecond;
    const times = (counts[index] as number) / (counts[index - 1] as number);
    return { ...named, ratio: `${cost.toFixed(1)} times the cost for ${times} times the ${what}` };
  });
}

function applying(path: string, manager: string, body: object): LoadRequest {
  return {
    method: 'PATCH',
    path: `${path}?fieldManager=${manager}&force=true`,
    contentType: 'application/apply-patch+yaml',
    body: JSON.stringify(body),
  };
}

/** A deployment of about three kilobytes; `revision` is the one value that changes. */
function deployment(name: string, manager: string, revision: number): LoadRequest {
  const container = (which: string) => ({
    name: which,
    image: `registry.example/${which}:1`,
    ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    env: Array.from({ length: 12 }, (_, index) => ({
      name: `${which}_SETTING_${index}`,
      value: `value-${index}`.padEnd(24, 'x'),
    })),
    resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '200m', memory: '128Mi' } },
    volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
    readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 5 },
  });
  return applying(`${DEPLOYMENTS}/${name}`, manager, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: { app: name }, annotations: { revision: String(revision) } },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: ['web', 'proxy', 'log'].map(container), volumes: [{ name: 'scratch', emptyDir: {} }] },
      },
    },
  });
}

/** One annotation of a deployment, by a manager of its own. */
function annotation(name: string, manager: string): LoadRequest {
  const metadata = { name, annotations: { [`example.com/${manager}`]: 'x' } };
  return applying(`${DEPLOYMENTS}/${name}`, manager, { apiVersion: 'apps/v1', kind: 'Deployment', metadata });
}

/** A config map of many entries, one of which changes. Its text is made once, so that making it costs nothing. */
function wide(name: string, count: number): (revision: number) => LoadRequest {
  const data = Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, index ? 'v' : MARK]));
  const made = applying(`${CONFIG_MAPS}/${name}`, 'bench', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data,
  });
  const [before = '', after = ''] = made.body?.split(MARK) ?? [];
  return (revision) => ({ ...made, body: before + revision + after });
}
const MARK = '<revision>';
