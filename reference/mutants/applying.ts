import type { JsonObject } from '../api/json.ts';
import { ApiError, badRequest } from '../api/status.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Call } from '../contracts/call.ts';
import { onVerbs, withBody, withQuery } from './alter.ts';
import type { Mutant } from './mutant.ts';

type Serve = (call: Call) => Promise<Answer>;

/** Puts something between applies and the verb. */
const onApplies = (around: (call: Call, serve: Serve) => Promise<Answer>) =>
  onVerbs(['patch'], (call, serve) => (isApply(call) ? around(call, serve) : serve(call)));
/** Serves another body than the one that is applied. */
const mending = (mend: (body: JsonObject, call: Call) => void) =>
  onApplies((call, serve) => serve(withBody(call, (body) => mend(body, call))));

function isApply({ exchange }: Call): boolean {
  return String(exchange.request.headers['content-type']).startsWith('application/apply-patch');
}
function metadataOf(body: JsonObject): JsonObject {
  return (body.metadata ?? {}) as JsonObject;
}

/** Server-side apply as a request: what it takes, whom it asks, and what it answers. */
export const APPLYING: readonly Mutant[] = [
  {
    id: 'apply-always-forces',
    breaks: ['APPLY-CONFLICT-01'],
    sentence: 'An apply takes fields from other managers without a conflict.',
    seams: onApplies((call, serve) => serve(withQuery(call, (query) => query.set('force', 'true')))),
  },
  {
    id: 'apply-never-forces',
    breaks: ['APPLY-FORCE-03'],
    sentence: 'An apply with force conflicts as one without.',
    seams: onApplies((call, serve) => serve(withQuery(call, (query) => query.delete('force')))),
  },
  {
    id: 'apply-never-creates',
    breaks: ['APPLY-CREATE-01'],
    sentence: 'An apply on a missing object is answered 404.',
    seams: onApplies(async (call, serve) => {
      const answer = await serve(withQuery(call, (query) => query.set('dryRun', 'All')));
      if ('code' in answer && answer.code === 201) throw new ApiError(404, 'NotFound', 'not found');
      return serve(call);
    }),
  },
  {
    id: 'apply-reads-json-only',
    breaks: ['APPLY-BODY-01'],
    sentence: 'An apply in YAML is refused.',
    seams: onApplies(async (call, serve) => {
      const bytes = await call.exchange.request.body();
      if (bytes[0] !== '{'.charCodeAt(0)) throw badRequest('not JSON');
      return serve(call);
    }),
  },
  {
    id: 'apply-overlooks-what-is-named',
    breaks: ['APPLY-BODY-02'],
    sentence: 'The path decides what an apply is for, whatever name the body has.',
    seams: mending((body, call) => {
      metadataOf(body).name = call.exchange.info.name;
    }),
  },
  {
    id: 'apply-overlooks-managed-fields',
    breaks: ['APPLY-BODY-03'],
    sentence: 'managedFields in the body of an apply are dropped.',
    seams: mending((body) => {
      delete metadataOf(body).managedFields;
    }),
  },
  {
    id: 'apply-overlooks-versions',
    breaks: ['APPLY-BODY-04'],
    sentence: 'An apply with a stale resourceVersion is stored.',
    seams: mending((body) => {
      delete metadataOf(body).resourceVersion;
    }),
  },
  {
    id: 'apply-needs-no-manager',
    breaks: ['APPLY-MANAGER-01'],
    sentence: 'An apply without fieldManager is stored under a manager called unknown.',
    seams: onApplies((call, serve) =>
      serve(
        withQuery(call, (query) => {
          if (!query.get('fieldManager')) query.set('fieldManager', 'unknown');
        }),
      ),
    ),
  },
  {
    id: 'only-applies-have-a-manager',
    breaks: ['APPLY-MANAGER-03'],
    sentence: 'Writes other than applies are recorded after their User-Agent, whatever fieldManager says.',
    seams: onVerbs(['create', 'update', 'patch'], (call, serve) =>
      serve(isApply(call) ? call : withQuery(call, (query) => query.delete('fieldManager'))),
    ),
  },
  {
    id: 'user-agent-names-nobody',
    breaks: ['APPLY-MANAGER-04'],
    sentence: 'Writes without fieldManager are recorded under unknown, whatever their User-Agent is.',
    seams: onVerbs(['create', 'update', 'patch'], (call, serve) =>
      serve(
        withQuery(call, (query) => {
          if (!query.get('fieldManager') && !isApply(call)) query.set('fieldManager', 'unknown');
        }),
      ),
    ),
  },
  {
    id: 'apply-needs-update',
    breaks: ['APPLY-PERMISSION-01'],
    sentence: 'Who may patch but not update may not apply.',
    seams: {
      authorizer: (authorizer) => ({
        ...authorizer,
        name: authorizer.name,
        authorize: async (asked) => {
          const verdict = await authorizer.authorize(asked);
          if (!asked.isResource || asked.verb !== 'patch' || verdict.decision !== 'allow') return verdict;
          return authorizer.authorize({ ...asked, verb: 'update' });
        },
      }),
    },
  },
  {
    id: 'apply-creates-for-anyone',
    breaks: ['APPLY-PERMISSION-02'],
    sentence: 'Who may patch may create by an apply.',
    seams: onApplies((call, serve) => {
      const all = { name: 'all', authorize: () => ({ decision: 'allow', reason: '', by: 'all' }) as const };
      return serve({ ...call, services: { ...call.services, authorizer: all } });
    }),
  },
  {
    id: 'apply-refuses-unknown-fields',
    breaks: ['FIELDS-APPLY-01'],
    sentence: 'An apply with an unknown field is refused, whatever fieldValidation says.',
    seams: onApplies((call, serve) => serve({ ...call, services: { ...call.services, follow: 'service' } })),
  },
  {
    id: 'apply-dry-run-stores',
    breaks: ['DRYRUN-APPLY-01'],
    sentence: 'An apply with dryRun=All is stored.',
    seams: onApplies((call, serve) => serve(withQuery(call, (query) => query.delete('dryRun')))),
  },
];
