import {
  CHANGES,
  CREATED_BY_PUT,
  clausesOf,
  DELETES,
  DRY_RUN_RESULT,
  OTHER_TYPES,
  REFUSED_WRITES,
  WRITES,
} from '../../fixtures/ledger/index.ts';
import type { ApiObject } from '../../reference/api/object.ts';
import { ApiError, badRequest, forbidden } from '../../reference/api/status.ts';
import type { Call } from '../../reference/contracts/call.ts';
import { judging, onApplies, onVerbs, rereadable, withQuery } from '../alter.ts';
import { coding } from '../asking.ts';
import type { Mutant } from '../mutant.ts';
import { bodyOf, onType, storedOf } from '../oneType.ts';
import { answering, anyWrite, everyWrite, passing } from '../writes.ts';

const dryRunOf = (call: Call): string | undefined => call.exchange.request.query.get('dryRun');

/** The same call for real. */
const really = (call: Call): Call => withQuery(call, (query) => query.delete('dryRun'));

const nameOf = async (call: Call): Promise<string> =>
  (await bodyOf<{ metadata?: { name?: string } }>(call))?.metadata?.name ?? '';

const DELETE_OPTIONS = ['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy'];

/** Whether a clause is of a PUT of what does not exist. */
const isCreating = (name: string): boolean => name.includes('/creating/');

