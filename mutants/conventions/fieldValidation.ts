import { ApiError } from '../../reference/api/status.ts';
import type { Call } from '../../reference/contracts/call.ts';
import { onApplies, onReplies, onVerbs, withQuery } from '../alter.ts';
import type { Mutant } from '../mutant.ts';
import { mending, showing } from '../oneType.ts';

const WRITES = ['create', 'update', 'patch'] as const;

const asked = (call: Call): string | undefined => call.exchange.request.query.get('fieldValidation');

const asking = (call: Call, value: string): Call => withQuery(call, (query) => query.set('fieldValidation', value));

const contentType = (call: Call): string => String(call.exchange.request.headers['content-type'] ?? '');

/** Fields that pass though they should not, and the reverse. */
export const FIELD_VALIDATION: readonly Mutant[] = [
  {
    id: 'types-are-bent',
    breaks: ['FIELDS-TYPE-01'],
    sentence: 'A number where a text belongs is made a text.',
    defect: () =>
      mending<{ data?: Record<string, unknown> }>('configmaps', ['create'], ({ data }) => {
        for (const [key, value] of Object.entries(data ?? {})) if (data) data[key] = String(value);
      }),
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
    id: 'strict-unless-told',
    breaks: ['FIELDS-DUPLICATE-01'],
    sentence: 'Fields are validated strictly where nothing is asked.',
    defect: () => onVerbs(WRITES, (call, serve) => serve(asked(call) === undefined ? asking(call, 'Strict') : call)),
  },
  {
    id: 'ignore-warns',
    breaks: ['FIELDS-IGNORE-01'],
    sentence: 'Under Ignore there are warnings as under Warn.',
    defect: () => onVerbs(WRITES, (call, serve) => serve(asked(call) === 'Ignore' ? asking(call, 'Warn') : call)),
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
    id: 'strict-only-warns',
    breaks: ['FIELDS-STRICT-01'],
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
    id: 'yaml-never-strict',
    breaks: ['FIELDS-YAML-01'],
    sentence: 'Unknown fields of YAML bodies pass, whatever is asked.',
    defect: () =>
      onVerbs(WRITES, (call, serve) => serve(contentType(call).includes('yaml') ? asking(call, 'Ignore') : call)),
  },
  {
    id: 'cbor-never-strict',
    breaks: ['FIELDS-CBOR-01'],
    sentence: 'Unknown fields of CBOR bodies pass, whatever is asked.',
    defect: () =>
      onVerbs(WRITES, (call, serve) => serve(contentType(call).includes('cbor') ? asking(call, 'Ignore') : call)),
  },
  {
    id: 'unknown-validation-passes',
    breaks: ['FIELDS-VALUE-01'],
    sentence: 'A value of fieldValidation that nobody knows means Ignore.',
    defect: () =>
      onVerbs(WRITES, (call, serve) =>
        serve(['Ignore', 'Warn', 'Strict', undefined].includes(asked(call)) ? call : asking(call, 'Ignore')),
      ),
  },
  {
    id: 'apply-refuses-unknown-fields',
    breaks: ['FIELDS-APPLY-01'],
    sentence: 'An apply with an unknown field is refused, whatever fieldValidation says.',
    defect: () => onApplies((call, serve) => serve({ ...call, services: { ...call.services, follow: 'service' } })),
  },
];
