import { Connections } from '../client/connections.ts';
import { isRecord } from '../json.ts';
import {
  clusterRoleBindings,
  clusterRoles,
  customResourceDefinitions,
  type Kind,
  namespaces,
  pathOf,
  webhookConfigurations,
} from '../kinds.ts';
import { RUN_LABEL } from '../space.ts';
import { Prober } from './probe.ts';
import type { Target } from './target.ts';

/** Everything cluster-scoped that checks and storms create; what is namespaced goes with its namespace. */
const SWEPT: readonly Kind[] = [
  webhookConfigurations,
  customResourceDefinitions,
  clusterRoleBindings,
  clusterRoles,
  namespaces,
];

/**
 * Removes whatever of a run is still on the target and waits until it is gone: after a run that ended well there is
 * nothing but namespaces that are still emptying themselves, after one that was killed there may be anything.
 *
 * @param within milliseconds.
 * @returns what is left behind; empty when everything is gone.
 */
export async function sweep(target: Target, run: string, within = 20_000): Promise<string[]> {
  const connections = new Connections(target);
  // Who has no right to define types made no definitions, and may not list them either.
  const defines = target.capabilities.some(({ name, present }) => name === 'custom-types' && present);
  const swept = SWEPT.filter((kind) => kind !== customResourceDefinitions || defines);
  try {
    const prober = new Prober(target.base, connections);
    const deadline = performance.now() + within;
    for (let pause = 20; ; pause = Math.min(500, pause * 2)) {
      const left = (await Promise.all(swept.map((kind) => leftOf(prober, target, kind, run)))).flat();
      if (left.length === 0) return [];
      if (performance.now() > deadline) return left.map(({ words }) => words);
      // A namespace that is on its way out needs no second order.
      await Promise.all(left.filter(({ going }) => !going).map(({ path }) => remove(prober, target, path)));
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  } finally {
    await connections.close();
  }
}

interface Left {
  readonly path: string;
  readonly words: string;
  readonly going: boolean;
}

async function leftOf(prober: Prober, target: Target, kind: Kind, run: string): Promise<Left[]> {
  const collection = pathOf(kind, target.dialect, '');
  const selector = encodeURIComponent(`${RUN_LABEL}=${run}`);
  const answer = await prober.get(target.identities.admin ?? {}, `${collection}?labelSelector=${selector}`);
  // A target that does not answer, or does not serve the kind, cannot be asked what is left.
  if (answer.status === 404) return [];
  if (answer.status !== 200) {
    return [
      { path: '', going: true, words: `perhaps ${kind.plural} (${answer.failure ?? `answer ${answer.status}`})` },
    ];
  }
  const items = isRecord(answer.json) && Array.isArray(answer.json.items) ? answer.json.items : [];
  return items.flatMap((item: unknown): Left[] => {
    const metadata = isRecord(item) ? item.metadata : undefined;
    if (!isRecord(metadata) || typeof metadata.name !== 'string') return [];
    const path = pathOf(kind, target.dialect, '', metadata.name);
    const going = typeof metadata.deletionTimestamp === 'string' && kind === namespaces;
    return [{ path, going, words: `${kind.plural} ${metadata.name}` }];
  });
}

async function remove(prober: Prober, target: Target, path: string): Promise<void> {
  const admin = target.identities.admin ?? {};
  const answer = await prober.send(admin, 'DELETE', path);
  const metadata = isRecord(answer.json) ? answer.json.metadata : undefined;
  if (!isRecord(metadata) || metadata.finalizers === undefined) return;
  const merge = { 'content-type': 'application/merge-patch+json' };
  await prober.send(admin, 'PATCH', path, merge, { metadata: { finalizers: null } });
}
