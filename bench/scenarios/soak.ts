import { type LoadRequest, load, poolTo, send } from '../load.ts';
import type { Served } from '../processes.ts';
import { type BenchScenario, CONFIG_MAPS, type FigureRow, megabytes, perSecond } from './scenario.ts';

/** Bytes of an object, as far as its one entry goes. */
const SIZES = [1_000, 100_000, 1_000_000] as const;
const OBJECTS = 8;
const SAMPLE_MS = 500;

/**
 * Resident memory while a few objects are replaced without end: what was replaced is history, whose bytes are bounded.
 * An hour of each size is BENCH_SECONDS=3600.
 */
export const soak: BenchScenario = {
  name: 'soak',
  async run({ reference, milliseconds }) {
    const rows: FigureRow[] = [];
    const pool = poolTo(reference, 1);
    for (const size of SIZES) {
      for (let at = 0; at < OBJECTS; at++) await send(pool, reference, create(size, at));
      const { samples, stop } = sampled(reference);
      const result = await load(reference, (index) => replace(size, index), milliseconds, OBJECTS);
      stop();
      const half = Math.floor(samples.length / 2);
      const most = (some: readonly number[]) => Math.max(0, ...some);
      rows.push({
        name: `replacing objects of ${size.toLocaleString('en')} bytes`,
        figure: `${perSecond(result.perSecond)}, resident at most ${megabytes(most(samples))}${result.failures ? `, ${result.failures} failed` : ''}`,
        ratio: `${(most(samples.slice(half)) / most(samples.slice(0, half))).toFixed(2)} in the second half of the first`,
      });
    }
    await pool.destroy();
    return rows;
  },
};

const nameOf = (size: number, at: number): string => `soak-${size}-${at % OBJECTS}`;

function textOf(size: number, index: number): string {
  const data = { payload: String(index).padEnd(size, 'x') };
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: nameOf(size, index) }, data });
}
const create = (size: number, index: number): LoadRequest => ({
  method: 'POST',
  path: CONFIG_MAPS,
  body: textOf(size, index),
});
const replace = (size: number, index: number): LoadRequest => ({
  method: 'PUT',
  path: `${CONFIG_MAPS}/${nameOf(size, index)}`,
  body: textOf(size, index),
});

/** Resident bytes of a server, looked at twice a second until it is stopped. */
function sampled(server: Served): { readonly samples: number[]; stop(): void } {
  const samples: number[] = [];
  const timer = setInterval(() => {
    server.memory().then(
      (bytes) => samples.push(bytes),
      () => {},
    );
  }, SAMPLE_MS);
  return { samples, stop: () => clearInterval(timer) };
}
