import { MOMENTS, NO_MOMENTS } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  check,
  clause,
  clausesOf,
  configMaps,
  defineType,
  type Exchange,
  type Json,
  type Kind,
  match,
  must,
} from '../../harness/index.ts';

/** Moments in the forms that a timestamp may have. */
const ARE: Readonly<Record<(typeof MOMENTS)[number], string>> = {
  'leap-day': '2024-02-29T00:00:00Z',
  'leap-day-of-a-century': '2000-02-29T12:00:00Z',
  'last-second': '2023-12-31T23:59:59Z',
  'zone-ahead': '2023-06-30T01:30:00+02:30',
  'zone-behind': '2023-12-31T22:30:00-11:00',
};
/** What looks like one, and is none. */
const ARE_NONE: Readonly<Record<(typeof NO_MOMENTS)[number], Json>> = {
  'month-13': '2023-13-01T00:00:00Z',
  'month-0': '2023-00-01T00:00:00Z',
  'day-0': '2023-06-00T00:00:00Z',
  'day-31-of-30': '2023-06-31T00:00:00Z',
  'no-leap-day': '2023-02-29T00:00:00Z',
  'no-leap-day-of-a-century': '2100-02-29T00:00:00Z',
  'hour-25': '2023-06-30T25:00:00Z',
  'minute-60': '2023-06-30T00:60:00Z',
  words: 'yesterday',
  'a-number': 1_700_000_000,
};

/** The answers to everything that writes an object with this creationTimestamp. */
async function writtenWith(author: Actor, things: Kind, name: string, creationTimestamp: Json): Promise<Exchange[]> {
  const answers: Exchange[] = [];
  for (const kind of [configMaps, things]) {
    const live = await author.given(kind, { metadata: { name: `${name}-old` } });
    const metadata = { creationTimestamp } as object;
    answers.push(
      await author.create(kind, { metadata: { name: `${name}-new`, ...metadata } }),
      await author.update(kind, { ...live, metadata: { ...live.metadata, ...metadata } }),
      await author.patch(kind, `${name}-old`, 'merge', { metadata }),
    );
  }
  return answers;
}

check(
  'FIELDS-TYPE-03.1',
  'the author writes timestamps that are moments and ones that are none → taken and refused',
  clausesOf('FIELDS-TYPE-03'),
  ['custom-types'],
  async ({ author, dialect }) => {
    const things = await defineType(author, dialect, () => ({ type: 'object' }));
    for (const moment of MOMENTS) {
      await clause(`FIELDS-TYPE-03/${moment}`, async () => {
        for (const answer of await writtenWith(author, things, moment, ARE[moment]))
          must('it is a moment', answer, match.success);
      });
    }
    for (const moment of NO_MOMENTS) {
      await clause(`FIELDS-TYPE-03/${moment}`, async () => {
        for (const answer of await writtenWith(author, things, moment, ARE_NONE[moment]))
          must('there is no such moment', answer, match.refusal);
        must('nothing is created', await author.get(configMaps, `${moment}-new`), match.status(404));
      });
    }
  },
);
