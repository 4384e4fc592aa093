import { isRecord } from '../suites/harness/json.ts';
import type { Wire } from './server.ts';

/** Lets go of what clients held, which would keep the namespace for ever. */
export async function release(stage: Wire, collection: string): Promise<void> {
  const { json } = await stage.send('GET', collection);
  const items: readonly unknown[] = isRecord(json) && Array.isArray(json.items) ? json.items : [];
  for (const item of items) {
    const metadata = isRecord(item) && isRecord(item.metadata) ? item.metadata : {};
    if (!Array.isArray(metadata.finalizers)) continue;
    const contentType = 'application/merge-patch+json';
    await stage.send('PATCH', `${collection}/${metadata.name}`, {
      contentType,
      body: { metadata: { finalizers: null } },
    });
  }
}
