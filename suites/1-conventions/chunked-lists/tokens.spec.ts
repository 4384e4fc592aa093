import { COLLECTIONS, type CollectionName, LIST_FORMS } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  check,
  chunksAfter,
  clause,
  clausesOf,
  configMaps,
  listIn,
  MINUTE,
  match,
  must,
  ought,
  secrets,
} from '../../harness/index.ts';
import { Collection, collectionOf } from '../collections.ts';
import { FORMS } from './listForms.ts';

const labels = { chunk: 'yes' };
const ours = { labelSelector: 'chunk=yes', limit: 2 };

const NAMES = ['a', 'b', 'c'];

/** The first of two chunks or more, over a collection that changes right after, and its token. */
async function firstChunk(author: Actor) {
  for (const name of NAMES) await author.given(configMaps, { metadata: { name, labels } });
  const first = await author.list(configMaps, ours);
  await author.prepare((actor) => actor.delete(configMaps, 'c'));
  return { first, token: listIn(first).metadata.continue };
}

/** Collections that are listed in every form. */
const FORMED: Readonly<Partial<Record<CollectionName, string>>> = {
  'configmaps-all': 'everywhere',
  'custom-namespace': 'namespace',
};

check(
  'CHUNK-TOKEN-01.1',
  'the author goes on with a token of long ago → 410',
  ['CHUNK-TOKEN-01', 'ERROR-STATUS-01'],
  async ({ author, clock }) => {
    const { token } = await firstChunk(author);
    await clock.advance(11 * MINUTE);
    const expired = await author.list(configMaps, { ...ours, continue: token });
    must('it has expired', expired, match.status(410));
    const told = ['reason', 'message'].map((path) => match.field(path, match.aString));
    ought('its body is a Status', expired, match.field('kind', 'Status'), match.field('code', 410), ...told);
  },
);

check(
  'CHUNK-TOKEN-01.2',
  'the author goes on in every collection and form with a token of long ago, at no version and at 0 → 410',
  [...clausesOf('CHUNK-TOKEN-01'), ...clausesOf('LIST-RV-07', 'expired')],
  ['custom-types'],
  async ({ author, clock }) => {
    const begun: [CollectionName, Collection, string | undefined][] = [];
    for (const [at, name] of COLLECTIONS.entries()) {
      // Several are of one type, which is defined once, so that each has names of its own.
      const alike = begun.find(([other]) => other.split('-')[0] === name.split('-')[0])?.[1];
      const collection = alike ? new Collection(name, alike.kind, author) : await collectionOf(author, name);
      const letter = String.fromCharCode('a'.charCodeAt(0) + at);
      const words = [1, 2, 3].map((times) => letter.repeat(times));
      for (const word of words) await collection.add(word);
      const { continue: token } = listIn(await collection.list({ limit: 1 })).metadata;
      await collection.mark(letter, 'later');
      begun.push([name, collection, token]);
    }
    await clock.advance(11 * MINUTE);
    for (const [name, collection, token] of begun) {
      await clause(`CHUNK-TOKEN-01/${name}`, async () => {
        must('it has expired', await collection.list({ limit: 1, continue: token }), match.status(410));
      });
      await clause(`LIST-RV-07/expired/${name}`, async () => {
        const zero = await collection.list({ limit: 1, continue: token, resourceVersion: '0' });
        must('at version 0 as without', zero, match.status(410));
      });
      const place = FORMED[name];
      if (!place) continue;
      for (const form of LIST_FORMS.filter((each) => each !== 'in-protobuf' || place === 'everywhere'))
        await clause(clausesOf('CHUNK-TOKEN-01', form, place), async () => {
          const formed = await collection.list({ limit: 1, continue: token }, undefined, FORMS[form].headers(author));
          must('it has expired in that form', formed, match.status(410));
        });
    }
  },
);

check(
  'CHUNK-TOKEN-02.1',
  'the author goes on with a token of four minutes ago → it works',
  ['CHUNK-TOKEN-02'],
  async ({ author, clock }) => {
    const { first } = await firstChunk(author);
    await clock.advance(4 * MINUTE);
    const rest = await chunksAfter(first, (token) => author.list(configMaps, { ...ours, continue: token }));
    const names = [first, ...rest].flatMap((chunk) => match.itemNames(chunk));
    must('it has not expired', names, match.sameItems(NAMES));
  },
);

check(
  'CHUNK-TOKEN-02.2',
  'the author begins anew after a 410 → the present state',
  ['CHUNK-TOKEN-02'],
  async ({ author, clock }) => {
    const { token } = await firstChunk(author);
    await clock.advance(11 * MINUTE);
    must('the token is too old', await author.list(configMaps, { ...ours, continue: token }), match.status(410));
    const present = match.both(match.status(200), match.names(match.sameItems(['a', 'b'])));
    must('a first chunk works', await author.list(configMaps, { ...ours, limit: 50 }), present);
    must('so does the whole list', await author.list(configMaps, { ...ours, limit: undefined }), present);
  },
);

check(
  'CHUNK-TOKEN-05.1',
  'the author takes a token to another query → 4xx, never what it did not ask for',
  ['CHUNK-TOKEN-05'],
  async ({ author }) => {
    const { token } = await firstChunk(author);
    await author.given(secrets, { metadata: { name: 'z', labels } });
    const there = author.elsewhere();
    await there.given(configMaps, { metadata: { name: 'z', labels } });
    const others = [
      await author.list(configMaps, { ...ours, labelSelector: 'chunk!=yes', continue: token }),
      await author.list(configMaps, { ...ours, fieldSelector: 'metadata.name!=c', continue: token }),
      await author.list(secrets, { ...ours, continue: token }),
      await author.listEverywhere(configMaps, { ...ours, continue: token }),
      await there.list(configMaps, { ...ours, continue: token }),
    ];
    for (const answer of others) ought('it belongs to another query', answer, match.refusal);
  },
);
