import type { Json, JsonObject } from '../../api/json.ts';
import { isObject } from '../../api/json.ts';
import { numberOf, objectOf, textOf } from '../../api/parts.ts';
import type { Column } from '../../contracts/resourceType.ts';
import { ageOf } from '../columns/age.ts';
import type { ApiObject } from '../columns/column.ts';
import { column, NAME, wide } from '../columns/column.ts';

/** Where the two groups that serve events keep the same things. */
interface EventFields {
  readonly about: string;
  readonly message: string;
  readonly source: string;
  readonly controller: string;
  readonly first: string;
  readonly last: string;
  readonly count: string;
}

interface Occurrences {
  readonly first: string;
  readonly last: string;
  readonly count: number;
}

function occurrences(event: ApiObject, fields: EventFields, now: number): Occurrences {
  const since = (instant: Json | undefined): string => ageOf(instant, now);
  const field = (name: string): Json | undefined => event[name] as Json | undefined;
  const first = since(field(fields.first) ?? field('eventTime'));
  if (isObject(event.series)) {
    return { first, last: since(event.series.lastObservedTime), count: numberOf(event.series.count) ?? 0 };
  }
  const last = field(fields.last) ? since(field(fields.last)) : first;
  return { first, last, count: numberOf(field(fields.count)) || 1 };
}

function targetText(about: JsonObject): string {
  const kind = textOf(about.kind).toLowerCase();
  const name = textOf(about.name);
  return name === '' ? kind : `${kind}/${name}`;
}

function sourceText(event: ApiObject, { source, controller }: EventFields): string {
  const from = objectOf(event[source]);
  const component = textOf(from.component) || textOf(event[controller]);
  const instance = textOf(from.host) || textOf(event.reportingInstance);
  return instance === '' ? component : `${component}, ${instance}`;
}

function eventColumns(fields: EventFields): readonly Column[] {
  const about = (event: ApiObject): JsonObject => objectOf(event[fields.about]);
  return [
    column('Last Seen', 'When it was last seen.', (event, now) => occurrences(event, fields, now).last),
    column('Type', 'Normal or Warning.', (event) => textOf(event.type)),
    column('Reason', 'Why it happened, in one word.', (event) => textOf(event.reason)),
    column('Object', 'What it is about.', (event) => targetText(about(event))),
    wide('Subobject', 'Which part of that.', (event) => textOf(about(event).fieldPath)),
    wide('Source', 'Who reports it.', (event) => sourceText(event, fields)),
    column('Message', 'What happened.', (event) => textOf(event[fields.message]).trim()),
    wide('First Seen', 'When it was first seen.', (event, now) => occurrences(event, fields, now).first),
    wide('Count', 'How often it was seen.', (event, now) => occurrences(event, fields, now).count),
    { ...NAME, priority: 1 },
  ];
}

export const coreEventColumns = eventColumns({
  about: 'involvedObject',
  message: 'message',
  source: 'source',
  controller: 'reportingComponent',
  first: 'firstTimestamp',
  last: 'lastTimestamp',
  count: 'count',
});

export const eventsEventColumns = eventColumns({
  about: 'regarding',
  message: 'note',
  source: 'deprecatedSource',
  controller: 'reportingController',
  first: 'deprecatedFirstTimestamp',
  last: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
});
