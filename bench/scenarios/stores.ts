import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_ETCD, startEtcd } from '../../reference/testing/etcd/members.ts';
import { type LoadRequest, load, poolTo, send } from '../load.ts';
import { type Served, startReference } from '../processes.ts';
import { watchDelays } from './fanOut.ts';
import { type BenchScenario, CONFIG_MAPS, configMap, type FigureRow, milliseconds, perSecond } from './scenario.ts';

/** Objects that are listed and changed. */
const OBJECTS = 500;
const WATCHERS = 100;
const CHANGES_PER_SECOND = 50;

/** A place to keep objects in, as flags of a server. */
interface Place {
  readonly flags: readonly string[];
  end(): Promise<void> | void;
}
const PLACES: readonly { readonly name: string; readonly open: () => Place | Promise<Place | undefined> }[] = [
  { name: 'memory', open: () => ({ flags: [], end: () => {} }) },
  {
    name: 'data directory',
    open: () => {
      const directory = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
      const end = () => rmSync(directory, { recursive: true, force: true });
      return { flags: [`--data-dir=${join(directory, 'data')}`], end };
    },
  },
  {
    name: 'etcd, one member',
    open: async () => {
      if (NO_ETCD) return undefined;
      const etcd = await startEtcd();
      return { flags: [`--etcd-servers=${etcd.servers}`], end: () => etcd.stop() };
    },
  },
];

const ACTS: readonly {
  readonly name: string;
  readonly request: (index: number) => LoadRequest;
  readonly clients?: number;
}[] = [
  { name: 'create', request: (i) => ({ method: 'POST', path: CONFIG_MAPS, body: configMap(`c-${i}`) }) },
  {
    // Writes that come together share a commit.
    name: 'create, 64 clients',
    clients: 64,
    request: (i) => ({ method: 'POST', path: CONFIG_MAPS, body: configMap(`m-${i}`) }),
  },
  {
    name: 'update',
    request: (i) => ({
      method: 'PUT',
      path: `${CONFIG_MAPS}/o-${i % OBJECTS}`,
      body: configMap(`o-${i % OBJECTS}`, String(i)),
    }),
  },
  { name: 'get', request: (i) => ({ method: 'GET', path: `${CONFIG_MAPS}/o-${i % OBJECTS}` }) },
  { name: 'list of 100', request: () => ({ method: 'GET', path: `${CONFIG_MAPS}?limit=100` }) },
];

/** The same work over each store, durable where the store is, beside memory in the same run. */
export const stores: BenchScenario = {
  name: 'stores',
  async run({ milliseconds: duration }) {
    const rows: FigureRow[] = [];
    const inMemory = new Map<string, number>();
    for (const { name, open } of PLACES) {
      const place = await open();
      if (!place) {
        rows.push({ name: `${name}: not measured`, figure: String(NO_ETCD) });
        continue;
      }
      const reference = await startReference(place.flags);
      try {
        for (const [act, perSecondNow, row] of await measure(reference, duration)) {
          const memory = inMemory.get(act);
          inMemory.set(act, memory ?? perSecondNow);
          const ratio = memory === undefined ? undefined : `${(perSecondNow / memory).toFixed(2)} of memory`;
          rows.push({ name: `${name}: ${act}`, figure: row, ...(ratio ? { ratio } : {}) });
        }
      } finally {
        await reference.stop();
        await place.end();
      }
    }
    return rows;
  },
};

/** What was done, how often in a second, and that in words. */
async function measure(reference: Served, duration: number): Promise<[string, number, string][]> {
  const pool = poolTo(reference);
  for (let i = 0; i < OBJECTS; i++) {
    await send(pool, reference, { method: 'POST', path: CONFIG_MAPS, body: configMap(`o-${i}`) });
  }
  await pool.destroy();
  const figures: [string, number, string][] = [];
  for (const { name, request, clients } of ACTS) {
    const result = await load(reference, request, duration, clients);
    const failed = result.failures ? `, ${result.failures} failed` : '';
    const figure = `${perSecond(result.perSecond)}, p99 ${milliseconds(result.p99)}${failed}`;
    figures.push([name, result.perSecond, figure]);
  }
  const { eventsPerSecond, p99 } = await watchDelays(reference, {
    watchers: WATCHERS,
    changesPerSecond: CHANGES_PER_SECOND,
    milliseconds: duration,
  });
  const delivered = `${perSecond(eventsPerSecond)} events, p99 delay ${milliseconds(p99)}`;
  figures.push([`${WATCHERS} watchers, ${CHANGES_PER_SECOND} changes/s`, eventsPerSecond, delivered]);
  return figures;
}
