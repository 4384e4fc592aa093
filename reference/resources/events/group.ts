import type { ApiGroup, BuiltinType } from '../builtinType.ts';
import { eventsEventColumns } from './columns.ts';
import { eventRules } from './event.ts';
import { eventsV1 } from './v1.ts';

const events: BuiltinType = {
  resource: 'events Event namespaced * short=ev',
  columns: eventsEventColumns,
  rules: eventRules,
};

/** Events, as the newer of their two groups shows them. */
export const eventsGroup: ApiGroup = {
  name: 'events.{domain}',
  storedVersion: 'v1',
  fields: {
    v1: eventsV1,
    v1beta1: eventsV1,
  },
  types: [events],
};
