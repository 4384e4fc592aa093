import type { Json } from '../api/json.ts';
import type { ScalarSchema, ScalarType } from './schema.ts';

const scalar = (type: ScalarType): ScalarSchema => ({ kind: 'scalar', type });

/** One shared schema a scalar type, for fields without a default of their own. */
export const scalarSchemas: Readonly<Record<ScalarType, ScalarSchema>> = {
  string: scalar('string'),
  bytes: scalar('bytes'),
  boolean: scalar('boolean'),
  int32: scalar('int32'),
  int64: scalar('int64'),
  double: scalar('double'),
  quantity: scalar('quantity'),
  intOrString: scalar('intOrString'),
  time: scalar('time'),
  microTime: scalar('microTime'),
  duration: scalar('duration'),
};

/** What an empty value of a type looks like where it has to be written; null for those without one. */
export function emptyScalar(type: ScalarType): Json {
  switch (type) {
    case 'string':
      return '';
    case 'boolean':
      return false;
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    case 'duration':
      return '0s';
    case 'bytes':
    case 'time':
    case 'microTime':
      return null;
  }
}
