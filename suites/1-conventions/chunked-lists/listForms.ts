import { gunzipSync } from 'node:zlib';
import { protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import type { ListForm } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  type ClauseName,
  type Exchange,
  isRecord,
  load,
  objectInProtobuf,
  valueAt,
} from '../../harness/index.ts';
import type { Collection } from '../collections.ts';

/** A form that lists may be asked for in. */
export interface Form {
  readonly headers: (author: Actor) => Readonly<Record<string, string>>;
  /** The list in an answer; undefined where it is of another form. */
  readonly read: (answer: Exchange) => unknown;
  /** What judges such answers beside what each parameter means. */
  readonly judged: (collection: Collection) => ClauseName;
}
const bytesOf = ({ received }: Exchange): Uint8Array => received?.bytes ?? new Uint8Array();
const typeOf = ({ name }: Collection): string => name.split('-')[0] ?? '';
export const FORMS: Readonly<Record<ListForm, Form>> = {
  'in-yaml': {
    headers: () => ({ accept: 'application/yaml' }),
    read: ({ text }) => load(text),
    judged: (collection) => `YAML-RESPONSE-01/list/${typeOf(collection)}`,
  },
  'in-protobuf': {
    headers: ({ dialect }) => ({ accept: protobufMediaType(dialect) }),
    read: (answer) => objectInProtobuf(bytesOf(answer)),
    judged: ({ name }) => `PROTOBUF-RESPONSE-01/${name}` as ClauseName,
  },
  'as-table': {
    headers: ({ dialect }) => ({ accept: `application/json;as=Table;g=meta.${dialect.apiDomain};v=v1` }),
    read: ({ json }) => json,
    judged: ({ name }) => `TABLE-CONSISTENT-01/${name}` as ClauseName,
  },
  'in-gzip': {
    headers: () => ({ 'accept-encoding': 'gzip' }),
    // What is small is sent as it is.
    read: (answer) => {
      const isPacked = answer.headers['content-encoding'] === 'gzip';
      return isPacked ? JSON.parse(gunzipSync(bytesOf(answer)).toString('utf8')) : answer.json;
    },
    judged: ({ name }) => `GZIP-ACCEPT-01/list/${name}` as ClauseName,
  },
};

/** The names that a list or Table shows. */
export function namesIn(list: unknown): unknown[] {
  const columns = valueAt(list, ['columnDefinitions']);
  if (!Array.isArray(columns)) {
    const items = valueAt(list, ['items']);
    return Array.isArray(items) ? items.map((item) => valueAt(item, ['metadata', 'name'])) : [];
  }
  const at = columns.findIndex((column) => isRecord(column) && column.name === 'Name');
  const rows = valueAt(list, ['rows']);
  return Array.isArray(rows) ? rows.map((row) => valueAt(row, ['cells', at])) : [];
}
