import { clausesOf } from '../../../fixtures/ledger/index.ts';
import { isObject } from '../../../reference/api/json.ts';
import { badRequest } from '../../../reference/api/status.ts';
import { withBody } from '../../alter.ts';
import { onFrames, onJson } from '../../asking.ts';
import type { Mutant } from '../../mutant.ts';
import { mending, onType, passingRefusals, showing } from '../../oneType.ts';

/** Events that behave as in the versions that were replaced (3/removed-api-versions-by-release). */
export const EVENT_CHANGES: readonly Mutant[] = [
  {
    id: 'events-without-action',
    breaks: ['CHANGED-EVENT-01'],
    sentence: 'An event of the events group needs no action.',
    defect: () =>
      mending<{ action?: string }>('events', ['create'], (event) => {
        event.action ??= 'Something';
      }),
  },
  {
    id: 'events-with-a-series-have-a-count',
    breaks: ['CHANGED-EVENT-01'],
    sentence: 'A new event of the events group may have a deprecatedCount where it has a series.',
    defect: () =>
      mending<{ series?: object; deprecatedCount?: number }>('events', ['create'], (event) => {
        if (event.series) delete event.deprecatedCount;
      }),
  },
  {
    id: 'events-forget-their-count',
    breaks: ['CHANGED-EVENT-02'],
    sentence: 'The events group does not show how often an older event was seen.',
    defect: () => showing('events', ['get'], ({ deprecatedCount: _, ...event }) => event),
  },
  {
    id: 'watched-events-of-the-core-group-lack-their-object',
    breaks: ['CHANGED-EVENT-02'],
    sentence: 'Watches of events of the core group do not show what an event is about.',
    defect: () =>
      onFrames(({ object }) => {
        if (isObject(object) && object.kind === 'Event') delete object.involvedObject;
      }),
  },
  {
    id: 'removed-events-have-their-core-names',
    breaks: ['CHANGED-EVENT-02'],
    sentence: 'The last event of an event of the events group tells its note as message.',
    defect: () =>
      onFrames(({ type, object }) => {
        if (type !== 'DELETED' || !isObject(object) || object.note === undefined) return;
        object.message = object.note;
        delete object.note;
      }),
  },
  {
    id: 'series-are-listed-without-their-last-time',
    breaks: [...clausesOf('CHANGED-EVENT-04'), ...clausesOf('CHANGED-FIELDS-01', 'series')],
    sentence: 'In lists of events of the events group the series of one has no time.',
    defect: () =>
      onJson(({ items }, { path }) => {
        if (!/^\/apis\/events\..*\/events$/.test(path) || !Array.isArray(items)) return;
        for (const item of items) if (isObject(item) && isObject(item.series)) delete item.series.lastObservedTime;
      }),
  },
  {
    id: 'events-of-the-core-group-are-strangers',
    breaks: clausesOf('CHANGED-EVENT-03'),
    sentence: 'An event of the events group has none of its parts under the names of the core group.',
    defect: () =>
      onJson((event, { path }) => {
        if (!/^\/api\/v1\/.*\/events\/./.test(path)) return;
        for (const field of ['involvedObject', 'message', 'reportingComponent', 'eventTime', 'series', 'related'])
          delete event[field];
      }),
  },
  {
    id: 'events-forget-their-series',
    breaks: clausesOf('CHANGED-EVENT-04'),
    sentence: 'An event of the events group does not show its series when it is read.',
    defect: () =>
      onJson((event, { path }) => {
        if (/^\/apis\/events\.[^/]+\/v1(beta1)?\/.*\/events\/./.test(path)) delete event.series;
      }),
  },
  {
    id: 'applied-events-need-nothing',
    breaks: ['CHANGED-EVENT-05'],
    sentence: 'An apply that creates an event of the events group is taken as it is.',
    defect: () => passingRefusals('events', ['patch']),
  },
  {
    id: 'events-change-as-they-like',
    breaks: clausesOf('CHANGED-EVENT-07'),
    sentence: 'A change of an event that is refused is answered as if it were done.',
    defect: () => passingRefusals('events', ['update', 'patch']),
  },
  {
    id: 'older-events-are-refused',
    breaks: clausesOf('CHANGED-EVENT-06'),
    sentence: 'An event without a reporter is refused, in whatever group and by whatever write.',
    defect: () =>
      onType('events', ['create', 'update', 'patch'], async (call, serve) => {
        let reporter: unknown;
        await withBody(call, (body) => {
          reporter = body.reportingController ?? body.reportingComponent;
        }).exchange.request.body();
        if (!reporter) throw badRequest('reportingController: Required value');
        return serve(call);
      }),
  },
];
