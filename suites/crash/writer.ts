import { isRecord } from '../harness/index.ts';
import type { Draws } from './plan.ts';
import type { Recorder } from './recorder.ts';
import type { RestartingServer } from './restartingServer.ts';

/** Where all clients of a run write. */
export const NAMESPACE = 'crash';
export const COLLECTION = `/api/v1/namespaces/${NAMESPACE}/configmaps`;

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
/** What clients do, each as often as it stands here. */
const ACTS = ['create', 'create', 'create', 'replace', 'replace', 'patch', 'patch', 'delete', 'get', 'list'] as const;
/** Most bytes that a write adds, so that objects need one page of a disk or several. */
const PADDING = 6_000;

/** Whether the clients of a run write to an object of this name. */
export const isOurs = (name: string): boolean => NAMES.includes(name);

/** A client that reads and writes without a pause, in every life of the server, until the curtain falls. */
export async function write(
  client: string,
  draws: Draws,
  { lifeline, recorder, curtain }: { lifeline: RestartingServer; recorder: Recorder; curtain: AbortSignal },
): Promise<void> {
  /** Versions of objects as this client last saw them. */
  const seen = new Map<string, string>();
  let count = 0;
  while (!curtain.aborted) {
    const life = await lifeline.life();
    if (!life) return;
    const name = draws.one(NAMES);
    const act = draws.one(ACTS);
    const mark = `${client}-${++count}`;
    // Twice: an object that was written by half would not have both.
    const data = { first: mark, padding: 'x'.repeat(draws.below(PADDING)), last: mark };
    const send = (method: string, path: string, body?: object) => recorder.send(life, client, method, path, body);
    const whole = (resourceVersion?: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, resourceVersion },
      data,
    });
    const object = `${COLLECTION}/${name}`;
    if (act === 'list') {
      await send('GET', COLLECTION);
      continue;
    }
    const answer =
      act === 'create'
        ? await send('POST', COLLECTION, whole())
        : act === 'replace'
          ? await send('PUT', object, whole(seen.get(name)))
          : act === 'patch'
            ? await send('PATCH', object, { data })
            : await send(act === 'delete' ? 'DELETE' : 'GET', object);
    const version = versionIn(answer.json);
    if (version === undefined) seen.delete(name);
    else seen.set(name, version);
  }
}

function versionIn(json: unknown): string | undefined {
  const metadata = isRecord(json) && json.kind === 'ConfigMap' ? json.metadata : undefined;
  const version = isRecord(metadata) ? metadata.resourceVersion : undefined;
  return typeof version === 'string' ? version : undefined;
}
