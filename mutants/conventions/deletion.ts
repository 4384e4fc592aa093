import {
  CHANGES,
  clausesOf,
  DELETES,
  EVERY_DELETABLE_TYPE,
  FORCE_EXCLUDED,
  OTHER_DELETABLE_TYPES,
} from '../../fixtures/ledger/index.ts';
import { isObject } from '../../reference/api/json.ts';
import { ApiError } from '../../reference/api/status.ts';
import { readYaml } from '../../reference/codecs/yaml.ts';
import type { StatusAnswer } from '../../reference/contracts/answer.ts';
import type { Call } from '../../reference/contracts/call.ts';
import { collectionPrefix } from '../../reference/contracts/storeKeys.ts';
import { handedOn, onCommit, onVerbs, withText } from '../alter.ts';
import type { Mutant } from '../mutant.ts';
import {
  bodyOf,
  keyOf,
  mending,
  onChange,
  onType,
  recommit,
  storedOf,
  timeOfTheFirst,
  withMetadata,
} from '../oneType.ts';
import { anyWrite } from '../writes.ts';

interface Options {
  preconditions?: unknown;
  propagationPolicy?: unknown;
  dryRun?: unknown;
  gracePeriodSeconds?: unknown;
  orphanDependents?: unknown;
  ignoreStoreReadErrorWithClusterBreakingPotential?: unknown;
}

const SUCCESS: StatusAnswer = {
  kind: 'status',
  code: 200,
  status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' },
};

async function takeOut(call: Call): Promise<StatusAnswer> {
  const { store } = call.services;
  const entry = await store.get(keyOf(call));
  if (entry) await store.commit({ key: entry.key, expected: entry.modRevision, object: null });
  return SUCCESS;
}

async function optionsOf(call: Call): Promise<Options> {
  const bytes = await call.exchange.request.body();
  const options = bytes.length === 0 ? undefined : readYaml(Buffer.from(bytes).toString('utf8')).value;
  return isObject(options) ? options : {};
}

