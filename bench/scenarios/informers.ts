import { mkdtempSync, rmSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Served, startReference } from '../processes.ts';
import { fillDirectory } from './filledDirectory.ts';
import { type BenchScenario, CONFIG_MAPS, type FigureRow, megabytes, perSecond } from './scenario.ts';

const INFORMERS = 128;
const OBJECTS = 100_000;

/** What came of one informer. */
interface Synced {
  /** With the few that a namespace has by itself. */
  readonly events: number;
  readonly bytes: number;
  /** Why it is not synced. */
  readonly error?: string;
}

/** Many informers that begin at once with all objects of a large collection, as after the restart of a server. */
export const informers: BenchScenario = {
  name: 'informers',
  async run() {
    const scratch = mkdtempSync(join(tmpdir(), 'touchstone-informers-'));
    try {
      const path = join(scratch, 'data');
      await fillDirectory(path, OBJECTS);
      const server = await startReference(['--data-dir', path]);
      try {
        return await measure(server);
      } finally {
        await server.stop();
      }
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};

async function measure(server: Served): Promise<FigureRow[]> {
  let most = 0;
  let over = false;
  const started = performance.now();
  const all = Promise.all(Array.from({ length: INFORMERS }, () => sync(server))).finally(() => {
    over = true;
  });
  while (!over) {
    most = Math.max(most, await server.memory());
    await Promise.race([all.catch(() => {}), new Promise((resolve) => setTimeout(resolve, 200))]);
  }
  const outcomes = await all;
  const seconds = (performance.now() - started) / 1_000;
  const failed = outcomes.filter(({ error, events }) => error !== undefined || events < OBJECTS);
  const events = outcomes.reduce((sum, outcome) => sum + outcome.events, 0);
  const bytes = outcomes.reduce((sum, outcome) => sum + outcome.bytes, 0);
  const count = `${INFORMERS} informers of ${OBJECTS.toLocaleString('en')}`;
  const why = failed[0]?.error ?? `${failed[0]?.events} events`;
  return [
    {
      name: `${count} synced by initial events`,
      figure: `${seconds.toFixed(1)} s, ${failed.length} failed${failed.length ? `: ${why}` : ''}`,
    },
    { name: 'events meanwhile', figure: `${perSecond(events / seconds)}, ${megabytes(bytes / seconds)}/s` },
    { name: 'resident memory meanwhile, at most', figure: megabytes(most) },
  ];
}

const SYNCED = 'initial-events-end';
const NEW_LINE = 0x0a;

/** Watches from the present state on until the bookmark that ends it. */
function sync(server: Served): Promise<Synced> {
  const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const headers = { authorization: `Bearer ${server.token}` };
  return new Promise((resolve) => {
    let lines = 0;
    let bytes = 0;
    let tail = '';
    const end = (error?: string) => resolve({ events: Math.max(0, lines - 1), bytes, ...(error ? { error } : {}) });
    const options = { agent: false, rejectUnauthorized: false, headers };
    const request = https.get(`${server.base}${CONFIG_MAPS}?${query}`, options, (response) => {
      if (response.statusCode !== 200) return end(`answered ${response.statusCode}`);
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, at + 1)) lines++;
        // The bookmark may come in two pieces.
        tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - 1_000))).slice(-1_000);
        if (!tail.includes(SYNCED) || !tail.endsWith('\n')) return;
        end();
        request.destroy();
      });
      response.on('end', () => end('the watch ended before it was synced'));
      response.on('error', (error) => end(error.message));
    });
    request.on('error', (error) => end(error.message));
  });
}
