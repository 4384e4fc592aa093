import { load, poolTo, send } from '../load.ts';
import { startBare } from '../processes.ts';
import { type BenchScenario, CONFIG_MAPS, configMap, milliseconds, perSecond } from './scenario.ts';

/** Get, create and patch of one-kilobyte objects beside a bare server that answers as many bytes. */
export const singleObjects: BenchScenario = {
  name: 'single objects',
  async run({ reference, milliseconds: duration }) {
    const pool = poolTo(reference, 1);
    await send(pool, reference, { method: 'POST', path: CONFIG_MAPS, body: configMap('one') });
    const bytes = (await send(pool, reference, { method: 'GET', path: `${CONFIG_MAPS}/one` })).length;
    await pool.destroy();
    const bare = await startBare(bytes);
    const bareGet = await load(bare, () => ({ method: 'GET', path: '/' }), duration);
    const bareCreate = await load(
      bare,
      (index) => ({ method: 'POST', path: '/', body: configMap(`c-${index}`) }),
      duration,
    );
    await bare.stop();

    const get = await load(reference, () => ({ method: 'GET', path: `${CONFIG_MAPS}/one` }), duration);
    const create = await load(
      reference,
      (index) => ({ method: 'POST', path: CONFIG_MAPS, body: configMap(`c-${index}`) }),
      duration,
    );
    const patch = await load(
      reference,
      (index) => ({
        method: 'PATCH',
        path: `${CONFIG_MAPS}/c-${index % 100}`,
        contentType: 'application/merge-patch+json',
        body: JSON.stringify({ data: { extra: String(index) } }),
      }),
      duration,
    );
    const row = (name: string, result: typeof get, beside?: typeof get) => ({
      name,
      figure: `${perSecond(result.perSecond)}, p99 ${milliseconds(result.p99)}${result.failures ? `, ${result.failures} failed` : ''}`,
      ratio: beside && `${(result.perSecond / beside.perSecond).toFixed(2)} of bare`,
    });
    return [
      row('bare server: get', bareGet),
      row('get one object', get, bareGet),
      row('bare server: post', bareCreate),
      row('create', create, bareCreate),
      row('merge patch', patch),
    ];
  },
};
