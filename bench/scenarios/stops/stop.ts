import type { LoadRequest } from '../../load.ts';

/** Bytes of a body, just below what the server takes. */
export const FULL = 3 * 1024 * 1024 - 4_096;

/** Objects of the collections that are listed, watched and deleted whole. */
export const MANY = 10_000;
export const MANY_MAPS = '/api/v1/namespaces/many/configmaps';
export const HELD_MAPS = '/api/v1/namespaces/held/configmaps';
export const PODS = '/api/v1/namespaces/default/pods';

/** A request whose longest stop is measured. */
export interface Stop {
  /** Asked before, one after the other, and not counted. */
  readonly after?: readonly LoadRequest[];
  readonly request: LoadRequest<string | Uint8Array>;
  /** What it says, where that is not JSON already: to tell how long the parsing alone would take. */
  readonly asJson?: string;
  /** The status that a right server answers; any below 400 unless told. */
  readonly code?: number;
  /** Asked behind it, and not counted. */
  readonly last?: readonly LoadRequest[];
}

/** Requests by what they are full of. */
export type Stops = Readonly<Record<string, () => Stop>>;

export const post = (path: string, body: object): LoadRequest => ({ method: 'POST', path, body: JSON.stringify(body) });
export const remove = (path: string): LoadRequest => ({ method: 'DELETE', path });

export const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
export const configMap = (name: string, metadata: object, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  ...more,
});
/** A config map of about one kilobyte. */
export const small = (name: string) =>
  configMap(name, { labels: { app: 'bench' } }, { data: { payload: 'x'.repeat(900) } });
/** A config map with as many entries as fit. */
export const full = (name: string) => configMap(name, {}, { data: map('v') });
export const pod = (name: string, spec: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });

/** Items until a body, or so many bytes, are full. */
export function list(item: (at: number) => unknown, most: number = FULL): unknown[] {
  const items: unknown[] = [];
  for (let at = 0, bytes = 0; ; at++) {
    const one = item(at);
    bytes += JSON.stringify(one).length + 1;
    if (bytes > most) return items;
    items.push(one);
  }
}
/** Members of one value until a body, or so many bytes, are full. */
export function map(value: unknown, most: number = FULL): Record<string, unknown> {
  const length = JSON.stringify(value).length - 2;
  const names = list((at) => `k${at}${'x'.repeat(length + 4)}`, most) as string[];
  return Object.fromEntries(names.map((name) => [name.slice(0, name.length - 4 - length), value]));
}
