/** What clients do, one act at a time. */
export const ACTS = [
  'create',
  'update',
  'replace',
  'merge',
  'json',
  'strategic',
  'apply',
  'delete',
  'hold',
  'get',
  'get-any',
  'get-since',
  'list',
  'list-any',
  'list-since',
  'list-exact',
  'list-selected',
  'walk',
] as const;
export type Act = (typeof ACTS)[number];

/** How often each act is drawn among the others, over how many objects, and how many watches of each kind stand. */
export interface Mix {
  readonly about: string;
  readonly objects: number;
  readonly acts: Readonly<Partial<Record<Act, number>>>;
  readonly watches: Readonly<Record<WatchKind, number>>;
}
/**
 * `steady` stands from the beginning to the end and resumes when it breaks; `selecting` does so with a label selector;
 * `streamed` begins with the state as events, again and again; `restless` is left after a few events and goes on from
 * one of the versions that it saw.
 */
export const WATCH_KINDS = ['steady', 'selecting', 'streamed', 'restless'] as const;
export type WatchKind = (typeof WATCH_KINDS)[number];

const WRITES = { create: 6, update: 6, replace: 2, merge: 5, json: 2, strategic: 2, apply: 3, delete: 4, hold: 2 };
const READS = { get: 6, 'get-any': 1, 'get-since': 2 };
const LISTS = { list: 2, 'list-any': 1, 'list-since': 1, 'list-exact': 1, 'list-selected': 1, walk: 1 };

/** Kinds of traffic, by name. */
export const MIXES: Readonly<Record<string, Mix>> = {
  even: {
    about: 'some of everything',
    objects: 24,
    acts: { ...WRITES, ...READS, ...LISTS },
    watches: { steady: 2, selecting: 1, streamed: 1, restless: 2 },
  },
  contended: {
    about: 'many writers of few objects',
    objects: 3,
    acts: { ...WRITES, ...READS, list: 1 },
    watches: { steady: 2, selecting: 1, streamed: 1, restless: 1 },
  },
  lists: {
    about: 'lists of every kind while a few write',
    objects: 60,
    acts: {
      create: 6,
      merge: 4,
      delete: 3,
      list: 3,
      'list-any': 2,
      'list-since': 2,
      'list-exact': 3,
      'list-selected': 3,
      walk: 4,
    },
    watches: { steady: 1, selecting: 1, streamed: 1, restless: 1 },
  },
  watches: {
    about: 'many watches that come and go',
    objects: 16,
    acts: { ...WRITES, get: 2, list: 1 },
    watches: { steady: 3, selecting: 3, streamed: 4, restless: 8 },
  },
};

/**
 * A mix of the user's own: `create=5,delete=2,walk=1`, over the objects and watches of `even`.
 * @returns undefined for what is none
 */
export function mixOf(text: string): Mix | undefined {
  const acts: Partial<Record<Act, number>> = {};
  for (const part of text.split(',')) {
    const [, name = '', share = ''] = /^([a-z-]+)=(\d{1,4})$/.exec(part.trim()) ?? [];
    const act = ACTS.find((each) => each === name);
    if (act === undefined) return undefined;
    acts[act] = Number(share);
  }
  if (!Object.values(acts).some((share) => share > 0)) return undefined;
  return { ...(MIXES.even as Mix), about: text, acts };
}
