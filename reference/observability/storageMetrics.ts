import { formatGroupResource } from '../api/groupVersion.ts';
import type { ResourceRegistry } from '../contracts/resourceRegistry.ts';
import type { Store } from '../contracts/store.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';
import type { MetricDescription, MetricsRegistry } from './metrics.ts';

const OBJECTS: MetricDescription<'resource'> = {
  name: 'apiserver_storage_objects',
  help: 'Objects stored, by resource.',
  stability: 'STABLE',
  labels: ['resource'],
};
/** The same under its older name. */
const OLD_OBJECTS: MetricDescription<'resource'> = {
  ...OBJECTS,
  name: 'etcd_object_counts',
  deprecated: 22,
};
/** What no other service has: it is told whatever the release. */
const HISTORY: MetricDescription<never> = {
  name: 'touchstone_storage_history_bytes',
  help: 'Bytes of replaced states that are kept for reads and watches of the past.',
  stability: 'ALPHA',
  labels: [],
};
/** First release with the newer name. */
const OBJECTS_SINCE = 21;

/** Tells how many objects of each resource are stored, when somebody reads the metrics. */
export function storageMetrics(
  metrics: MetricsRegistry,
  {
    store,
    registry,
    release,
  }: { readonly store: Store; readonly registry: ResourceRegistry; readonly release: number },
): void {
  const names = [...(release >= OBJECTS_SINCE ? [OBJECTS] : []), OLD_OBJECTS].filter((one) => metrics.tells(one));
  const gauges = names.map((description) => metrics.gauge(description));
  const history = metrics.gauge(HISTORY);
  metrics.beforeReading(async () => {
    history.set({}, store.historyBytes());
    const seen = new Set<string>();
    for (const type of registry.types()) {
      const prefix = collectionPrefix(type);
      const kept = [...type.versions.values()].some(({ operation }) => operation === undefined);
      // Two groups may show the same objects.
      if (seen.has(prefix) || !kept || type.computed) continue;
      seen.add(prefix);
      const resource = formatGroupResource(type.storedAs ?? type);
      const count = await countOf(store, prefix);
      for (const gauge of gauges) gauge.set({ resource }, count);
    }
  });
}

/** How many objects there are; -1 while the store cannot tell. */
async function countOf(store: Store, prefix: string): Promise<number> {
  try {
    const { entries, remaining } = await store.range({ prefix, limit: 1 });
    return entries.length + remaining;
  } catch {
    return -1;
  }
}