/** Dry runs that leave traces, or are judged otherwise than the real request. */
export const DRY_RUN: readonly Mutant[] = [
  anyWrite(
    'dry-run-refused',
    'DRYRUN-VALUE-01',
    WRITES,
    (write) => `dryRun=All is refused in ${write}.`,
    async (call, serve) => {
      if (dryRunOf(call) === 'All') throw badRequest('there is no dryRun here');
      return serve(call);
    },
  ),
  anyWrite(
    'empty-dry-run-refused',
    'DRYRUN-VALUE-02',
    WRITES,
    (write) => `dryRun without a value is refused in ${write}.`,
    async (call, serve) => {
      if (dryRunOf(call) === '') throw badRequest('dryRun has no value');
      return serve(call);
    },
  ),
  ...everyWrite(
    'dry-run-is-real',
    (write) => [
      ...clausesOf(DRY_RUN_RESULT[write], write),
      ...clausesOf('DRYRUN-EFFECT-01', write),
      ...clausesOf('DRYRUN-EFFECT-03', write),
      ...(write === 'post' ? clausesOf('DRYRUN-EFFECT-01', OTHER_TYPES).filter((name) => !isCreating(name)) : []),
    ],
    WRITES,
    (write) => `A dry run of ${write} is done really.`,
    (call, serve) => serve(really(call)),
  ),
  {
    id: 'dry-run-of-a-put-that-creates-is-real',
    breaks: [
      ...clausesOf('DRYRUN-UPDATE-01', 'creating', CREATED_BY_PUT),
      ...clausesOf('DRYRUN-EFFECT-01', 'creating', CREATED_BY_PUT),
    ],
    sentence: 'A dry run of a PUT of what does not exist is done really.',
    defect: () => onVerbs(['update'], async (call, serve) => serve((await storedOf(call)) ? call : really(call))),
  },
  ...everyWrite(
    'dry-run-of-deletion-is-real',
    'DRYRUN-EFFECT-02',
    [...CHANGES, ...DELETES],
    (write) => `A dry run of ${write} of what has finalizers is done really.`,
    async (call, serve, write) => {
      const stored = await storedOf(call);
      const held = write === 'deletecollection' || stored?.object.metadata.finalizers !== undefined;
      return serve(held ? really(call) : call);
    },
  ),
  {
    id: 'dry-run-reaches-others',
    breaks: clausesOf('DRYRUN-EFFECT-03', ['binding', 'eviction', 'definition', 'namespace', 'owner']),
    sentence:
      'A dry run through a subresource, of a DELETE that says what becomes of others, or of what holds others is done really.',
    defect: () =>
      onVerbs(['create', 'delete'], (call, serve) => {
        const { endpoint, exchange } = call;
        const holds = ['namespaces', 'customresourcedefinitions'].includes(endpoint.type.resource);
        const tells = exchange.request.query.has('propagationPolicy');
        const reaches = exchange.info.verb === 'delete' ? holds || tells : endpoint.subresource !== undefined;
        return serve(reaches ? really(call) : call);
      }),
  },
  anyWrite(
    'dry-run-passes-anything',
    'DRYRUN-STAGES-01',
    WRITES,
    (write) => `A dry run of ${write} that would be refused is answered as done.`,
    (call, serve) => (dryRunOf(call) ? passing(call, serve) : serve(call)),
  ),
  {
    id: 'dry-runs-in-protobuf-are-real',
    breaks: ['DRYRUN-CREATE-01', 'DRYRUN-UPDATE-01'],
    sentence: 'A dry run of a POST or PUT whose body is Protobuf is done really.',
    defect: () =>
      onVerbs(['create', 'update'], (call, serve) =>
        serve(String(call.exchange.request.headers['content-type'] ?? '').includes('protobuf') ? really(call) : call),
      ),
  },
  {
    id: 'dry-run-leaves-defaults-out',
    breaks: ['DRYRUN-CREATE-01/post/validatingwebhookconfigurations'],
    sentence: 'A create as a dry run answers the object as it was sent, without defaults.',
    defect: () =>
      onVerbs(['create'], async (call, serve) => {
        const body = await bodyOf<ApiObject>(call);
        const answer = await serve(call);
        const bare = ({ metadata }: ApiObject): ApiObject => ({ ...(body as ApiObject), metadata });
        return dryRunOf(call) && body ? answering(answer, bare) : answer;
      }),
  },
  ...everyWrite(
    'unknown-dry-run-is-real',
    'DRYRUN-VALUE-03',
    WRITES,
    (write) => `A value of dryRun that nobody knows is overlooked in ${write}.`,
    (call, serve) => serve(['', 'All'].includes(dryRunOf(call) ?? '') ? call : really(call)),
  ),
  {
    id: 'unknown-dry-run-is-all',
    breaks: clausesOf('DRYRUN-VALUE-03'),
    sentence: 'Any value of dryRun means All.',
    defect: () =>
      onVerbs(['create', 'update', 'patch', 'delete', 'deletecollection'], (call, serve) =>
        serve(dryRunOf(call) ? withQuery(call, (query) => query.set('dryRun', 'All')) : call),
      ),
  },
  {
    id: 'body-of-delete-hides-its-query',
    breaks: ['DRYRUN-DELETE-02', 'FORCE-OPTIONS-02'],
    sentence: 'A DELETE with a body takes no notice of the options in its query.',
    defect: () =>
      onVerbs(['delete', 'deletecollection'], async (call, serve) => {
        const body = await call.exchange.request.body();
        if (body.length === 0) return serve(call);
        return serve(
          withQuery(call, (query) => {
            for (const name of DELETE_OPTIONS) query.delete(name);
          }),
        );
      }),
  },
  {
    id: 'dry-run-overlooks-names-in-use',
    breaks: ['DRYRUN-STAGES-01'],
    sentence: 'A create as a dry run of a name in use is answered 201.',
    defect: () =>
      onType('configmaps', ['create'], async (call, serve) => {
        try {
          return await serve(call);
        } catch (error) {
          if (!dryRunOf(call) || !(error instanceof ApiError) || error.code !== 409) throw error;
          const entry = await storedOf(call, await nameOf(call));
          if (!entry) throw error;
          return { kind: 'entry', code: 201, endpoint: call.endpoint, entry };
        }
      }),
  },
  {
    id: 'dry-run-of-status-is-real',
    breaks: ['DRYRUN-EFFECT-01/status'],
    sentence: 'A dry run of a PUT or a patch of a status is done really.',
    defect: () => onVerbs(['update', 'patch'], (call, serve) => serve(call.endpoint.subresource ? really(call) : call)),
  },
  {
    id: 'dry-run-reserves-names',
    breaks: ['DRYRUN-EFFECT-01'],
    sentence: 'A name that was tried in a dry run is taken from then on.',
    defect: () => ({
      verbs: (table) => {
        const reserved = new Set<string>();
        return {
          ...table,
          create: async (asked) => {
            const call = rereadable(asked);
            const { endpoint, exchange } = call;
            if (endpoint.type.resource !== 'configmaps') return table.create(call);
            const name = await nameOf(call);
            const place = `${exchange.info.namespace}/${name}`;
            if (reserved.has(place)) throw forbidden(endpoint.type, name, 'the name is reserved');
            const answer = await table.create(call);
            if (dryRunOf(call)) reserved.add(place);
            return answer;
          },
        };
      },
    }),
  },
  {
    id: 'admission-refuses-dry-runs',
    breaks: ['DRYRUN-ADMISSION-01'],
    sentence: 'Built-in admission lets no secret pass in a dry run.',
    defect: () => ({
      admission: (admission) => ({
        ...admission,
        mutate: (attributes) => {
          const { endpoint, dryRun, name } = attributes;
          if (dryRun && endpoint.type.resource === 'secrets') throw forbidden(endpoint.type, name, 'not in a dry run');
          return admission.mutate(attributes);
        },
      }),
    }),
  },
  {
    id: 'apply-dry-run-stores',
    breaks: ['DRYRUN-APPLY-01'],
    sentence: 'An apply with dryRun=All is stored.',
    defect: () => onApplies((call, serve) => serve(withQuery(call, (query) => query.delete('dryRun')))),
  },
  {
    id: 'dry-applies-never-create',
    breaks: clausesOf('DRYRUN-APPLY-01', 'creating'),
    sentence: 'A dry run of an apply that would create is answered 200.',
    defect: () =>
      coding(({ code }, { query, method }) => (query.has('dryRun') && method === 'PATCH' && code === 201 ? 200 : code)),
  },
  {
    id: 'dry-runs-refuse-nothing',
    breaks: clausesOf('DRYRUN-STAGES-01', REFUSED_WRITES),
    sentence: 'A dry run of what is not valid is answered 200.',
    defect: () => coding(({ code }, { query }) => (query.has('dryRun') && (code === 400 || code === 422) ? 200 : code)),
  },
  {
    id: 'dry-runs-are-forbidden',
    breaks: clausesOf('DRYRUN-AUTHORIZATION-01', 'allowed'),
    sentence: 'A dry run is answered 403 where the real request would be answered.',
    defect: () => coding(({ code }, { query }) => (query.has('dryRun') && code < 300 ? 403 : code)),
  },
  {
    id: 'dry-runs-are-allowed',
    breaks: clausesOf('DRYRUN-AUTHORIZATION-01', 'denied'),
    sentence: 'A dry run is answered 200 where the real request would be answered 403.',
    defect: () => coding(({ code }, { query }) => (query.has('dryRun') && code === 403 ? 200 : code)),
  },
  {
    id: 'dry-run-asks-no-webhook',
    breaks: ['DRYRUN-ADMISSION-02'],
    sentence: 'A dry run passes admission unseen.',
    defect: () => judging((attributes) => (attributes.dryRun ? undefined : attributes)),
  },
];
