/** The types of events.v1 in the notation of schema/notation.ts, transcribed from release 1.36. */
export const eventsV1: string = `
Event kind
  metadata 1 meta.v1.ObjectMeta!
  eventTime 2 microTime! required
  series 3 EventSeries*
  reportingController 4 string
  reportingInstance 5 string
  action 6 string
  reason 7 string
  regarding 8 core.v1.ObjectReference!
  related 9 core.v1.ObjectReference*
  note 10 string
  type 11 string
  deprecatedSource 12 core.v1.EventSource!
  deprecatedFirstTimestamp 13 time!
  deprecatedLastTimestamp 14 time!
  deprecatedCount 15 int32
EventSeries
  count 1 int32! required
  lastObservedTime 2 microTime! required
`;
