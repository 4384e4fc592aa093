import { load, poolTo, send } from '../load.ts';
import { type BenchScenario, CONFIG_MAPS, configMap, megabytes, milliseconds, perSecond } from './scenario.ts';

const OBJECTS = 1000;

/** Lists of a thousand one-kilobyte objects: whole, in pages, and filtered to none. */
export const collections: BenchScenario = {
  name: 'collections',
  async run({ reference, milliseconds: duration }) {
    const pool = poolTo(reference);
    await Promise.all(
      Array.from({ length: OBJECTS }, (_, index) =>
        send(pool, reference, { method: 'POST', path: CONFIG_MAPS, body: configMap(`l-${index}`) }),
      ),
    );
    await pool.destroy();
    const list = (query: string) => load(reference, () => ({ method: 'GET', path: CONFIG_MAPS + query }), duration, 8);
    const rows = [
      { name: `list of ${OBJECTS}`, result: await list('') },
      { name: 'page of 100', result: await list('?limit=100') },
      { name: `list of ${OBJECTS} filtered to none`, result: await list('?labelSelector=app%3Dnone') },
    ];
    return rows.map(({ name, result }) => ({
      name,
      figure: `${perSecond(result.perSecond)}, ${megabytes(result.bytesPerSecond)}/s, p99 ${milliseconds(result.p99)}`,
    }));
  },
};
