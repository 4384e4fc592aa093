import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Pool } from 'undici';
import { ask, type LoadAnswer, poolTo, send } from '../load.ts';
import { type Served, startGauged } from '../processes.ts';
import { type BenchScenario, type FigureRow, milliseconds } from './scenario.ts';
import { ANSWERS } from './stops/answers.ts';
import { BODIES } from './stops/bodies.ts';
import { DEFINITIONS } from './stops/definitions.ts';
import { QUESTIONS } from './stops/questions.ts';
import { configMap, HELD_MAPS, MANY, MANY_MAPS, namespace, post, type Stops, small } from './stops/stop.ts';
import { TYPES } from './stops/types.ts';

/** As many clients write the items of the collections at a time. */
const WRITERS = 16;

const REQUESTS: Stops = { ...BODIES, ...TYPES, ...DEFINITIONS, ...QUESTIONS, ...ANSWERS };

/**
 * How long one request with as much as fits into a body, or for many objects, holds up all others, beside the parsing of
 * as many bytes. A request that is not answered as it should be is told in its row, and makes the whole end with 1.
 * BENCH_STOPS is an expression for the rows to measure; all unless told.
 */
export const stops: BenchScenario = {
  name: 'stops',
  async run() {
    const reference = await startGauged(['--feature-gates=CBORServingAndStorage=true']);
    const prober = new Worker(new URL('../prober.mjs', import.meta.url), { workerData: { base: reference.base } });
    const longest = async (): Promise<number> => {
      prober.postMessage('tell');
      const [told] = await once(prober, 'message');
      return told as number;
    };
    const pool = poolTo(reference, WRITERS);
    const rows: FigureRow[] = [];
    try {
      const wanted = new RegExp(process.env.BENCH_STOPS ?? '');
      if (Object.keys(ANSWERS).some((name) => wanted.test(name))) await fill(pool, reference);
      for (const [name, stop] of Object.entries(REQUESTS)) {
        if (!wanted.test(name)) continue;
        const { after = [], request, asJson, code, last = [] } = stop();
        for (const one of after) await send(pool, reference, one);
        const text = asJson ?? (request.body as string | undefined);
        const began = performance.now();
        if (text !== undefined) JSON.parse(text);
        const parsing = text === undefined ? '' : `JSON.parse of it ${milliseconds(performance.now() - began)}`;
        await longest();
        await reference.turns();
        const answer = await ask(pool, reference, request).catch((error: unknown) => String(error));
        const fault = faultOf(answer, code);
        if (fault !== '') process.exitCode = 1;
        const wait = milliseconds(await longest());
        const { longest: turn, used } = await reference.turns();
        const processor = `longest turn ${milliseconds(turn)} of ${milliseconds(used)} of a processor`;
        const ratio = [processor, parsing, fault].filter((part) => part !== '').join('; ');
        rows.push({ name: `longest stop: ${name}`, figure: wait, ratio });
        // The whole takes long: each row is told as it comes.
        console.error(`${name}: ${wait}; ${ratio}`);
        for (const one of last) await ask(pool, reference, one);
      }
    } finally {
      await prober.terminate();
      await pool.destroy();
      await reference.stop();
    }
    return rows;
  },
};

/** Makes the collections that are listed, watched and deleted whole. */
async function fill(pool: Pool, reference: Served): Promise<void> {
  for (const name of ['many', 'held']) await send(pool, reference, post('/api/v1/namespaces', namespace(name)));
  for (let at = 0; at < MANY; at += WRITERS) {
    const some = Array.from({ length: Math.min(WRITERS, MANY - at) }, (_, i) => `m${at + i}`);
    await Promise.all(some.map((name) => send(pool, reference, post(MANY_MAPS, small(name)))));
    const held = some.map((name) => configMap(name, { finalizers: ['bench.example.com/held'] }));
    await Promise.all(held.map((one) => send(pool, reference, post(HELD_MAPS, one))));
  }
}

/** What is wrong with an answer, or with what came in its place; empty where it is as it should be. */
function faultOf(answer: LoadAnswer | string, code: number | undefined): string {
  if (typeof answer === 'string') return `NO ANSWER: ${answer.slice(0, 300)}`;
  if (code === undefined ? answer.code < 400 : answer.code === code) return '';
  return `ANSWERED ${answer.code}: ${answer.body.toString().slice(0, 300)}`;
}
