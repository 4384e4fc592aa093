import { gzipSync } from 'node:zlib';
import { type ClauseName, COLLECTIONS, clausesOf, ENCODED_TYPES } from '../../fixtures/ledger/index.ts';
import { isObject, type JsonObject } from '../../reference/api/json.ts';
import type { IncomingRequest } from '../../reference/api/request.ts';
import { ApiError } from '../../reference/api/status.ts';
import { readYaml } from '../../reference/codecs/yaml.ts';
import type { Call } from '../../reference/contracts/call.ts';
import type { WholeReply } from '../../reference/contracts/reply.ts';
import type { Seams } from '../../reference/seams.ts';
import { onReplies, onVerbs, withQuery, withText } from '../alter.ts';
import { announcing, asking, coding, onFrames, onJson, refusingWhere } from '../asking.ts';
import { LOST_VALUES } from '../encodings/lostValues.ts';
import { MISREAD_YAML } from '../encodings/misreadYaml.ts';
import type { Mutant } from '../mutant.ts';

/** Calls the second default column of a Table otherwise. */
function callingAge({ columnDefinitions }: JsonObject): void {
  if (!Array.isArray(columnDefinitions)) return;
  for (const column of columnDefinitions) if (isObject(column) && column.name === 'Created At') column.name = 'Age';
}

/** Has the default column of a Table tell when objects were written last. */
function tellingTheLastWrite({ columnDefinitions, rows }: JsonObject): void {
  if (!Array.isArray(columnDefinitions) || !Array.isArray(rows)) return;
  const at = columnDefinitions.findIndex((column) => isObject(column) && column.name === 'Created At');
  for (const row of at < 0 ? [] : rows) {
    if (!isObject(row) || !Array.isArray(row.cells)) continue;
    const { metadata } = row.object as { metadata?: { managedFields?: readonly { time?: string }[] } };
    const times = (metadata?.managedFields ?? []).map(({ time = '' }) => time).sort();
    row.cells[at] = times.at(-1) ?? null;
  }
}

const typeOf = (reply: WholeReply): string => String(reply.headers['content-type'] ?? '');

const sent = (call: Call): string => String(call.exchange.request.headers['content-type'] ?? '');

const accepted = (call: Call): string => String(call.exchange.request.headers.accept ?? '');

const unsupported = () => new ApiError(415, 'UnsupportedMediaType', 'the body is of an unknown type');

const unacceptable = () => new ApiError(406, 'NotAcceptable', 'none of the types is known');

/** Alters the bytes of answers whose media type ends so. */
function onBytes(ending: string, change: (body: Buffer) => Uint8Array): Seams {
  return onReplies((reply) =>
    typeOf(reply).split(';')[0]?.endsWith(ending) ? { ...reply, body: change(Buffer.from(reply.body)) } : reply,
  );
}

/** The same bytes with the last but some turned over. */
function flipped(body: Buffer, fromEnd: number): Buffer {
  const altered = Buffer.from(body);
  const at = altered.length - fromEnd;
  altered[at] = (altered[at] ?? 0) ^ 1;
  return altered;
}

/** The shortest beginning of a text that is an object or a list in JSON; the whole text where none is. */
function firstJsonIn(text: string): string {
  for (const { index } of text.matchAll(/[}\]]/g)) {
    try {
      JSON.parse(text.slice(0, index + 1));
      return text.slice(0, index + 1);
    } catch {
      // It ends further on.
    }
  }
  return text;
}

const takesGzip = (request: IncomingRequest) => String(request.headers['accept-encoding'] ?? '').includes('gzip');

/** Takes out of each row of a Table the cells that show nothing. */
function skippingEmptyCells({ rows }: JsonObject): void {
  for (const row of Array.isArray(rows) ? rows : [])
    if (isObject(row) && Array.isArray(row.cells)) row.cells = row.cells.filter((cell) => cell !== null);
}

