import { CLIENTS, load, poolTo, send } from '../load.ts';
import { type BenchScenario, CONFIG_MAPS, configMap, megabytes, milliseconds, perSecond } from './scenario.ts';

const OBJECTS = 100_000;
const PAGE = 500;

/** What a hundred thousand one-kilobyte objects cost: memory, pages in the middle of them, and single reads. */
export const largeCollection: BenchScenario = {
  name: 'large collection',
  async run({ reference, milliseconds: duration }) {
    const before = await reference.memory();
    const pool = poolTo(reference);
    let next = 0;
    const writer = async () => {
      while (next < OBJECTS) {
        await send(pool, reference, { method: 'POST', path: CONFIG_MAPS, body: configMap(`o-${next++}`) });
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, writer));
    const after = await reference.memory();
    let token = '';
    // Tokens from all over the collection, so that no page is a cheap one.
    const tokens = [''];
    for (let page = 0; page < 20; page++) {
      const path = `${CONFIG_MAPS}?limit=${PAGE}&continue=${encodeURIComponent(token)}`;
      const list = JSON.parse((await send(pool, reference, { method: 'GET', path })).toString()) as {
        metadata: { continue?: string };
      };
      token = list.metadata.continue ?? '';
      tokens.push(token);
    }
    await pool.destroy();
    const pages = await load(
      reference,
      (index) => ({
        method: 'GET',
        path: `${CONFIG_MAPS}?limit=${PAGE}&continue=${encodeURIComponent(tokens[index % tokens.length] ?? '')}`,
      }),
      duration,
      8,
    );
    const gets = await load(
      reference,
      (index) => ({ method: 'GET', path: `${CONFIG_MAPS}/o-${(index * 7919) % OBJECTS}` }),
      duration,
    );
    return [
      { name: `memory for ${OBJECTS.toLocaleString('en')} objects`, figure: megabytes(after - before) },
      {
        name: `pages of ${PAGE} out of ${OBJECTS.toLocaleString('en')}`,
        figure: `${perSecond(pages.perSecond)}, ${megabytes(pages.bytesPerSecond)}/s, p99 ${milliseconds(pages.p99)}`,
      },
      {
        name: `get one of ${OBJECTS.toLocaleString('en')}`,
        figure: `${perSecond(gets.perSecond)}, p99 ${milliseconds(gets.p99)}`,
      },
    ];
  },
};
