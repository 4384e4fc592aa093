import { COLLECTIONS, SUBJECTS } from '../../../fixtures/ledger/index.ts';
import {
  check,
  clause,
  clausesOf,
  configMaps,
  futureVersion,
  listIn,
  match,
  must,
  named,
  ought,
} from '../../harness/index.ts';
import { Collection, collectionOf } from '../collections.ts';
import { writerOf } from '../writing.ts';

/** A server may wait for the version as long as it likes; what it may not do is answer from before it. */
const notYet = match.either(match.status(504), match.header('retry-after', match.aDelay), match.noAnswerInTime);
/** Where it says when to ask again, as a 504 may too, that is a time. */
const timeToAsk = match.header('retry-after', match.oneOf(match.absent, match.aDelay));

check(
  'GET-RV-04.1',
  'the author gets at a version to come → 504, Retry-After or a wait',
  clausesOf('GET-RV-04'),
  ['custom-types'],
  async ({ author }) => {
    const writers = [];
    for (const type of SUBJECTS) writers.push(await writerOf(author, type));
    const reads = [];
    for (const { kind, subject } of writers) {
      const { metadata } = await author.given(kind, { ...named('doc'), ...subject.content(author, 'old') });
      reads.push({ kind, type: subject.name, resourceVersion: futureVersion(metadata.resourceVersion) });
    }
    // Each may take as long as the service waits, so all wait together.
    await Promise.all(
      reads.map(({ kind, type, resourceVersion }) =>
        clause(clausesOf('GET-RV-04', type), async () => {
          const answer = await author.get(kind, 'doc', { resourceVersion });
          must('there is no such state yet', answer, notYet);
          ought('when to ask again is a time', answer, timeToAsk);
        }),
      ),
    );
  },
);

check(
  'LIST-RV-17.2',
  'the author lists every collection at a version to come → 504, Retry-After or a wait',
  clausesOf('LIST-RV-17'),
  ['custom-types'],
  async ({ author }) => {
    const custom = await collectionOf(author, 'custom-namespace');
    const collections = [];
    for (const name of COLLECTIONS)
      collections.push(
        name.startsWith('custom') ? new Collection(name, custom.kind, author) : await collectionOf(author, name),
      );
    const { metadata } = listIn(await author.list(configMaps));
    const resourceVersion = futureVersion(metadata.resourceVersion);
    const NotOlderThan = { resourceVersionMatch: 'NotOlderThan' };
    // Each may take as long as the service waits, so all wait together.
    await Promise.all(
      collections.map((collection) =>
        clause(clausesOf('LIST-RV-17', collection.name), async () => {
          const queries = [{}, NotOlderThan, { ...NotOlderThan, limit: 5 }];
          const answers = await Promise.all(queries.map((each) => collection.list({ ...each, resourceVersion })));
          for (const answer of answers) {
            must('there is no such state yet', answer, notYet);
            ought('when to ask again is a time', answer, timeToAsk);
          }
        }),
      ),
    );
  },
);

check(
  'LIST-RV-17.1',
  'the author lists at a version to come → 504, Retry-After or a wait; 410 where it is to be exact',
  ['LIST-RV-17', 'LIST-RV-18'],
  async ({ author }) => {
    const { metadata } = listIn(await author.list(configMaps));
    const resourceVersion = futureVersion(metadata.resourceVersion);
    const queries = [{}, { limit: 5 }, { resourceVersionMatch: 'Exact' }, { resourceVersionMatch: 'NotOlderThan' }];
    const answers = await Promise.all(queries.map((each) => author.list(configMaps, { ...each, resourceVersion })));
    for (const [at, answer] of answers.entries()) {
      // Exactly that version is asked for with Exact, and with a limit alone: what is not there then is 410 too.
      const exact = at === 1 || at === 2;
      must('there is no such state yet', answer, exact ? match.either(notYet, match.status(410)) : notYet);
      ought('when to ask again is a time', answer, timeToAsk);
      if (!answer.received || answer.status === 410) continue;
      ought('it says when to ask again', answer, match.header('retry-after', match.aDelay));
      ought('it says why', answer, match.field('message', match.aString));
    }
  },
);

check(
  'WATCH-RV-04.1',
  'the watcher starts at a version to come → nothing of what comes before it',
  ['WATCH-RV-04'],
  async ({ author, watcher }) => {
    const { metadata } = await author.given(configMaps, named('before'));
    const resourceVersion = futureVersion(metadata.resourceVersion);
    const stream = await watcher.watch(configMaps, { resourceVersion, timeoutSeconds: 1 });
    await author.given(configMaps, named('between'));
    // Refusing at once, an error event and silence until the time is up are all allowed.
    if (stream.opening.status === 200) must('it ends in time', await stream.end());
    const told = stream.seen.map(({ type }) => type).filter((type) => ['ADDED', 'MODIFIED', 'DELETED'].includes(type));
    must('no event is older than it asked for', told, match.equal([]));
  },
);
