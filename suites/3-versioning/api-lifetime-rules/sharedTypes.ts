import type { SHARED_TYPES } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  apiVersionOf,
  configMaps,
  type Exchange,
  isRecord,
  type Kind,
  match,
  named,
} from '../../harness/index.ts';
import { defineAgedType } from '../behavior-when-a-deprecated-endpoint-is-called/oldType.ts';
import { autoscalers, coreEvents, events } from '../removed-api-versions-by-release/kinds.ts';

/** A type whose objects are served in several versions. */
export interface SharedType {
  /** The oldest one first. */
  readonly versions: readonly [Kind, Kind, ...Kind[]];
  /** What an object of a version says beside its metadata. */
  readonly draft: (version: Kind) => object;
  /** The same with a number in a field that all versions have; `undefined` where they have none that may change. */
  readonly counting: ((count: number) => object) | undefined;
  /** The same of its status. */
  readonly reporting: ((count: number) => object) | undefined;
  /** Whether it takes strategic merge patches. */
  readonly builtIn: boolean;
}

const EVENT_TIME = '2026-01-02T03:04:05.000006Z';
const about = (namespace: string) => ({ kind: 'ConfigMap', apiVersion: 'v1', namespace, name: 'seen' });

/** Each type with what it needs. Those that are not built in are defined for the check. */
export const TYPES = {
  autoscalers: async ({ dialect }: Actor) => ({
    versions: [{ ...autoscalers, version: 'v1' }, autoscalers],
    draft: () => autoscalers.least(dialect),
    counting: (count) => ({ spec: { maxReplicas: count } }),
    reporting: (count) => ({ status: { currentReplicas: count, desiredReplicas: count } }),
    builtIn: true,
  }),
  events: async (author: Actor) => {
    const subject = about(await author.namespace());
    const reporter = { action: 'Looking', reason: 'Looked', type: 'Normal', reportingInstance: 'looker-1' };
    const name = 'touchstone.example/looker';
    return {
      versions: [coreEvents, events],
      draft: (version) =>
        version === coreEvents
          ? { ...reporter, eventTime: EVENT_TIME, involvedObject: subject, reportingComponent: name }
          : { ...reporter, eventTime: EVENT_TIME, regarding: subject, reportingController: name },
      counting: undefined,
      reporting: undefined,
      builtIn: true,
    };
  },
  custom: async (author: Actor) => ({
    versions: (await defineAgedType(author)).versions,
    draft: () => ({ size: 1, free: { form: 'any', parts: [{ deep: 1 }] } }),
    counting: (count) => ({ size: count }),
    reporting: (count) => ({ status: { seen: count } }),
    builtIn: false,
  }),
} as const satisfies Record<(typeof SHARED_TYPES)[number], (author: Actor) => Promise<SharedType>>;

/** The version that an object is written in, and those in which it is looked at: `older` is written in the oldest one. */
export function sides({ versions }: SharedType, by: 'older' | 'newer'): readonly [from: Kind, others: readonly Kind[]] {
  const from = (by === 'older' ? versions[0] : versions.at(-1)) ?? versions[0];
  return [from, versions.filter((each) => each !== from)];
}

/** Metadata with all that somebody else may have asked for: labels, annotations, a finalizer and an owner that is there. */
export async function heldMetadata(author: Actor): Promise<Record<string, unknown>> {
  const { metadata } = await author.given(configMaps, named('owner'));
  return {
    labels: { 'touchstone.example/part': 'one' },
    annotations: { 'touchstone.example/note': 'kept' },
    finalizers: ['touchstone.example/held'],
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: metadata.name, uid: metadata.uid }],
  };
}

/** Metadata that is of an object, and not of the version in which it is read. */
const OF_THE_OBJECT = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'labels',
  'finalizers',
  'ownerReferences',
] as const;
const NOTE = 'touchstone.example/note';

/** What every version has to show alike of an object: its metadata, and the fields that all have. */
export function common(shown: unknown, fields: object = {}): Record<string, unknown> {
  const object = isRecord(shown) ? shown : {};
  const metadata = isRecord(object.metadata) ? object.metadata : {};
  // What a version has no field for may stand in annotations of the service.
  const note = isRecord(metadata.annotations) ? metadata.annotations[NOTE] : undefined;
  const own = OF_THE_OBJECT.filter((name) => metadata[name] !== undefined).map((name) => [name, metadata[name]]);
  return { ...Object.fromEntries(own), note, fields: masked(object, fields) };
}

/** The part of a value that has the members of another, in items of lists of one length too. */
function masked(value: unknown, mask: unknown): unknown {
  if (Array.isArray(mask) && Array.isArray(value) && mask.length === value.length)
    return value.map((item, at) => masked(item, mask[at]));
  if (!isRecord(mask) || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(mask).map(([name, inner]) => [name, masked(value[name], inner)]));
}

/** An object as one version shows it. */
export interface Shown {
  readonly version: Kind;
  readonly object: unknown;
}

/** Every version shows the same object, in the words of that version; and fields as they are given. */
export function alike(actor: Pick<Actor, 'dialect'>, fields: object = {}): match.Matcher<readonly Shown[]> {
  return {
    allows: `the same object in every version${Object.keys(fields).length > 0 ? `, with ${JSON.stringify(fields)}` : ''}`,
    differences: (all, path) => {
      const expected = match.equal({ ...common(all[0]?.object, fields), fields: masked(fields, fields) });
      return all.flatMap(({ version, object }) => {
        const own = match.at('apiVersion', apiVersionOf(version, actor.dialect));
        const at = `${path}${version.version}`;
        return [...own.differences(object, at), ...expected.differences(common(object, fields), at)];
      });
    },
  };
}

/** An object as each version shows it, each asked for it by itself. */
export async function shownBy(
  versions: readonly Kind[],
  ask: (version: Kind) => Promise<Exchange>,
): Promise<readonly Shown[]> {
  const shown: Shown[] = [];
  for (const version of versions) shown.push({ version, object: (await ask(version)).json });
  return shown;
}