/** Deletions that do too little or too much. */
export const DELETION: readonly Mutant[] = [
  {
    id: 'finalizers-do-not-hold',
    breaks: [...clausesOf('DELETE-PHASE-01'), ...clausesOf('DELETE-COLLECTION-01')],
    sentence: 'A delete removes an object at once although it has finalizers.',
    defect: () =>
      onCommit((change) =>
        change.object?.metadata.deletionTimestamp && change.object.metadata.finalizers?.length
          ? { ...change, object: null }
          : change,
      ),
  },
  anyWrite(
    'delete-does-nothing',
    'DELETE-PHASE-02',
    DELETES,
    (write) => `${write} is answered as done and deletes nothing.`,
    async () => SUCCESS,
  ),
  anyWrite(
    'freed-object-stays',
    (write) => [
      ...clausesOf('DELETE-FINALIZER-02', write),
      ...(write === 'merge' ? OTHER_DELETABLE_TYPES.map((type) => `DELETE-FINALIZER-02/${type}` as const) : []),
    ],
    CHANGES,
    (write) => `A deleting object stays when ${write} takes its last finalizer off.`,
    async (call, serve) => {
      const stored = await storedOf(call);
      if (!stored?.object.metadata.deletionTimestamp) return serve(call);
      return { kind: 'entry', code: 200, endpoint: call.endpoint, entry: stored };
    },
  ),
  {
    id: 'freed-object-of-a-collection-stays',
    breaks: clausesOf('DELETE-FINALIZER-02', 'collection'),
    sentence: 'What was deleted with its collection stays when its last finalizer is taken off.',
    defect: () => {
      const alone = new Set<unknown>();
      return onVerbs(['delete', 'update', 'patch'], async (call, serve) => {
        const stored = await storedOf(call);
        const { uid, deletionTimestamp } = stored?.object.metadata ?? {};
        if (call.exchange.request.method === 'DELETE' && !deletionTimestamp) alone.add(uid);
        if (call.exchange.request.method === 'DELETE' || !stored || !deletionTimestamp || alone.has(uid))
          return serve(call);
        return { kind: 'entry', code: 200, endpoint: call.endpoint, entry: stored };
      });
    },
  },
  {
    id: 'delete-ignores-finalizers',
    breaks: ['DELETE-PHASE-01'],
    sentence: 'A delete removes an object at once although it has finalizers.',
    defect: () =>
      onCommit((change) => (change.object?.metadata.deletionTimestamp ? { ...change, object: null } : change)),
  },
  {
    id: 'second-delete-puts-off',
    breaks: ['DELETE-PHASE-03'],
    sentence: 'A second delete sets deletionTimestamp anew.',
    defect: () =>
      onType('configmaps', ['delete'], async (call, serve) => {
        const entry = await storedOf(call);
        if (!entry?.object.metadata.deletionTimestamp) return serve(call);
        await recommit(call.services.store, entry, (object) =>
          withMetadata(object, { deletionTimestamp: '2099-01-01T00:00:00Z' }),
        );
        return SUCCESS;
      }),
  },
  {
    id: 'grace-puts-off-deletion',
    breaks: clausesOf('DELETE-PHASE-01', 'options'),
    sentence: 'A grace period is added to the deletionTimestamp of what finalizers hold, whatever its type.',
    defect: () =>
      onVerbs(['delete'], async (call, serve) => {
        const given =
          call.exchange.request.query.get('gracePeriodSeconds') ?? (await optionsOf(call)).gracePeriodSeconds;
        const seconds = Number(given ?? 0);
        const answer = await serve(call);
        const entry = seconds > 0 ? await storedOf(call) : undefined;
        const at = entry?.object.metadata.deletionTimestamp;
        if (!entry || !at) return answer;
        const deletionTimestamp = new Date(Date.parse(at) + seconds * 1000).toISOString().replace(/\.\d+/, '');
        await recommit(call.services.store, entry, (object) => withMetadata(object, { deletionTimestamp }));
        return answer;
      }),
  },
  {
    id: 'deletion-time-stays-with-the-name',
    breaks: clausesOf('DELETE-PHASE-01', 'again'),
    sentence: 'An object is deleted at the time at which the first one of its name was.',
    defect: () => timeOfTheFirst('deletionTimestamp'),
  },
  {
    id: 'missing-object-is-deleted',
    breaks: ['DELETE-MISSING-01'],
    sentence: 'A delete of what does not exist is answered as done.',
    defect: () =>
      onVerbs(['delete'], async (call, serve) => {
        try {
          return await serve(call);
        } catch (error) {
          if (error instanceof ApiError && error.code === 404) return SUCCESS;
          throw error;
        }
      }),
  },
  {
    id: 'one-finalizer-frees',
    breaks: ['DELETE-FINALIZER-01', 'DELETE-ORDER-01'],
    sentence: 'A deleting object goes with the first finalizer that is taken off.',
    defect: () =>
      onChange('configmaps', (before, after) => {
        const had = before?.metadata.finalizers?.length ?? 0;
        const has = after?.metadata.finalizers?.length ?? 0;
        return before?.metadata.deletionTimestamp && has < had ? null : after;
      }),
  },
  {
    id: 'deleting-objects-are-not-listed',
    breaks: EVERY_DELETABLE_TYPE.map((type) => `DELETE-LISTED-01/${type}` as const),
    sentence: 'A list leaves out what waits for its finalizers.',
    defect: () =>
      onVerbs(['list'], async (call, serve) => {
        const answer = await serve(call);
        if (answer.kind !== 'list') return answer;
        return { ...answer, entries: answer.entries.filter(({ object }) => !object.metadata.deletionTimestamp) };
      }),
  },
  {
    id: 'other-forms-of-lists-lack-what-is-deleted',
    breaks: clausesOf('DELETE-LISTED-01', ['table', 'metadata']),
    sentence: 'A Table or a list of metadata leaves out what waits for its finalizers.',
    defect: () =>
      onVerbs(['list'], async (call, serve) => {
        const answer = await serve(call);
        const { accept } = call.exchange.request.headers;
        if (answer.kind !== 'list' || !String(accept).includes('as=')) return answer;
        return { ...answer, entries: answer.entries.filter(({ object }) => !object.metadata.deletionTimestamp) };
      }),
  },
  {
    id: 'initial-events-lack-what-is-deleted',
    breaks: clausesOf('DELETE-LISTED-01', 'initial'),
    sentence: 'Initial events leave out what waits for its finalizers.',
    defect: () =>
      onVerbs(['watch'], async (call, serve) => {
        const answer = await serve(call);
        if (answer.kind !== 'watch' || !call.exchange.request.query.has('sendInitialEvents')) return answer;
        return {
          ...answer,
          open: (sink) =>
            answer.open({
              ...handedOn(sink),
              event: (event) =>
                event.type === 'ADDED' && event.entry.object.metadata.deletionTimestamp ? true : sink.event(event),
            }),
        };
      }),
  },
  {
    id: 'second-delete-finds-nothing',
    breaks: clausesOf('DELETE-PHASE-03'),
    sentence: 'A DELETE of what is being deleted is answered 404.',
    defect: () =>
      onVerbs(['delete'], async (call, serve) => {
        if (!(await storedOf(call))?.object.metadata.deletionTimestamp) return serve(call);
        throw new ApiError(404, 'NotFound', 'not found');
      }),
  },
  {
    id: 'finalizers-of-deleting-keep-their-order',
    breaks: clausesOf('DELETE-FINALIZER-01'),
    sentence: 'A PUT that reorders the finalizers of what is being deleted is refused.',
    defect: () =>
      onVerbs(['update'], async (call, serve) => {
        const stored = (await storedOf(call))?.object.metadata;
        const asked = (await bodyOf<{ metadata?: { finalizers?: string[] } }>(call))?.metadata?.finalizers ?? [];
        if (!stored?.deletionTimestamp || asked.length !== stored.finalizers?.length) return serve(call);
        if (asked.join() !== stored.finalizers.join()) throw new ApiError(422, 'Invalid', 'the order is fixed');
        return serve(call);
      }),
  },
  {
    id: 'options-in-yaml-are-overlooked',
    breaks: clausesOf('DELETE-OPTIONS-01', 'yaml'),
    sentence: 'The options of a DELETE count in JSON only.',
    defect: () =>
      onVerbs(['delete'], (call, serve) =>
        serve(String(call.exchange.request.headers['content-type']).includes('yaml') ? withText(call, () => '') : call),
      ),
  },
  {
    id: 'deleting-object-takes-finalizers',
    breaks: ['DELETE-FINALIZER-03'],
    sentence: 'A deleting object takes further finalizers.',
    defect: () =>
      onType('configmaps', ['patch'], async (call, serve) => {
        const finalizers = (await bodyOf<{ metadata?: { finalizers?: string[] } }>(call))?.metadata?.finalizers;
        const entry = await storedOf(call);
        if (!finalizers?.length || !entry?.object.metadata.deletionTimestamp) return serve(call);
        const held = await recommit(call.services.store, entry, (object) => withMetadata(object, { finalizers }));
        return { kind: 'entry', code: 200, endpoint: call.endpoint, entry: held };
      }),
  },
  {
    id: 'preconditions-ignored',
    breaks: clausesOf('DELETE-OPTIONS-01', 'json'),
    sentence: 'A delete takes no notice of its preconditions.',
    defect: () =>
      mending<Options>('configmaps', ['delete'], (options) => {
        delete options.preconditions;
      }),
  },
  ...(['held', 'deleting'] as const).map((state) => ({
    id: `preconditions-ignored-of-what-is-${state}`,
    breaks: clausesOf('DELETE-OPTIONS-01', state),
    sentence: `A delete of an object that is ${state} takes no notice of its preconditions.`,
    defect: () =>
      onVerbs(['delete'], async (call, serve) => {
        const metadata = (await storedOf(call))?.object.metadata;
        const matches = state === 'held' ? !metadata?.deletionTimestamp : metadata?.deletionTimestamp;
        return serve(metadata?.finalizers?.length && matches ? withText(call, () => '') : call);
      }),
  })),
  {
    id: 'former-uid-is-as-good',
    breaks: clausesOf('DELETE-OPTIONS-01', 'former'),
    sentence: 'A precondition that a former object of the name would meet is taken for met.',
    defect: () => {
      const uids = new Map<string, Set<unknown>>();
      return onVerbs(['delete'], async (call, serve) => {
        const stored = await storedOf(call);
        const { preconditions } = await optionsOf(call);
        const known = uids.get(keyOf(call)) ?? new Set();
        uids.set(keyOf(call), known.add(stored?.object.metadata.uid));
        const asked = isObject(preconditions) ? preconditions.uid : undefined;
        return serve(asked !== stored?.object.metadata.uid && known.has(asked) ? withText(call, () => '') : call);
      });
    },
  },
  {
    id: 'orphans-are-collected',
    breaks: ['DELETE-OPTIONS-02'],
    sentence: 'Dependents go with an owner that was deleted with Orphan.',
    defect: () =>
      mending<Options>('configmaps', ['delete'], (options) => {
        if (options.propagationPolicy === 'Orphan') options.propagationPolicy = 'Background';
      }),
  },
  {
    id: 'unknown-propagation-passes',
    breaks: ['DELETE-OPTIONS-03'],
    sentence: 'A delete with a propagationPolicy that nobody knows is done without it.',
    defect: () =>
      mending<Options>('configmaps', ['delete'], (options) => {
        if (!['Orphan', 'Foreground', 'Background'].includes(String(options.propagationPolicy))) {
          delete options.propagationPolicy;
        }
      }),
  },
  {
    id: 'collection-ignores-finalizers',
    breaks: ['DELETE-COLLECTION-01'],
    sentence: 'deletecollection removes objects at once although they have finalizers.',
    defect: () =>
      onType('configmaps', ['deletecollection'], async (call, serve) => {
        const answer = await serve(call);
        const { store } = call.services;
        const prefix = collectionPrefix(call.endpoint.type, call.exchange.info.namespace);
        const { entries } = await store.range({ prefix });
        for (const { key, modRevision, object } of entries) {
          if (object.metadata.deletionTimestamp) await store.commit({ key, expected: modRevision, object: null });
        }
        return answer;
      }),
  },
  {
    id: 'force-takes-readable-objects',
    breaks: ['FORCE-GATE-01', 'FORCE-READABLE-01'],
    sentence: 'The force option removes any object at once, with and without its gate.',
    defect: () =>
      onType('configmaps', ['delete'], async (call, serve) => {
        const options = await bodyOf<Options>(call);
        return options?.ignoreStoreReadErrorWithClusterBreakingPotential === true ? takeOut(call) : serve(call);
      }),
  },
  {
    id: 'unreadable-objects-go-unforced',
    breaks: ['FORCE-UNREADABLE-01'],
    sentence: 'An ordinary delete removes an object that cannot be read.',
    defect: () =>
      onType('configmaps', ['delete'], async (call, serve) => {
        try {
          return await serve(call);
        } catch (error) {
          if (error instanceof ApiError && error.code >= 500) return takeOut(call);
          throw error;
        }
      }),
  },
  {
    id: 'force-ignored',
    breaks: ['FORCE-FINALIZER-01'],
    sentence: 'A forced delete is an ordinary one.',
    defect: () =>
      mending<Options>('configmaps', ['delete'], (options) => {
        delete options.ignoreStoreReadErrorWithClusterBreakingPotential;
      }),
  },
  {
    id: 'force-takes-other-options',
    breaks: ['FORCE-OPTIONS-01'],
    sentence: 'A forced delete passes over options that it must not have.',
    defect: () =>
      mending<Options>('configmaps', ['delete'], (options) => {
        if (options.ignoreStoreReadErrorWithClusterBreakingPotential !== true) return;
        delete options.preconditions;
        delete options.dryRun;
        delete options.gracePeriodSeconds;
        delete options.orphanDependents;
        delete options.propagationPolicy;
      }),
  },
  {
    id: 'force-of-false-skips-preconditions',
    breaks: ['FORCE-OPTIONS-03/delete/preconditions'],
    sentence: 'A delete with the force option, be it false, skips its preconditions.',
    defect: () =>
      mending<Options>('configmaps', ['delete'], (options) => {
        if (options.ignoreStoreReadErrorWithClusterBreakingPotential === false) delete options.preconditions;
      }),
  },
  ...FORCE_EXCLUDED.map(
    (word): Mutant => ({
      id: `force-of-false-excludes-${word}`,
      breaks: clausesOf('FORCE-OPTIONS-03', word),
      sentence: `A delete with the force option, be it false, must not have ${word.replaceAll('-', ' ')}.`,
      defect: () =>
        onType('configmaps', ['delete', 'deletecollection'], async (call, serve) => {
          const options = await optionsOf(call);
          const option = word.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as keyof Options;
          if (options.ignoreStoreReadErrorWithClusterBreakingPotential !== undefined && options[option] !== undefined)
            throw new ApiError(422, 'Invalid', `${option} excludes the force option`);
          return serve(call);
        }),
    }),
  ),
];
