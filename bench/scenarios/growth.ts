import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimDirectory, openDurable } from '../../reference/storage/durable/openDurable.ts';
import { VirtualClock } from '../../reference/time.ts';
import { type LoadResult, load, poolTo, send } from '../load.ts';
import { type Served, startReference } from '../processes.ts';
import { watchDelays } from './fanOut.ts';
import { fillDirectory } from './filledDirectory.ts';
import {
  type BenchScenario,
  CONFIG_MAPS,
  configMap,
  type FigureRow,
  megabytes,
  milliseconds,
  perSecond,
} from './scenario.ts';

const FEW = 1_000;
/** `BENCH_OBJECTS=1000000` measures what a million cost. */
const MANY = Number(process.env.BENCH_OBJECTS ?? 100_000);

/** What was measured of a directory with so many objects. */
interface Figures {
  /** Milliseconds until the store in the directory can be used, without the rest of a server. */
  readonly opening: number;
  /** Milliseconds from process start until a server with it is ready. */
  readonly ready: number;
  readonly memory: number;
  readonly get: LoadResult;
  readonly create: LoadResult;
  /** A list of which a label selects nothing, one at a time. */
  readonly filtered: LoadResult;
  /** Chunks of 100 deep in the list. */
  readonly page: LoadResult;
  /** Milliseconds. */
  readonly eventP99: number;
}

/** What a hundred times as many objects cost: opening a directory with them, and each thing done in it. */
export const growth: BenchScenario = {
  name: 'growth of a directory',
  async run({ milliseconds: duration }) {
    const few = await measure(FEW, duration);
    const many = await measure(MANY, duration);
    const count = (objects: number) => objects.toLocaleString('en');
    const rows: FigureRow[] = [
      { name: `open a directory of ${count(FEW)}`, figure: milliseconds(few.opening) },
      { name: `open a directory of ${count(MANY)}`, figure: milliseconds(many.opening) },
      { name: `process start to ready with ${count(FEW)}`, figure: milliseconds(few.ready) },
      { name: `process start to ready with ${count(MANY)}`, figure: milliseconds(many.ready) },
      { name: `resident memory with ${count(MANY)}`, figure: megabytes(many.memory) },
    ];
    rows.push({
      name: `list of ${count(MANY)} filtered to none by a label, one client`,
      figure: milliseconds(1_000 / many.filtered.perSecond),
    });
    for (const what of ['get', 'page', 'create'] as const) {
      rows.push({
        name: `${what} among ${count(MANY)}`,
        figure: `${perSecond(many[what].perSecond)}, p99 ${milliseconds(many[what].p99)}`,
        ratio: `${(many[what].perSecond / few[what].perSecond).toFixed(2)} of among ${count(FEW)}`,
      });
    }
    rows.push({
      name: `p99 delay of a watch event among ${count(MANY)}`,
      figure: milliseconds(many.eventP99),
      ratio: `${(many.eventP99 / few.eventP99).toFixed(2)} of among ${count(FEW)}`,
    });
    return rows;
  },
};

async function measure(objects: number, duration: number): Promise<Figures> {
  const scratch = mkdtempSync(join(tmpdir(), 'touchstone-growth-'));
  const path = join(scratch, 'data');
  try {
    await fillDirectory(path, objects);
    const opening = await timeToOpen(path);
    const server = await startReference(['--data-dir', path]);
    try {
      const { readyAfter: ready } = server;
      const memory = await server.memory();
      const get = await load(
        server,
        (index) => ({ method: 'GET', path: `${CONFIG_MAPS}/o-${(index * 7_919) % objects}` }),
        duration,
      );
      const filtered = await load(
        server,
        () => ({ method: 'GET', path: `${CONFIG_MAPS}?labelSelector=app%3Dnothing` }),
        duration,
        1,
      );
      const next = await deepInto(server, objects);
      const page = await load(server, () => ({ method: 'GET', path: next }), duration, 8);
      const create = await load(
        server,
        (index) => ({ method: 'POST', path: CONFIG_MAPS, body: configMap(`new-${index}`) }),
        duration,
        64,
      );
      const asked = { watchers: 50, changesPerSecond: 50, milliseconds: duration };
      const { p99: eventP99 } = await watchDelays(server, asked);
      return { opening, ready, memory, get, filtered, page, create, eventP99 };
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Where the list goes on behind half of so many objects, or behind a hundred thousand. */
async function deepInto(server: Served, objects: number): Promise<string> {
  const pool = poolTo(server);
  const steps = 20;
  const limit = Math.min(5_000, Math.floor(objects / 2 / steps));
  let token = '';
  try {
    for (let step = 0; step < steps; step++) {
      const path = `${CONFIG_MAPS}?limit=${limit}&continue=${token}`;
      const { metadata } = JSON.parse((await send(pool, server, { method: 'GET', path })).toString()) as ListAnswer;
      token = metadata.continue;
    }
    return `${CONFIG_MAPS}?limit=${CHUNK}&continue=${token}`;
  } finally {
    await pool.destroy();
  }
}

const CHUNK = 100;

interface ListAnswer {
  readonly metadata: { readonly continue: string };
}

async function timeToOpen(path: string): Promise<number> {
  const started = performance.now();
  const directory = await claimDirectory(path, { dialect: 'kubernetes' });
  const store = openDurable(directory, { clock: new VirtualClock() });
  const took = performance.now() - started;
  await store.close();
  directory.release();
  return took;
}
