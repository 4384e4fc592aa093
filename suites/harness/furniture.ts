import type { Client } from './client.ts';
import { configMaps, type Kind, pathOf, serviceAccounts } from './kinds.ts';
import type { Target } from './target.ts';

/** Milliseconds that a namespace has to be furnished before a check goes on without. */
const PATIENCE = 3_000;

const known = new WeakMap<Target, Promise<readonly (readonly [Kind, string])[]>>();

/**
 * Waits until a new namespace has what the target puts into each by itself, if it does so at all: that comes a moment
 * later, and must not be taken for something of the check.
 */
export async function furnished(target: Target, admin: Client, namespace: string): Promise<void> {
  let furniture = known.get(target);
  if (!furniture) {
    furniture = furnitureOf(target, admin);
    known.set(target, furniture);
  }
  const deadline = performance.now() + PATIENCE;
  for (const [kind, name] of await furniture) {
    const path = pathOf(kind, target.dialect, namespace, name);
    for (let pause = 10; performance.now() < deadline; pause = Math.min(200, pause * 2)) {
      const answer = await admin.send(`admin looks for ${kind.plural} ${name}`, 'GET', path);
      if (answer.status !== 404) break;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** What the oldest of all namespaces has, of what is known to be put there. */
async function furnitureOf(target: Target, admin: Client): Promise<readonly (readonly [Kind, string])[]> {
  const candidates = [
    [serviceAccounts, 'default'],
    [configMaps, target.dialect.rootCaConfigMap],
  ] as const;
  const found: (readonly [Kind, string])[] = [];
  for (const [kind, name] of candidates) {
    const path = pathOf(kind, target.dialect, 'default', name);
    const answer = await admin.send(`admin looks for ${kind.plural} ${name}`, 'GET', path);
    if (answer.status === 200) found.push([kind, name]);
  }
  return found;
}
