import { type FieldError, invalid, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { equalJson, type Json } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { numberOf, objectOf, textOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';
import { validateEvent } from '../core/event.ts';
import { immutableFaults } from '../validation/fields.ts';

/** Fields that this view names in its own way: the name here, the name in the core group, where events are stored. */
const RENAMED = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  ['reportingController', 'reportingComponent'],
] as const;
const TYPES = ['Normal', 'Warning'];
/** What an event says for good, by the names under which it is stored, with those of this view. */
const FIXED = [
  ['involvedObject', 'involvedObject'],
  ['reason', 'reason'],
  ['reportingComponent', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
  ['action', 'action'],
  ['related', 'related'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
] as const;
const SUBJECT = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

export const eventRules: RuleMaker = ({ dialect }) => {
  const validate = (event: ApiObject): FieldError[] => validateEvent(event, dialect, 'reportingController');
  const conversion = {
    toStorage: (event: ApiObject) => renamed(event, (own) => own),
    fromStorage: (event: ApiObject) => renamed(event, ([here, stored]) => [stored, here]),
  };
  return {
    storedAs: { group: '', resource: 'events' },
    conversions: { v1: conversion, v1beta1: conversion },
    // The older version still takes what only the core group has.
    strategies: { v1beta1: { validate, validateUpdate: (event) => validate(event) } },
    strategy: {
      createOnUpdate: true,
      unconditionalUpdate: true,
      validate: (event) => [...validate(event), ...validateSeries(event), ...validateNew(event)],
      validateUpdate: (event, old) => [
        ...validate(event),
        ...(equalJson(partOf(event, 'series'), partOf(old, 'series')) ? [] : validateSeries(event)),
        ...FIXED.flatMap(([stored, here]) =>
          immutableFaults(saidOf(event, stored), saidOf(old, stored), FieldPath.of(here)),
        ),
      ],
    },
    selectableFields: {
      ...Object.fromEntries(
        SUBJECT.map((name) => [`regarding.${name}`, (event: ApiObject) => textOf(objectOf(event.regarding)[name])]),
      ),
      reason: (event) => textOf(event.reason),
      reportingController: (event) => textOf(event.reportingController),
      type: (event) => textOf(event.type),
    },
  };
};

function partOf(event: ApiObject, name: string): Json | undefined {
  return event[name] as Json | undefined;
}

/** As {@link partOf}; an empty text says as much as none, and the core group keeps some of them. */
function saidOf(event: ApiObject, name: string): Json | undefined {
  const part = partOf(event, name);
  return part === '' ? undefined : part;
}

/** The event with its fields under other names; the argument is not changed. */
function renamed(
  event: ApiObject,
  direction: (names: readonly [string, string]) => readonly [from: string, to: string],
): ApiObject {
  const next: ApiObject = { ...event };
  for (const names of RENAMED) {
    const [from, to] = direction(names);
    delete next[from];
    if (event[from] !== undefined) next[to] = event[from];
  }
  return next;
}

function validateSeries(event: ApiObject): FieldError[] {
  if (event.series === undefined) return [];
  const series = objectOf(event.series);
  const path = FieldPath.of('series');
  const count = numberOf(series.count) ?? 0;
  const errors = count < 2 ? [invalid(path.child('count'), '', 'should be at least 2')] : [];
  if (textOf(series.lastObservedTime) === '') errors.push(required(path.child('lastObservedTime')));
  return errors;
}

/** A new event of this view leaves alone what only the older one has. */
function validateNew(event: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const type = textOf(event.type);
  if (textOf(event.eventTime) === '') errors.push(required(FieldPath.of('eventTime')));
  if (!TYPES.includes(type)) errors.push(invalid(FieldPath.of('type'), '', `has invalid value: ${type}`));
  for (const name of ['firstTimestamp', 'lastTimestamp']) {
    if (textOf(event[name]) !== '') errors.push(invalid(FieldPath.of(name), '', 'needs to be unset'));
  }
  if (numberOf(partOf(event, 'count'))) errors.push(invalid(FieldPath.of('count'), '', 'needs to be unset'));
  const source = objectOf(event.source);
  if (textOf(source.component) !== '' || textOf(source.host) !== '') {
    errors.push(invalid(FieldPath.of('source'), '', 'needs to be unset'));
  }
  return errors;
}
