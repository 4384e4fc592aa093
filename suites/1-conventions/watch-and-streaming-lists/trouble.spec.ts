import {
  check,
  configMaps,
  inconclusive,
  listIn,
  MINUTE,
  match,
  must,
  named,
  objectIn,
  ought,
  type Setup,
  type WatchEvent,
} from '../../harness/index.ts';

/** More than buffers between two processes take, so that a stream nobody reads is held up. */
const CHANGES = 24;
const WEIGHT = 'x'.repeat(700_000);
/** At a server of its own, where one can be started: so much may take the place of what others want to watch from. */
const ALONE: Setup = {};

check(
  'WATCH-SLOW-01.1',
  'the rival does not read its watch → the watcher sees every change, the rival no gaps',
  ['WATCH-SLOW-01'],
  { setup: ALONE, orElse: [] },
  async ({ author, rival, watcher }) => {
    const live = await author.given(configMaps, named('heavy', { data: { weight: WEIGHT } }));
    const { resourceVersion } = live.metadata;
    const slow = await rival.watch(configMaps, { resourceVersion }, { held: true });
    const quick = await watcher.watch(configMaps, { resourceVersion });
    // Somebody else may be at work in a new namespace.
    const ofHeavy = ({ object }: WatchEvent) => object.metadata.uid === live.metadata.uid;
    const versions: unknown[] = [];
    const change = async (n: number) => {
      const written = await author.prepare((actor) =>
        actor.patch(configMaps, 'heavy', 'merge', { data: { n: `${n}` } }),
      );
      versions.push(objectIn(written).metadata.resourceVersion);
    };
    for (let n = 0; n < CHANGES; n += 1) await change(n);
    const last = match.eventField('metadata.resourceVersion', String(versions.at(-1)));
    const events = must('the watcher is not kept waiting', await quick.upTo(last));
    const seen = events.filter(ofHeavy).map(({ object }) => object.metadata.resourceVersion);
    must('the watcher sees every change', seen, match.equal(versions));
    slow.read();
    // Whether the service waits for the rival or cuts it off is its own business.
    await slow.until(last, { within: 3_000 });
    await change(CHANGES);
    await slow.until(match.eventField('data.n', `${CHANGES}`), { within: 3_000 });
    const sent = slow.seen
      .filter((event) => event.type === 'MODIFIED' && ofHeavy(event))
      .map(({ object }) => object.metadata.resourceVersion);
    must('what the rival was sent has no gaps', sent, match.equal(versions.slice(0, sent.length)));
  },
);

check(
  'WATCH-ERROR-01.1',
  'the watcher meets an error in its watch → an event that holds a Status, and the end',
  ['WATCH-ERROR-01'],
  ['virtual-clock'],
  async ({ author, watcher, clock }) => {
    const { resourceVersion } = listIn(await author.list(configMaps)).metadata;
    await author.given(configMaps, named('doc'));
    await clock.advance(11 * MINUTE);
    const stream = await watcher.watch(configMaps, { resourceVersion });
    if (stream.opening.status !== 200) inconclusive('the watch was refused, so that it met no error while it ran');
    ought('it ends', await stream.end());
    const holdsStatus = match.both(
      match.eventField('kind', 'Status'),
      match.eventField('code', match.aPositiveInteger),
    );
    const last = stream.seen.at(-1) ?? { type: '', object: { apiVersion: '', kind: '', metadata: { name: '' } } };
    ought('its last event is the error', last, holdsStatus);
  },
);
