import { setTimeout as wait } from 'node:timers/promises';
import { type LoadRequest, poolTo, send } from '../load.ts';
import type { Served } from '../processes.ts';
import { type BenchScenario, CONFIG_MAPS, type FigureRow, megabytes, perSecond } from './scenario.ts';

/** Bytes of an object, as far as its one entry goes, and how many of that size are replaced in a round. */
const SIZES = [
  { bytes: 1_000, aRound: 50 },
  { bytes: 100_000, aRound: 5 },
  { bytes: 1_000_000, aRound: 1 },
] as const;
const OBJECTS = 8;
const SAMPLE_MS = 500;
/** Parts of the time, of each of which the most that was resident is told. */
const PARTS = 6;

/**
 * Resident memory while a few objects of every size are replaced: what was replaced is history, whose bytes are bounded.
 * An hour is BENCH_SECONDS=3600. BENCH_ROUNDS_A_SECOND keeps rounds to a pace; without it the next begins when the last ends.
 */
export const soak: BenchScenario = {
  name: 'soak',
  async run({ reference, milliseconds }) {
    const pace = Number(process.env.BENCH_ROUNDS_A_SECOND ?? 0);
    const pool = poolTo(reference, OBJECTS);
    for (const { bytes } of SIZES) {
      for (let at = 0; at < OBJECTS; at++) await send(pool, reference, create(bytes, at));
    }
    const before = reference.processorTime();
    const { samples, stop } = sampled(reference);
    const begun = performance.now();
    const done = new Map<number, number>();
    let failures = 0;
    let rounds = 0;
    for (; performance.now() - begun < milliseconds; rounds++) {
      if (pace > 0) await wait(Math.max(0, begun + (rounds * 1000) / pace - performance.now()));
      for (const { bytes, aRound } of SIZES) {
        const answers = await Promise.allSettled(
          Array.from({ length: aRound }, (_, at) => send(pool, reference, replace(bytes, rounds * aRound + at))),
        );
        const taken = answers.filter((answer) => answer.status === 'fulfilled').length;
        done.set(bytes, (done.get(bytes) ?? 0) + taken);
        failures += aRound - taken;
      }
    }
    const seconds = (performance.now() - begun) / 1000;
    stop();
    await pool.destroy();
    const used = (reference.processorTime() - before) / 1000;
    const rows: FigureRow[] = [...done].map(([bytes, count]) => ({
      name: `replacing objects of ${bytes.toLocaleString('en')} bytes`,
      figure: `${count.toLocaleString('en')} times, ${perSecond(count / seconds)}`,
    }));
    const parts = Array.from({ length: PARTS }, (_, part) => {
      const of = samples.slice((samples.length * part) / PARTS, (samples.length * (part + 1)) / PARTS);
      return Math.max(0, ...of);
    });
    rows.push({
      name: `resident at most, in each ${PARTS}th of ${seconds.toFixed(0)} s`,
      figure: parts.map(megabytes).join(', '),
      ratio: `${((parts[PARTS - 1] ?? 0) / (parts[0] ?? 1)).toFixed(2)} in the last of the first`,
    });
    rows.push({
      name: 'processor time',
      figure: `${used.toFixed(0)} s${failures ? `, ${failures} requests failed` : ''}`,
    });
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
