import type { JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { numberOf, objectOf } from '../../api/parts.ts';
import { AGE, column, integer, named, wide } from '../columns/column.ts';
import { selectorText } from '../columns/labels.ts';
import { containerColumns, specTemplate } from './podTemplates.ts';

export const spec = (object: ApiObject): JsonObject => objectOf(object.spec);
export const status = (object: ApiObject): JsonObject => objectOf(object.status);
export const count = (read: (object: ApiObject) => JsonObject, field: string) => (object: ApiObject) =>
  numberOf(read(object)[field]) ?? 0;

export const selector = (description: string) =>
  wide('Selector', description, (object) => selectorText(spec(object).selector));

export const replicaColumns = (selectorColumn: ReturnType<typeof selector>) =>
  named(
    column('Desired', 'Number of pods that are wanted.', count(spec, 'replicas'), integer),
    column('Current', 'Number of pods that there are.', count(status, 'replicas'), integer),
    column('Ready', 'Number of pods that are ready.', count(status, 'readyReplicas'), integer),
    AGE,
    ...containerColumns(specTemplate),
    selectorColumn,
  );
