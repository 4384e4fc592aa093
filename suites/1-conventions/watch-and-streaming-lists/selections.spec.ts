import { FIELD_SELECTIONS, PLACES, type Place, SELECTIONS, type Selection } from '../../../fixtures/ledger/index.ts';
import type { WatchEvent } from '../../harness/index.ts';
import { check, clause, clausesOf, listIn, match, must } from '../../harness/index.ts';
import { collectionOf, needsOfCollection } from '../collections.ts';

type Label = string | undefined;

const COLLECTION_AT = {
  namespace: 'custom-namespace',
  everywhere: 'configmaps-all',
  cluster: 'clusterrolebindings',
} as const satisfies Readonly<Record<Place, string>>;

/** What stands in a selector, and which values of the label `tier` it is for; undefined: there is none. */
const SELECTED: Readonly<Record<Selection, readonly [selector: string, selects: (label: Label) => boolean]>> = {
  equals: ['tier=yes', (label) => label === 'yes'],
  differs: ['tier!=yes', (label) => label !== 'yes'],
  among: ['tier in (yes,other)', (label) => label === 'yes'],
  beside: ['tier notin (yes,other)', (label) => label !== 'yes'],
  has: ['tier', (label) => label !== undefined],
  lacks: ['!tier', (label) => label === undefined],
  empties: ['tier=', (label) => label === ''],
  both: ['tier,tier!=no', (label) => label !== undefined && label !== 'no'],
};
/** The label of one object, change by change; at last it is deleted. */
const LABELS: readonly Label[] = [undefined, 'yes', 'no', 'yes', undefined, '', 'yes'];
/** Others that are made then, so that each watch has something to end with. */
const LATER = { ff: 'yes', gg: undefined, hh: '' } as const;

const labelled = (tier: Label) => (tier === undefined ? {} : { tier });
const isChange = ({ type }: WatchEvent) => type === 'ADDED' || type === 'MODIFIED';
/** What a watch has to tell of the object, from the state on that is the first, or another. */
function told(selects: (label: Label) => boolean, from = 0): string[] {
  const after = [...LABELS.slice(1).map(selects), false];
  return LABELS.map(selects).flatMap((was, at) => {
    if (at < from) return [];
    if (after[at]) return was ? ['MODIFIED'] : ['ADDED'];
    return was ? ['removed'] : [];
  });
}

for (const place of PLACES) {
  const name = COLLECTION_AT[place];
  check(
    `WATCH-FILTER-01.3/${place}`,
    `the author watches ${name} by every kind of selector while an object comes, goes and comes again → what each selects, and how it came and went`,
    [
      ...clausesOf('WATCH-FILTER-01', place),
      ...clausesOf('WATCH-FILTER-02', 'again', place),
      ...clausesOf('WATCH-FILTER-03', ['again', 'resumed'], place),
      ...clausesOf('STREAM-INITIAL-01', 'selected', place),
    ],
    needsOfCollection(name),
    async ({ author }) => {
      const collection = await collectionOf(author, name);
      const { metadata } = await collection.add('p');
      const { resourceVersion } = listIn(await collection.list()).metadata;
      const open = (selector: string, fieldSelector?: string) =>
        collection.watch({ resourceVersion, fieldSelector }, `${collection.selector},${selector}`);
      const streams = new Map<string, Awaited<ReturnType<typeof open>>>();
      for (const each of SELECTIONS) streams.set(each, await open(SELECTED[each][0]));
      streams.set('called', await open('tier=yes', `metadata.name=${collection.nameOf('p')}`));
      if (place === 'everywhere')
        streams.set('housed', await open('tier=yes', `metadata.namespace=${metadata.namespace}`));
      /** The version before each change, the first and the deletion among them. */
      const versions = [resourceVersion];
      for (const tier of LABELS.slice(1)) {
        const changed = await collection.change('p', { labels: { tier: tier ?? null } });
        versions.push(changed.metadata.resourceVersion ?? '');
      }
      // While the object is still there.
      const resumed: Awaited<ReturnType<typeof open>>[] = [];
      for (const version of versions)
        resumed.push(
          await collection.watch({ resourceVersion: version }, `${collection.selector},${SELECTED.equals[0]}`),
        );
      await collection.remove('p');
      for (const [word, tier] of Object.entries(LATER)) await collection.add(word, labelled(tier));
      // Last of all another one of its name, for those that heard of no other.
      const again = await collection.add('p', labelled('yes'));
      const others = Object.keys(LATER).map((word) => collection.nameOf(word));
      for (const each of [...SELECTIONS, ...FIELD_SELECTIONS]) {
        const stream = streams.get(each);
        if (!stream) continue;
        const selects = each === 'called' || each === 'housed' ? SELECTED.equals[1] : SELECTED[each][1];
        await clause(clausesOf('WATCH-FILTER-01', each, place), async () => {
          const end =
            each === 'called' || each === 'housed'
              ? match.eventField('metadata.uid', again.metadata.uid ?? '')
              : match.eventField('metadata.name', match.oneOf(...(others as [string])));
          const events = must('what comes later is told', await stream.upTo(end)).slice(0, -1);
          const types = events.map((event) => (isChange(event) ? event.type : 'removed'));
          must('and before it each coming, change and going', types, match.equal(told(selects)));
          const uids = new Set(events.map(({ object }) => object.metadata.uid));
          must('of the one object', [...uids], match.equal([metadata.uid]));
        });
      }
      const ofOne = () =>
        (streams.get('equals')?.seen ?? []).filter(({ object }) => object.metadata.uid === metadata.uid);
      await clause(clausesOf('WATCH-FILTER-02', 'again', place), async () => {
        const added = ofOne().filter(({ type }) => type === 'ADDED');
        must('it is added each time', added, match.size(3));
      });
      await clause(clausesOf('WATCH-FILTER-03', 'again', place), async () => {
        const removed = ofOne().filter((event) => !isChange(event));
        must('and removed, by another value, by none and by its deletion', removed, match.size(3));
      });
      await clause(clausesOf('WATCH-FILTER-03', 'resumed', place), async () => {
        for (const [at, stream] of resumed.entries()) {
          const later = match.eventField('metadata.uid', match.not(metadata.uid ?? ''));
          const events = must('what comes later is told', await stream.upTo(later)).slice(0, -1);
          const types = events.map((event) => (isChange(event) ? event.type : 'removed'));
          must('from the middle of it too, each change and going', types, match.equal(told(SELECTED.equals[1], at)));
        }
      });
      await clause(clausesOf('STREAM-INITIAL-01', 'selected', place), async () => {
        const streaming = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true };
        const there: Readonly<Record<string, Label>> = { ...LATER, p: 'yes' };
        for (const each of SELECTIONS) {
          const [selector, selects] = SELECTED[each];
          const stream = await collection.watch(streaming, `${collection.selector},${selector}`);
          const events = must('a bookmark ends them', await stream.upTo(match.event('BOOKMARK'))).slice(0, -1);
          const names = Object.keys(there).filter((word) => selects(there[word]));
          must(
            'what matches is there, and no other',
            events.map(({ object }) => object.metadata.name),
            match.sameItems(collection.namesOf(names)),
          );
          stream.close();
        }
      });
      for (const stream of [...streams.values(), ...resumed]) stream.close();
    },
  );
}
