import { scopeOf, selectionOf } from '../history/scope.ts';
import { TEAMS } from './client.ts';
import type { StormRecorder } from './recorder.ts';
import type { Wire } from './server.ts';
import { labelsOf, type StormPlace } from './site.ts';

/** One of the last writes of a storm, which every watch that selects it has to tell. */
export interface Fence {
  readonly collection: string;
  readonly object: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly version: number;
}

/** Writes an object of each team in each place, and writes down that this is the end. */
export async function writeFences(
  storm: string,
  places: readonly StormPlace[],
  stage: Wire,
  recorder: StormRecorder,
): Promise<readonly Fence[]> {
  const fences: Fence[] = [];
  for (const { type, apiVersion, collection, namespace, prefix } of places) {
    for (const team of TEAMS) {
      const object = { name: `${prefix}fence-${team}`, namespace, labels: { ...labelsOf(storm), team } };
      const { name, labels } = object;
      const body = { apiVersion, kind: type.kind.kind, metadata: { name, labels }, ...type.content('fence') };
      const { seen } = await stage.send('POST', collection, { body, sent: { name } });
      const version = seen?.object?.version;
      if (version === undefined) continue;
      recorder.write({ type: 'mark', mark: 'fence', at: recorder.now(), text: name, version, path: collection });
      fences.push({ collection, object, version: Number(version) });
    }
  }
  return fences;
}

/** The version that a watch has to reach before all fences are told that it selects; less than any where it selects none. */
export function toReach(path: string, fences: readonly Fence[]): number {
  const [place = '', search = ''] = path.split('?');
  const scope = scopeOf(place);
  if (!scope) return Number.NEGATIVE_INFINITY;
  const { selects } = selectionOf(scope, new URLSearchParams(search));
  let last = Number.NEGATIVE_INFINITY;
  for (const { collection, object, version } of fences) {
    if (scopeOf(collection)?.type === scope.type && selects(object) && version > last) last = version;
  }
  return last;
}
