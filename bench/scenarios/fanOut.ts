import http from 'node:http';
import https from 'node:https';
import { poolTo, send } from '../load.ts';
import type { LoadTarget } from '../processes.ts';
import { type BenchScenario, CONFIG_MAPS, configMap, milliseconds, perSecond } from './scenario.ts';

const WATCHERS = 1000;
const CHANGES_PER_SECOND = 100;

/** Many watchers of one collection while it changes at a steady rate: delivered events and their delay. */
export const fanOut: BenchScenario = {
  name: 'watch fan-out',
  async run({ reference, milliseconds: duration }) {
    const asked = { watchers: WATCHERS, changesPerSecond: CHANGES_PER_SECOND, milliseconds: duration };
    const { eventsPerSecond, p99 } = await watchDelays(reference, asked);
    return [
      {
        name: `${WATCHERS} watchers, ${CHANGES_PER_SECOND} changes/s`,
        figure: `${perSecond(eventsPerSecond)} events, p99 delay ${milliseconds(p99)}`,
      },
    ];
  },
};

/** Watches one object by many while it is changed at a steady rate; delays are in milliseconds from before the change. */
export async function watchDelays(
  reference: LoadTarget,
  asked: { readonly watchers: number; readonly changesPerSecond: number; readonly milliseconds: number },
): Promise<{ readonly eventsPerSecond: number; readonly p99: number }> {
  const pool = poolTo(reference, 4);
  await send(pool, reference, { method: 'POST', path: CONFIG_MAPS, body: configMap('watched') });
  const delays: number[] = [];
  let events = 0;
  const watchers = await Promise.all(
    Array.from({ length: asked.watchers }, () =>
      watch(reference, CONFIG_MAPS, (sentAt) => {
        events++;
        // One in ten is enough for a percentile, and keeps the measuring cheap.
        if (events % 10 === 0) delays.push(performance.timeOrigin + performance.now() - sentAt);
      }),
    ),
  );
  const started = performance.now();
  for (let change = 0; performance.now() - started < asked.milliseconds; change++) {
    const due = started + (change * 1000) / asked.changesPerSecond;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    await send(pool, reference, {
      method: 'PATCH',
      path: `${CONFIG_MAPS}/watched`,
      contentType: 'application/merge-patch+json',
      body: JSON.stringify({ data: { sentAt: String(performance.timeOrigin + performance.now()) } }),
    });
  }
  const seconds = (performance.now() - started) / 1000;
  for (const stop of watchers) stop();
  await pool.destroy();
  delays.sort((a, b) => a - b);
  return { eventsPerSecond: events / seconds, p99: delays[Math.floor(delays.length * 0.99)] ?? 0 };
}

/**
 * Watches the config map `watched` of a collection over a connection of its own.
 * @param seen is told of each event when its change was sent, in milliseconds since the epoch.
 * @returns what ends the watch.
 */
export function watch(server: LoadTarget, collection: string, seen: (sentAt: number) => void): Promise<() => void> {
  const url = `${server.base}${collection}?watch=true&fieldSelector=metadata.name%3Dwatched&resourceVersion=0`;
  const headers = server.token ? { authorization: `Bearer ${server.token}` } : {};
  const get = url.startsWith('https:') ? https.get : http.get;
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, rejectUnauthorized: false, ...server.client, headers }, (response) => {
      response.on('data', (chunk: Buffer) => {
        for (const match of chunk.toString('latin1').matchAll(/"sentAt":"([\d.]+)"/g)) seen(Number(match[1]));
      });
      response.on('error', () => undefined);
      if (response.statusCode === 200) resolve(() => request.destroy());
      else reject(new Error(`a watch was answered ${response.statusCode}`));
    });
    request.on('error', reject);
  });
}
