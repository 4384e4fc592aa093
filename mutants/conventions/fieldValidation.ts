import { clausesOf, MOMENTS, NO_MOMENTS, OBJECT_WRITES, UPDATES } from '../../fixtures/ledger/index.ts';
import { isObject, type JsonObject } from '../../reference/api/json.ts';
import { ApiError } from '../../reference/api/status.ts';
import type { Call } from '../../reference/contracts/call.ts';
import { onApplies, onReplies, onVerbs, withBody, withQuery, withText } from '../alter.ts';
import type { Mutant } from '../mutant.ts';
import { bodyOf, mending, showing } from '../oneType.ts';
import { anyWrite, everyWrite, passing, withMembers } from '../writes.ts';

const WRITES = ['create', 'update', 'patch'] as const;

const asked = (call: Call): string | undefined => call.exchange.request.query.get('fieldValidation');

const asking = (call: Call, value: string): Call => withQuery(call, (query) => query.set('fieldValidation', value));

const contentType = (call: Call): string => String(call.exchange.request.headers['content-type'] ?? '');

const MOMENT: Readonly<Record<(typeof MOMENTS)[number] | (typeof NO_MOMENTS)[number], RegExp>> = {
  'leap-day': /^2024-02-29/,
  'leap-day-of-a-century': /^2000-02-29/,
  'last-second': /:59:59Z/,
  'zone-ahead': /\+\d\d:\d\d$/,
  'zone-behind': /\d-\d\d:\d\d$/,
  'month-13': /-13-/,
  'month-0': /-00-/,
  'day-0': /-00T/,
  'day-31-of-30': /-06-31/,
  'no-leap-day': /^2023-02-29/,
  'no-leap-day-of-a-century': /^2100-02-29/,
  'hour-25': /T25/,
  'minute-60': /:60:/,
  words: /^[a-z]+day$/,
  'a-number': /^\d+$/,
};
const timestampIn = (body: JsonObject | undefined): unknown =>
  isObject(body?.metadata) ? body.metadata.creationTimestamp : undefined;

/** Makes numbers of texts of digits that are given for how many there are, in an object or in the values of a JSON patch. */
function digitsAsNumbers(value: unknown): void {
  if (Array.isArray(value)) for (const each of value) digitsAsNumbers(each);
  if (!isObject(value)) return;
  const isCounted = (name: string) => /^(replicas|count)$/.test(name) || /\/(replicas|count)$/.test(String(value.path));
  for (const [name, member] of Object.entries(value)) {
    if (isCounted(name) && /^\d+$/.test(String(member))) value[name] = Number(member);
    else digitsAsNumbers(member);
  }
}