/** Bodies that are not what they are said to be, and types that are taken or refused against the rules. */
export const MEDIA_TYPES: readonly Mutant[] = [
  ...LOST_VALUES,
  ...(
    [
      ['hex-lower', /\\u([0-9a-f]*[a-c][0-9a-f]*)/g],
      ['hex-upper', /\\u([0-9A-F]*[A-C][0-9A-F]*)/g],
      ['short', /\\([tnrbf])/g],
      ['surrogates', /\\u([dD]8[0-9a-fA-F]{2})/g],
      ['plain', /[^ -~]()/g],
      ['names', /\\u([0-9a-f]{4}[^"\\]*"\s*:)/g],
    ] as const
  ).map(
    ([way, written]): Mutant => ({
      id: `json-text-is-misread-${way}`,
      breaks: [`JSON-TEXT-01/${way}`],
      sentence: `Text in a JSON body that is written so is another: ${way}.`,
      defect: () =>
        onVerbs(['create', 'patch'], (call, serve) =>
          serve(sent(call).includes('json') ? withText(call, (text) => text.replace(written, '?$1')) : call),
        ),
    }),
  ),
  ...MISREAD_YAML,
  {
    id: 'json-is-called-text',
    breaks: ['JSON-DEFAULT-01'],
    sentence: 'JSON is answered as text/json.',
    defect: () => announcing((type) => type.replace('application/json', 'text/json')),
  },
  {
    id: 'broken-bodies-are-taken',
    breaks: ['JSON-INVALID-01'],
    sentence: 'A create whose body cannot be read is answered 201.',
    defect: () => coding(({ code }, { method }) => (method === 'POST' && code === 400 ? 201 : code)),
  },
  {
    id: 'what-is-behind-json-is-overlooked',
    breaks: [...clausesOf('JSON-INVALID-01'), ...clausesOf('VERB-SINGLE-01', 'behind')],
    sentence: 'Of a JSON body the first value is taken, whatever stands behind it.',
    defect: () =>
      onVerbs(['create', 'update', 'patch', 'delete'], (call, serve) =>
        serve(sent(call).includes('json') ? withText(call, firstJsonIn) : call),
      ),
  },
  {
    id: 'answers-to-parameters-are-json',
    breaks: [...clausesOf('NEGOTIATE-ACCEPT-01', 'parameters'), 'OP-GET-01'],
    sentence: 'A request with any parameter is answered in JSON where it accepts YAML.',
    defect: () =>
      onReplies((reply, { query }) => {
        if (query.names().length === 0 || !typeOf(reply).includes('yaml')) return reply;
        const { value } = readYaml(Buffer.from(reply.body).toString('utf8'));
        const headers = { ...reply.headers, 'content-type': 'application/json' };
        return { ...reply, headers, body: Buffer.from(JSON.stringify(value)) };
      }),
  },
  {
    id: 'yaml-bodies-are-refused',
    breaks: [...clausesOf('YAML-REQUEST-01'), 'NEGOTIATE-CONTENT-02'],
    sentence: 'A body in YAML is answered 415.',
    defect: () =>
      refusingWhere(['create', 'update'], (call) => (sent(call).includes('yaml') ? unsupported() : undefined)),
  },
  {
    id: 'yaml-answers-have-more',
    breaks: clausesOf('YAML-RESPONSE-01'),
    sentence: 'YAML answers have a member that JSON answers have not.',
    defect: () => onBytes('/yaml', (body) => Buffer.concat([body, Buffer.from('extra: 1\n')])),
  },
  {
    id: 'unacceptable-is-json',
    breaks: [...clausesOf('NEGOTIATE-ACCEPT-02'), 'CBOR-GATE-01', ...clausesOf('PROTOBUF-CUSTOM-01')],
    sentence: 'A client that accepts nothing the service has is answered 200 all the same.',
    defect: () => coding(({ code }) => (code === 406 ? 200 : code)),
  },
  {
    id: 'writes-are-answered-as-they-are-sent',
    breaks: ENCODED_TYPES.flatMap(
      (type) => [`NEGOTIATE-ACCEPT-01/post/${type}`, `NEGOTIATE-ACCEPT-01/put/${type}`] as const,
    ),
    sentence: 'A POST or PUT in YAML is answered in YAML, whatever it accepts.',
    // JSON is YAML.
    defect: () =>
      onReplies((reply, { method, headers }) =>
        /^P(OS|U)T$/.test(method) && String(headers['content-type']).includes('yaml')
          ? { ...reply, headers: { ...reply.headers, 'content-type': 'application/yaml' } }
          : reply,
      ),
  },
  {
    id: 'decimals-stand-bare-in-yaml',
    breaks: ['YAML-RESPONSE-01', 'ENCODE-VALUE-01/read/yaml/texts'],
    sentence: 'A text such as 1.10 stands without quotation marks in YAML, so that it reads as a number.',
    defect: () =>
      onBytes('/yaml', (body) => Buffer.from(body.toString().replace(/^(\s*[^\s:#]+: )["'](\d+\.\d+)["']$/gm, '$1$2'))),
  },
  {
    id: 'accept-must-be-one',
    breaks: ['NEGOTIATE-ACCEPT-01', 'NEGOTIATE-ACCEPT-03', 'TABLE-FALLBACK-01'],
    sentence: 'An Accept of several types is answered 406.',
    defect: () => refusingWhere(['get', 'list'], (call) => (accepted(call).includes(',') ? unacceptable() : undefined)),
  },
  {
    id: 'partial-wildcards-are-unknown',
    breaks: ['NEGOTIATE-ACCEPT-05'],
    sentence: 'An Accept of application/* is answered 406.',
    defect: () => coding(({ code }, { headers }) => (String(headers.accept).includes('application/*') ? 406 : code)),
  },
  {
    id: 'quality-zero-is-taken',
    breaks: clausesOf('NEGOTIATE-ACCEPT-06', 'one-digit'),
    sentence: 'A client that refuses all that the service has is answered 200 all the same.',
    defect: () =>
      coding(({ code }, { headers }) => (code === 406 && /;q=0$/.test(String(headers.accept)) ? 200 : code)),
  },
  {
    id: 'quality-zero-with-digits-is-taken',
    breaks: clausesOf('NEGOTIATE-ACCEPT-06', ['point', 'two-digits', 'three-digits', 'four-digits', 'blanks']),
    sentence: 'A quality of 0 with a decimal point is a low one.',
    defect: () =>
      coding(({ code }, { headers }) => (code === 406 && /q=0\./.test(String(headers.accept)) ? 200 : code)),
  },
  {
    id: 'unknown-bodies-are-taken',
    breaks: ['NEGOTIATE-CONTENT-01', 'CBOR-PATCH-01'],
    sentence: 'A body of an unknown type is answered 200.',
    defect: () => coding(({ code }) => (code === 415 ? 200 : code)),
  },
  {
    id: 'errors-are-called-json',
    breaks: ['NEGOTIATE-ERROR-01'],
    sentence: 'Errors are plain text and announced as JSON.',
    defect: () =>
      onReplies((reply) =>
        reply.code < 400 || !typeOf(reply).includes('json') ? reply : { ...reply, body: Buffer.from('no\n') },
      ),
  },
  {
    id: 'protobuf-lacks-its-envelope',
    breaks: ['PROTOBUF-ENVELOPE-01'],
    sentence: 'Protobuf answers come without the four bytes and the envelope.',
    defect: () => onBytes('.protobuf', (body) => body.subarray(4)),
  },
  {
    id: 'protobuf-alters-the-last-field',
    breaks: ['PROTOBUF-RESPONSE-01', ...clausesOf('PROTOBUF-RESPONSE-01')],
    sentence: 'The last byte of a Protobuf message is another one.',
    // The envelope ends with two empty fields of two bytes each.
    defect: () => onBytes('.protobuf', (body) => flipped(body, 5)),
  },
  {
    id: 'protobuf-bodies-are-refused',
    breaks: ['PROTOBUF-REQUEST-01'],
    sentence: 'A body in Protobuf is answered 415.',
    defect: () =>
      refusingWhere(['create', 'update'], (call) => (sent(call).includes('protobuf') ? unsupported() : undefined)),
  },
  {
    id: 'protobuf-watch-is-refused',
    breaks: ['PROTOBUF-WATCH-01'],
    sentence: 'A watch in Protobuf is answered 406.',
    defect: () =>
      refusingWhere(['watch'], (call) => (accepted(call).includes('protobuf') ? unacceptable() : undefined)),
  },
  {
    id: 'protobuf-watch-overlooks-selectors',
    breaks: ['PROTOBUF-WATCH-01'],
    sentence: 'A watch in Protobuf sends the events of all objects, whatever it selects.',
    defect: () =>
      onVerbs(['watch'], (call, serve) =>
        serve(
          accepted(call).includes('protobuf')
            ? withQuery(call, (query) => {
                for (const name of ['labelSelector', 'fieldSelector']) query.delete(name);
              })
            : call,
        ),
      ),
  },
  {
    id: 'cbor-alters-the-last-byte',
    breaks: ['CBOR-ITEM-01'],
    sentence: 'The last byte of a CBOR answer is another one.',
    defect: () => onBytes('/cbor', (body) => flipped(body, 1)),
  },
  {
    id: 'lists-are-not-in-cbor',
    breaks: ['CBOR-ITEM-01', 'GATE-STAGE-01'],
    sentence: 'With the gate on, a list in CBOR is answered 406.',
    defect: () => refusingWhere(['list'], (call) => (accepted(call).includes('cbor') ? unacceptable() : undefined)),
  },
  {
    id: 'cbor-sequence-is-called-an-item',
    breaks: ['CBOR-WATCH-01'],
    sentence: 'A watch in CBOR is announced as application/cbor.',
    defect: () => announcing((type) => type.replace('application/cbor-seq', 'application/cbor')),
  },
  {
    id: 'cbor-apply-is-refused',
    breaks: clausesOf('CBOR-APPLY-01'),
    sentence: 'An apply in CBOR is answered 415.',
    defect: () => refusingWhere(['patch'], (call) => (sent(call).includes('cbor') ? unsupported() : undefined)),
  },
  {
    id: 'cbor-apply-to-status-is-refused',
    breaks: clausesOf('CBOR-APPLY-01', 'status'),
    sentence: 'An apply in CBOR to a status is answered 415.',
    defect: () =>
      refusingWhere(['patch'], (call) =>
        call.endpoint.subresource && sent(call).includes('cbor') ? unsupported() : undefined,
      ),
  },
  {
    id: 'empty-tables-have-no-columns',
    breaks: ['TABLE-DEFAULT-01', ...clausesOf('TABLE-DEFAULT-01', 'none'), ...clausesOf('TABLE-SHAPE-01', COLLECTIONS)],
    sentence: 'A Table without rows has no columns.',
    defect: () =>
      onJson((table) => {
        if (Array.isArray(table.rows) && table.rows.length === 0) table.columnDefinitions = [];
      }),
  },
  {
    id: 'table-rows-lack-a-cell',
    breaks: ['TABLE-SHAPE-01', ...clausesOf('TABLE-SHAPE-01').filter((name) => !/\/watch$|\/orders\//.test(name))],
    sentence: 'Rows of a Table have one cell less than it has columns.',
    defect: () =>
      onJson(({ rows }) => {
        if (!Array.isArray(rows)) return;
        for (const row of rows) if (isObject(row) && Array.isArray(row.cells)) row.cells.pop();
      }),
  },
  {
    id: 'table-rows-skip-empty-cells',
    breaks: clausesOf('TABLE-SHAPE-01', 'absent', ['get', 'list']),
    sentence: 'A row of a Table has no cell where there is nothing to show.',
    defect: () => onJson(skippingEmptyCells),
  },
  {
    id: 'watched-table-rows-skip-empty-cells',
    breaks: clausesOf('TABLE-SHAPE-01', 'absent', 'watch'),
    sentence: 'A row of a Table in an event has no cell where there is nothing to show.',
    defect: () =>
      onFrames(({ object }) => {
        if (isObject(object)) skippingEmptyCells(object);
      }),
  },
  {
    id: 'default-column-is-age',
    breaks: [
      'TABLE-DEFAULT-01',
      ...clausesOf('TABLE-DEFAULT-01', ['none', 'selected', 'chunk']),
      ...clausesOf('TABLE-DEFAULT-01', ['get', 'list'], ['roles', 'clusterroles', 'everywhere']),
    ],
    sentence: 'The second default column of Tables is called Age.',
    defect: () => onJson(callingAge),
  },
  {
    id: 'watched-default-column-is-age',
    breaks: clausesOf('TABLE-DEFAULT-01', 'watch', ['roles', 'clusterroles', 'everywhere']),
    sentence: 'The second default column of the Tables in events is called Age.',
    defect: () =>
      onFrames(({ object }) => {
        if (isObject(object)) callingAge(object);
      }),
  },
  {
    id: 'created-at-is-the-last-write',
    breaks: clausesOf('TABLE-DEFAULT-01', 'cells', ['get', 'list']),
    sentence: 'The column Created At of a Table shows when the object was written last.',
    defect: () => onJson(tellingTheLastWrite),
  },
  {
    id: 'watched-created-at-is-the-last-write',
    breaks: clausesOf('TABLE-DEFAULT-01', 'cells', 'watch'),
    sentence: 'The column Created At of a Table in an event shows when the object was written last.',
    defect: () =>
      onFrames(({ object }) => {
        if (isObject(object)) tellingTheLastWrite(object);
      }),
  },
  {
    id: 'table-parameters-have-an-order',
    breaks: clausesOf('TABLE-SHAPE-01', 'orders'),
    sentence: 'A wish for a Table whose parameters stand in another order than as, g and v is not understood.',
    defect: () =>
      refusingWhere(['get', 'list', 'watch'], (call) =>
        accepted(call).includes('as=Table') && !/as=.*g=.*v=/.test(accepted(call)) ? unacceptable() : undefined,
      ),
  },
  {
    id: 'default-tables-of-all-namespaces-name-them',
    breaks: ['list', 'selected', 'chunk'].map((way) => `TABLE-DEFAULT-01/${way}/everywhere` as ClauseName),
    sentence: 'A Table with the default columns has one more for the namespace where it is of all namespaces.',
    defect: () =>
      onJson((table, { path }) => {
        const { columnDefinitions, rows } = table;
        if (!Array.isArray(columnDefinitions) || !Array.isArray(rows) || path.includes('/namespaces/')) return;
        if (columnDefinitions.length !== 2 || !path.endsWith('/roles')) return;
        columnDefinitions.unshift({ name: 'Namespace', type: 'string', format: '', description: '', priority: 0 });
        for (const row of rows) if (isObject(row) && Array.isArray(row.cells)) row.cells.unshift('');
      }),
  },
  {
    id: 'tables-ignore-limit',
    breaks: clausesOf('TABLE-CONSISTENT-01'),
    sentence: 'A Table shows every object, whatever the limit.',
    defect: () =>
      asking(['list'], (query, call) => {
        if (accepted(call).includes('as=Table')) query.delete('limit');
      }),
  },
  {
    id: 'later-tables-are-the-last',
    breaks: clausesOf('TABLE-CONSISTENT-01'),
    sentence: 'A Table of a second or later chunk has no token, though more remains.',
    defect: () =>
      onJson(({ kind, metadata }, request) => {
        if (kind === 'Table' && isObject(metadata) && request.query.has('continue')) delete metadata.continue;
      }),
  },
  {
    id: 'gzip-is-not-announced',
    breaks: ['GZIP-ACCEPT-01', ...clausesOf('GZIP-ACCEPT-01')],
    sentence: 'Compressed answers do not say that they are.',
    defect: () =>
      onReplies((reply) => {
        const { 'content-encoding': _, ...headers } = reply.headers;
        return { ...reply, headers };
      }),
  },
  {
    id: 'compressed-answers-are-kept',
    breaks: clausesOf('GZIP-ACCEPT-01'),
    sentence: 'What is compressed once is sent again to who asks so again, whatever was written since.',
    defect: () => {
      const kept = new Map<string, WholeReply>();
      return onReplies((reply, request) => {
        const isPacked = reply.headers['content-encoding'] === 'gzip' && reply.code === 200;
        if (request.method !== 'GET' || !isPacked) return reply;
        const key = `${request.target} ${request.headers.accept}`;
        if (!kept.has(key)) kept.set(key, reply);
        return kept.get(key) ?? reply;
      });
    },
  },
  {
    id: 'refused-gzip-is-sent',
    breaks: ['GZIP-ACCEPT-02'],
    sentence: 'Large answers are compressed though gzip has the quality 0, or another coding is asked for.',
    defect: () =>
      onReplies((reply, request) => {
        const plain = reply.headers['content-encoding'] === undefined;
        if (!plain || reply.body.byteLength < 100_000 || !takesGzip(request)) return reply;
        return { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' }, body: gzipSync(reply.body) };
      }),
  },
  {
    id: 'compression-stays-on',
    breaks: ['GZIP-GATE-01'],
    sentence: 'Large answers are compressed though the feature is off.',
    defect: () =>
      onReplies((reply, request) => {
        const plain = reply.headers['content-encoding'] === undefined;
        if (!plain || reply.body.byteLength < 100_000 || !takesGzip(request)) return reply;
        return { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' }, body: gzipSync(reply.body) };
      }),
  },
  {
    id: 'compression-gate-counts-as-the-last-alone',
    breaks: ['GZIP-GATE-01'],
    sentence: 'APIResponseCompression=false is overlooked where another gate stands behind it.',
    defect: () => ({
      start: { flags: (argv) => argv.map((each) => each.replace('APIResponseCompression=false,', '')) },
    }),
  },
];