/** Fields that pass though they should not, and the reverse. */
export const FIELD_VALIDATION: readonly Mutant[] = [
  anyWrite(
    'types-are-bent',
    'FIELDS-TYPE-01',
    OBJECT_WRITES,
    (write) => `Labels, annotations and finalizers of another type are left out of ${write}.`,
    (call, serve) =>
      serve(
        withMembers(call, ['metadata'], (metadata) => {
          for (const name of ['labels', 'annotations'] as const) {
            const value = metadata[name];
            const texts = isObject(value) && Object.values(value).every((each) => typeof each === 'string');
            if (value !== undefined && !texts) delete metadata[name];
          }
          if (typeof metadata.finalizers === 'string') delete metadata.finalizers;
        }),
      ),
  ),
  {
    id: 'texts-of-digits-are-numbers',
    breaks: clausesOf('FIELDS-TYPE-01', ['custom', 'custom-scale', 'deployments-scale']),
    sentence: 'A text of digits is taken for a number of replicas, or of a count.',
    defect: () => onVerbs(WRITES, (call, serve) => serve(withBody(call, (body) => digitsAsNumbers(body)))),
  },
  ...MOMENTS.map(
    (moment): Mutant => ({
      id: `no-moment-is-${moment}`,
      breaks: [`FIELDS-TYPE-03/${moment}`],
      sentence: `A write with a timestamp such as ${MOMENT[moment].source} is refused.`,
      defect: () =>
        onVerbs(WRITES, async (call, serve) => {
          if (MOMENT[moment].test(String(timestampIn(await bodyOf(call))))) throw new ApiError(400, 'BadRequest', 'no');
          return serve(call);
        }),
    }),
  ),
  ...NO_MOMENTS.map(
    (moment): Mutant => ({
      id: `a-moment-is-${moment}`,
      breaks: [`FIELDS-TYPE-03/${moment}`],
      sentence: `A timestamp such as ${MOMENT[moment].source} is left out of what is written.`,
      defect: () =>
        onVerbs(WRITES, (call, serve) =>
          serve(
            withMembers(call, ['metadata'], (metadata) => {
              if (MOMENT[moment].test(String(metadata.creationTimestamp))) delete metadata.creationTimestamp;
            }),
          ),
        ),
    }),
  ),
  anyWrite(
    'required-fields-may-be-missing',
    'FIELDS-REQUIRED-01',
    ['post', 'put', 'json', 'merge', 'apply'],
    (write) => `${write} of a custom object without a required field is answered as done.`,
    (call, serve) => (call.endpoint.type.group === 'touchstone.example' ? passing(call, serve) : serve(call)),
  ),
  anyWrite(
    'unknown-validation-passes',
    'FIELDS-VALUE-01',
    OBJECT_WRITES,
    (write) => `A value of fieldValidation that nobody knows means Ignore in ${write}.`,
    (call, serve) =>
      serve(['Ignore', 'Warn', 'Strict', undefined].includes(asked(call)) ? call : asking(call, 'Ignore')),
  ),
  ...everyWrite(
    'strict-not-heard',
    (write) => [
      ...clausesOf(write === 'post' || write === 'put' ? 'FIELDS-STRICT-01' : 'FIELDS-STRICT-02', write),
      ...clausesOf('FIELDS-STRICT-03', write),
    ],
    UPDATES,
    (write) => `fieldValidation=Strict accepts fields that are wrong in ${write}.`,
    (call, serve) => serve(asked(call) === 'Strict' ? asking(call, 'Ignore') : call),
  ),
  anyWrite(
    'duplicates-overlooked',
    (write) => [
      ...clausesOf('FIELDS-STRICT-03', write),
      ...clausesOf('FIELDS-WARN-01', ['duplicate', 'spelled'], write),
    ],
    UPDATES,
    (write) => `Fields that stand twice in ${write} are no offence.`,
    (call, serve) => serve(withBody(call, () => {})),
  ),
  anyWrite(
    'duplicates-in-two-spellings-overlooked',
    (write) => (['FIELDS-STRICT-03', 'FIELDS-WARN-01'] as const).flatMap((id) => clausesOf(id, 'spelled', write)),
    UPDATES,
    (write) => `Fields that stand twice in ${write}, one of them with an escape in its name, are no offence.`,
    (call, serve) =>
      serve(withText(call, (text) => (/\\u[^"]*"\s*:/.test(text) ? JSON.stringify(JSON.parse(text)) : text))),
  ),
  ...everyWrite(
    'warning-missing',
    (write) => clausesOf('FIELDS-WARN-01', write),
    UPDATES,
    (write) => `Nothing warns of fields that are wrong in ${write}.`,
    (call, serve) => serve(['Warn', undefined].includes(asked(call)) ? asking(call, 'Ignore') : call),
  ),
  anyWrite(
    'ignore-warns',
    (write) => clausesOf('FIELDS-IGNORE-01', write),
    UPDATES,
    (write) => `Under Ignore there are warnings as under Warn in ${write}.`,
    (call, serve) => serve(asked(call) === 'Ignore' ? asking(call, 'Warn') : call),
  ),
  anyWrite(
    'strict-unless-told',
    (write) => [...clausesOf('FIELDS-UNKNOWN-01', write), ...clausesOf('FIELDS-DUPLICATE-01', write)],
    OBJECT_WRITES,
    (write) => `Fields are validated strictly in ${write} where nothing is asked.`,
    (call, serve) => serve(asked(call) === undefined ? asking(call, 'Strict') : call),
  ),
  {
    id: 'applies-never-strict',
    breaks: clausesOf('FIELDS-APPLY-01'),
    sentence: 'An apply under Strict accepts fields that are wrong.',
    defect: () =>
      onApplies((call, serve) =>
        serve(
          asking(
            withBody(call, () => {}),
            'Ignore',
          ),
        ),
      ),
  },
  {
    id: 'big-integers-rounded',
    breaks: ['FIELDS-TYPE-02'],
    sentence: 'Integers beyond what a double holds are rounded.',
    defect: () =>
      onReplies((reply) => {
        const text = Buffer.from(reply.body).toString('utf8');
        if (!text.includes('"PodTemplate"')) return reply;
        return { ...reply, body: Buffer.from(text.replace(/:\d{16,}(?=[,}])/g, (all) => `:${Number(all.slice(1))}`)) };
      }),
  },
  {
    id: 'required-fields-made-up',
    breaks: ['FIELDS-REQUIRED-01', 'CRB-ROLEREF-01'],
    sentence: 'A binding without roleRef gets one.',
    defect: () =>
      mending<{ roleRef?: unknown }>('clusterrolebindings', ['create'], (body, { endpoint }) => {
        body.roleRef ??= { apiGroup: endpoint.type.group, kind: 'ClusterRole', name: 'view' };
      }),
  },
  {
    id: 'unknown-fields-stay',
    breaks: ['FIELDS-UNKNOWN-01'],
    sentence: 'Unknown fields are answered as if they were stored.',
    defect: () => showing('clusterroles', ['create'], (object) => ({ ...object, touchstoneUnknown: 'x' })),
  },
  {
    id: 'custom-objects-never-strict',
    breaks: ['FIELDS-UNKNOWN-02'],
    sentence: 'Strict is not heard for custom objects.',
    defect: () =>
      onVerbs(WRITES, (call, serve) =>
        serve(call.endpoint.type.group === 'touchstone.example' ? asking(call, 'Ignore') : call),
      ),
  },
  {
    id: 'warning-header-missing',
    breaks: ['FIELDS-WARN-01'],
    sentence: 'No answer has a Warning header.',
    defect: () =>
      onReplies((reply) => {
        const { warning: _, ...headers } = reply.headers;
        return { ...reply, headers };
      }),
  },
  {
    id: 'one-warning-for-a-name',
    breaks: clausesOf('FIELDS-WARN-01', 'same-name'),
    sentence: 'Of unknown fields with one name in several places one warning tells.',
    defect: () =>
      onReplies((reply) => {
        const { warning, ...headers } = reply.headers;
        if (!Array.isArray(warning)) return reply;
        const byName = new Map(warning.map((line) => [/([^."\\]*)\\?"+$/.exec(line)?.[1] ?? line, line]));
        return { ...reply, headers: { ...headers, warning: [...byName.values()] } };
      }),
  },
  {
    id: 'warnings-of-first-items',
    breaks: clausesOf('FIELDS-WARN-01', 'places'),
    sentence: 'Of items behind the first one of their list no warning tells.',
    defect: () =>
      onReplies((reply) => {
        const { warning, ...headers } = reply.headers;
        const told = [warning ?? []].flat().filter((line) => !/\[[1-9]\d*\]/.test(line));
        return { ...reply, headers: told.length === 0 ? headers : { ...headers, warning: told } };
      }),
  },
  {
    id: 'strict-only-warns',
    breaks: clausesOf('FIELDS-STRICT-01'),
    sentence: 'fieldValidation=Strict accepts unknown fields.',
    defect: () => onVerbs(WRITES, (call, serve) => serve(asking(call, 'Ignore'))),
  },
  {
    id: 'patch-never-strict',
    breaks: ['FIELDS-STRICT-02'],
    sentence: 'A patch under Strict accepts unknown fields.',
    defect: () => onVerbs(['patch'], (call, serve) => serve(asking(call, 'Ignore'))),
  },
  {
    id: 'strict-names-the-first',
    breaks: ['FIELDS-STRICT-03'],
    sentence: 'A refusal under Strict names only the first field that offends.',
    defect: () =>
      onVerbs(WRITES, async (call, serve) => {
        try {
          return await serve(call);
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 400) throw error;
          throw new ApiError(400, error.reason, error.message.split(', ')[0] ?? '');
        }
      }),
  },
  {
    id: 'strict-names-one-kind-of-offence',
    breaks: clausesOf('FIELDS-STRICT-03'),
    sentence: 'A refusal under Strict names no field that stands twice where there is one that nobody knows.',
    defect: () =>
      onVerbs(WRITES, async (call, serve) => {
        try {
          return await serve(call);
        } catch (error) {
          if (!(error instanceof ApiError) || !error.message.includes('unknown field')) throw error;
          throw new ApiError(error.code, error.reason, error.message.replace(/(, )?duplicate field "[^"]*"/g, ''));
        }
      }),
  },
  {
    id: 'yaml-never-strict',
    breaks: clausesOf('FIELDS-YAML-01'),
    sentence: 'Unknown fields of YAML bodies pass, whatever is asked.',
    defect: () =>
      onVerbs(WRITES, (call, serve) => serve(contentType(call).includes('yaml') ? asking(call, 'Ignore') : call)),
  },
  {
    id: 'yaml-may-say-twice-what-is-short',
    breaks: clausesOf('FIELDS-YAML-01', [
      'kind-twice',
      'name-twice',
      'label-twice',
      'spelled-twice',
      'twice-in-braces',
    ]),
    sentence: 'Of a kind, a name or a label that stands twice in YAML the last one counts, whatever is asked.',
    defect: () =>
      onVerbs(WRITES, (call, serve) =>
        serve(
          contentType(call).includes('yaml')
            ? withText(call, (text) =>
                text
                  .replace(/^( *)(kind|name|touchstoneTwice): .*\n(?=\1\2: )/gm, '')
                  .replace(/^( *)"t\\u006fuchstoneTwice": .*\n/gm, '')
                  .replace(/("kind":"[A-Za-z0-9]+"), \1/, '$1'),
              )
            : call,
        ),
      ),
  },
  {
    id: 'cbor-never-strict',
    breaks: ['FIELDS-CBOR-01'],
    sentence: 'Unknown fields of CBOR bodies pass, whatever is asked.',
    defect: () =>
      onVerbs(WRITES, (call, serve) => serve(contentType(call).includes('cbor') ? asking(call, 'Ignore') : call)),
  },
  {
    id: 'apply-refuses-unknown-fields',
    breaks: ['FIELDS-APPLY-01'],
    sentence: 'An apply with an unknown field is refused, whatever fieldValidation says.',
    defect: () => onApplies((call, serve) => serve({ ...call, services: { ...call.services, follow: 'service' } })),
  },
];
